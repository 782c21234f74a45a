from __future__ import annotations

import pytest
from hypothesis import example, given, settings

from search_stack.query.nodes import (
    AllOf,
    AnyOf,
    AtAge,
    AtLeast,
    During,
    Fact,
    FieldIs,
    Finding,
    Near,
    Node,
    Not,
    Phrase,
    Pick,
    Together,
    Words,
)
from search_stack.query.plainest import MOST_PARTS, plainest
from search_stack.query.understand import Understanding
from search_stack.query.write import write
from tests.unit.search_stack.query.trees import TREES

FEVER, COUGH, PNEUMONIA, PACEMAKER = map(Finding, ("fever", "cough", "pneumonia", "pacemaker"))
NO_FEVER = Finding("fever", "absent")
AFTER = Near(0, 30, PNEUMONIA, PACEMAKER)
WOMEN, OLD, IMPRESSION = FieldIs("sex", "female"), FieldIs("age", ">60"), FieldIs("section", "impression")


@pytest.mark.parametrize(
    ("tree", "line"),
    [
        (FEVER, "fever"),
        (NO_FEVER, "no fever"),
        (Finding("fever", "possible"), "possible fever"),
        (Finding("stroke", "historical"), "history of stroke"),
        (Finding("breast cancer", "family"), "family history of breast cancer"),
        (Finding("stroke", "hypothetical"), "risk of stroke"),
        (Finding("penicillin", "allergy"), "allergy to penicillin"),
        (Not(Finding("fever", "any")), "no mention of fever"),
        (Finding("fever", "any"), "any mention of fever"),
        (AllOf((FEVER, COUGH)), "fever, cough"),
        (AllOf((COUGH, NO_FEVER)), "cough, no fever"),
        (AllOf((COUGH, Not(FEVER))), "cough without fever"),
        (AllOf((Not(FEVER), COUGH)), "without fever; cough"),
        (AllOf((Finding("stroke", "family"), COUGH)), "family history of stroke, cough"),
        (AnyOf((FEVER, COUGH)), "fever or cough"),
        (AllOf((AnyOf((FEVER, COUGH)), PNEUMONIA)), "(fever or cough), pneumonia"),
        (AllOf((PNEUMONIA, Not(AnyOf((FEVER, COUGH))))), "pneumonia without (fever or cough)"),
        (AnyOf((AllOf((FEVER, COUGH)), PNEUMONIA)), "(fever and cough) or pneumonia"),
        (AFTER, "pneumonia within 30 days after pacemaker"),
        (AllOf((AFTER, NO_FEVER)), "pneumonia within 30 days after pacemaker, no fever"),
        (AllOf((WOMEN, OLD, PNEUMONIA, FEVER)), "women over 60 with pneumonia, fever"),
        (AllOf((PNEUMONIA, WOMEN, OLD)), "pneumonia, women over 60"),
        (AllOf((FieldIs("age", "40-60"), PNEUMONIA)), "aged 40 to 60 with pneumonia"),
        (AllOf((PNEUMONIA, IMPRESSION)), "pneumonia section:impression"),
        (AllOf((PNEUMONIA, FieldIs("after", "2019-01-01"))), "pneumonia since 2019"),
        (During("2019-01-01", "", Pick("first", PNEUMONIA)), "the first pneumonia since 2019-01-01"),
        (AtLeast(2, "notes", PNEUMONIA), "pneumonia in at least 2 notes"),
        (AtAge(60, 80, PNEUMONIA), "pneumonia at age 60 to 80"),
        (Together("note", (PNEUMONIA, FEVER)), "pneumonia and fever in the same note"),
        (AllOf((PNEUMONIA, Fact("icd10", "I48"))), "pneumonia, fact:icd10:I48"),
        (AllOf((Words("left lower lobe"), PNEUMONIA)), "left lower lobe, pneumonia"),
        (AllOf((Phrase("chest pain"), PNEUMONIA)), '"chest pain", pneumonia'),
    ],
)
def test_what_a_clinician_would_type(understanding: Understanding, tree: Node, line: str) -> None:
    assert plainest(tree, understanding.understand) == line
    assert understanding.understand(line).query == tree


@pytest.mark.parametrize(
    ("tree", "line"),
    [
        (Finding("metformin", "taking"), "finding:metformin taking"),
        (AnyOf((NO_FEVER, COUGH)), "no fever or finding:cough present"),  # "no fever or cough" denies both
        (Words("fever"), "words:fever"),
        (Finding("pneumonia", "present", ("lobar pneumonia",)), 'finding:"pneumonia; not lobar pneumonia" present'),
    ],
)
def test_what_plain_words_would_not_say_stays_exact(understanding: Understanding, tree: Node, line: str) -> None:
    assert plainest(tree, understanding.understand) == line


def test_every_reader_must_read_it_so(understanding: Understanding) -> None:
    tree = AllOf((WOMEN, PNEUMONIA))
    other = understanding.understand("pneumonia")
    assert plainest(tree, understanding.understand, lambda line: other) == write(tree)


def test_of_many_criteria_all_are_plain_or_none_since_trying_costs(understanding: Understanding) -> None:
    names = [c.name for c in understanding.lexicon.concepts.values() if c.kind == "disorder" and len(c.name) > 4]
    many = AllOf(tuple(Finding(name) for name in names[: MOST_PARTS * 40 : 40]))
    assert "finding:" not in plainest(many, understanding.understand)
    odd = AllOf((*many.children, Finding("metformin", "taking")))  # which words do not ask for
    assert plainest(odd, understanding.understand) == write(odd)
    few = AllOf((*many.children[:5], Finding("metformin", "taking")))
    assert plainest(few, understanding.understand).count("finding:") == 1


@settings(max_examples=300)
@example(tree=Words("A\u02bcA"))  # a letter, which looks like an apostrophe
@given(TREES)
def test_the_line_of_any_tree_reads_as_itself(understanding: Understanding, tree: Node) -> None:
    line = plainest(tree, understanding.understand)
    if len(line) <= 2000:
        assert understanding.understand(line).query == tree
