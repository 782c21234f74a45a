"""Words cut short are any of the few names that begin so, which is told with a way to the words themselves."""

from __future__ import annotations

import pytest

from search_stack.query.tree import QueryError
from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, both, either, has, words


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("seizure*", has("seizure")),
        (
            "breast cancer* -metasta*",
            both(has("breast cancer"), {"not": either(has("metastasis"), has("metastasectomy"))}),
        ),
        ("myocardial infarct*", has("myocardial infarction")),
        ("congestiv* heart failure", has("congestive heart failure")),
        ("left pleural effusion*", {**has("pleural effusion"), "site": "left"}),
        ("EPILEP$", has("epilepsy")),
        # Of a name that may be an act, too, nobody denies the act.
        ("no cholecyst*", has("cholecystitis", "absent")),
        ("s/p cholecyst*", either(*(has(f"cholecyst{end}", "historical") for end in ("itis", "ectomy", "ostomy")))),
        # A brand of which more than a few letters lack is not meant.
        ("preg*", either(has("pregnancy"), has("pregabalin"))),
        ("coumad*", has("warfarin")),
        ("acute kidney injur*", has("acute kidney injury")),
        # A part of the body is a word, unless names begin so.
        ("liver* AND fever", both(words("liver"), has("fever"))),
        ("thyroid*", either(has("thyroiditis"), has("thyroidectomy"))),
        # Where no name of one word begins so, of a long stem those of several.
        ("nephrotic*", has("nephrotic syndrome")),
        # A sign by itself stands for nothing.
        ("fever * cough", both(has("fever"), has("cough"))),
    ],
)
def test_a_word_cut_short_is_the_names_that_begin_so(understanding: Understanding, line: str, expected: Tree) -> None:
    found = understanding.understand(line)
    assert same(to_json(found.query), expected)
    cut = [n for n in found.notices if "no other word that begins so" in n.message]
    assert len(cut) == len([word for word in line.split() if len(word) > 1 and word.endswith(("*", "$"))])


@pytest.mark.parametrize("line", ["card*", "sign*", "zzyzx*", "MI*", "*itis", "anti-coag*", "tumo?r", "ast*ma"])
def test_what_begins_too_many_names_or_none_is_an_error(understanding: Understanding, line: str) -> None:
    with pytest.raises(QueryError) as told:
        understanding.understand(f"fever AND {line}")
    assert line in told.value.message


@pytest.mark.parametrize(
    "line", ["epilep*[tiab] AND fever", "no pneumothora*", "(statin* OR smok*) cough*", "sickle cell*"]
)
def test_the_words_themselves_are_offered(understanding: Understanding, line: str) -> None:
    notices = understanding.understand(line).notices
    assert notices
    for notice in notices:
        offered = understanding.understand(notice.line) if notice.line else None
        assert offered is None or '{"words":' in str(to_json(offered.query)).replace("'", '"')
