"""What nothing in a line decides is told with the line that asks for it the other way; doubts, stays, and sources."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from search_stack.query.wording import wording
from tests.language import lexicon
from tests.queries.judge import same
from tests.queries.written import Tree, both, field, has, no, words

PE, MI = has("pulmonary embolism", "possible"), has("myocardial infarction", "possible")
DOUBTS = [
    ("PE?", PE),
    ("PE? DVT?", both(PE, has("deep vein thrombosis", "possible"))),
    ("queried MI", MI),
    ("CT to exclude PE", both(has("computed tomography"), PE)),
    (
        "MRI done to exclude cord compression",
        both(has("magnetic resonance imaging"), has("cord compression", "possible")),
    ),
    # Somebody asks, of what is not known, or for what is to be left out.
    ("any patients with PE?", has("pulmonary embolism")),
    ("sepsis ? source", has("sepsis")),
    ("to exclude fracture", no(has("fracture"))),
    ("foobar?", words("foobar")),
]
STAYS = [
    ("fall during their admission", has("inpatient fall")),
    ("fell during this hospital stay", has("inpatient fall")),
    ("delirium during the admission", has("delirium")),
    ("fever during admission for pneumonia", both(has("fever"), has("pneumonia"))),
]
SOURCES = [
    ("notes from radiology", field("type", "radiology note")),
    ("notes from the ED with chest pain", both(field("type", "ed note"), has("chest pain"))),
    ("letters written by nurses", field("type", "nursing letter")),
    ("letters from cardiology clinic", words("cardiology clinic")),
]
NEW = [
    ("new diagnosis of diabetes", has("diabetes mellitus")),
    ("hypertension newly diagnosed", has("hypertension")),
    ("newly started on insulin", has("insulin")),
    ("new AF", both(words("new"), has("atrial fibrillation"))),
]


@pytest.mark.parametrize(("line", "tree"), [*DOUBTS, *STAYS, *SOURCES, *NEW])
def test_lines(understanding: Understanding, line: str, tree: Tree) -> None:
    read = to_json(understanding.understand(line).query)
    assert same(read, tree), read


@pytest.mark.parametrize(
    ("line", "ways"),
    [
        ("PE? now", ["PE now"]),
        ("PCP", ["pneumocystis pneumonia", "phencyclidine"]),
        ("no RRT", ["no dialysis", "no rapid response", 'NOT words:"rrt"']),
        ("?lobular", ["?lobular carcinoma in situ"]),
        ("cardiology letters", ['type:"cardiology letter"']),
        ("newly diagnosed diabetes", ["first diabetes in the last year"]),
        ("newly diagnosed diabetes in 2024", []),
        ("fall during admission", []),
    ],
)
def test_what_else_may_be_asked_is_offered(understanding: Understanding, line: str, ways: list[str]) -> None:
    told = [n.line for n in understanding.understand(line).notices if n.line and not n.line.startswith("words:")]
    assert told == ways
    for way in ways:
        assert to_json(understanding.understand(way).query)


def test_short_forms_of_which_nothing_tells_are_offered_by_names_of_the_lexicon() -> None:
    for short, names in wording().unsure.items():
        known = [found.name for name in names if (found := lexicon().find(name))]
        assert len(known) == len(names), short
