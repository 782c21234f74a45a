"""What belongs to which side: of a denial, of an or, of what relates two."""

from __future__ import annotations

import pytest

from search_stack.query.tree import QueryError
from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, both, either, has, words

FEVER, COPD, STROKE = has("fever"), has("chronic obstructive pulmonary disease"), has("stroke")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # Words that no lexicon has are denied with the names beside them, and are no alternative to them.
        ("no fever or foobar", both(has("fever", "absent"), words("no foobar"))),
        ("no foobar or fever", both(words("no foobar"), has("fever", "absent"))),
        ("no fever, rigors or foobar", both(has("fever", "absent"), has("chills", "absent"), words("no foobar"))),
        ("family history of stroke or foobar", either(has("stroke", "family"), words("family history of foobar"))),
        (
            "no family history of stroke or foobar",
            both({"not": has("stroke", "family")}, {"not": words("family history of foobar")}),
        ),
        ("family history of stroke denied", {"not": has("stroke", "family")}),
        ("no treatment for gout", both({"not": words("treatment")}, has("gout"))),
        ("no recurrent stroke", both(words("recurrent"), has("stroke", "absent"))),
        # A denial before a name and its side denies the side.
        ("no asthma treatment", {"not": {"entity": "asthma", "aspect": "treatment"}}),
        ("without stroke symptoms", {"not": {"entity": "stroke", "aspect": "symptoms"}}),
        # A denial that may speak of either side speaks of what it stands before.
        ("fever, negative blood cultures", both(FEVER, has("bacteremia", "absent"))),
        ("sepsis blood cultures negative", both(has("sepsis"), has("bacteremia", "absent"))),
        ("fever and cough negative", both(has("fever", "absent"), has("cough", "absent"))),
        ("fever, unlikely stroke", both(FEVER, has("stroke", "absent"))),
        ("ct head, planned mri", both(has("ct of the head"), has("magnetic resonance imaging", "hypothetical"))),
    ],
)
def test_a_denial_holds_for_its_own(understanding: Understanding, line: str, expected: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("fracture of hip or wrist", either(has("hip fracture"), has("wrist fracture"))),
        ("no fracture of hip or wrist", both(has("hip fracture", "absent"), has("wrist fracture", "absent"))),
        ("fracture of hip and wrist", both(has("hip fracture"), has("wrist fracture"))),
        ("fever needing acetaminophen or ibuprofen", both(FEVER, either(has("acetaminophen"), has("ibuprofen")))),
        ("stroke: fever or copd", both(STROKE, either(FEVER, COPD))),
        ("stroke - fever or copd", both(STROKE, either(FEVER, COPD))),
        ("skin tear or bruising after fall", both(either(has("skin tear"), has("bruising")), has("accidental fall"))),
    ],
)
def test_an_or_joins_its_own(understanding: Understanding, line: str, expected: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("impression: fever", both({"field": "section", "value": "impression"}, FEVER)),
        ("medications: warfarin", both({"field": "section", "value": "medications"}, has("warfarin"))),
        ("date >= 2019 AND fever", both({"field": "after", "value": "2019-01-01"}, FEVER)),
        ("fever 2015:3000[dp]", both(FEVER, {"field": "after", "value": "2015-01-01"})),
        ("fever w/out stroke", both(FEVER, {"not": STROKE})),
        ("fever excl. stroke", both(FEVER, {"not": STROKE})),
        ("foobar ruled out", words("foobar ruled out")),
        ("fever without pre-existing copd", both(FEVER, {"not": COPD})),
        (
            "stroke within 1.5 years of surgery",
            {"near": STROKE, "to": has("surgery"), "least": -548, "most": 548},
        ),
        ("stroke post surgery", {"near": STROKE, "to": has("surgery"), "least": 1}),
    ],
)
def test_what_people_write_otherwise(understanding: Understanding, line: str, expected: Tree) -> None:
    assert same(to_json(understanding.understand(line).query), expected)


def test_a_field_of_elsewhere_is_told_with_ours(understanding: Understanding) -> None:
    with pytest.raises(QueryError) as e:
        understanding.understand('note_type:"discharge summary" AND sepsis')
    assert "type:" in e.value.remedy
