"""A patient's evidence, criterion by criterion, and what can be called right or wrong in it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from flask import Flask

from ingest.ledger import StoredNote
from ingest.review.evidence import Evidence, SeenFact, SeenNote, items_of_fact
from search_stack.cohorts.clauses import EVERYTHING
from search_stack.cohorts.named import Counted
from search_stack.core.schema import Finding, Hit, Note, Scores, StructuredFact
from search_stack.index.passage import UNDATED, day_number
from search_stack.query.nodes import Fact, Words
from search_stack.query.nodes import Finding as Asked
from search_stack.retrieval.evidence import Criterion, Shown, ShownFact
from search_stack.review.marks import Item, Mark
from ui.evidence_view import OPEN, evidence_view
from ui.place import Place

DAY = day_number(date(2020, 1, 2))
CRITERIA = (
    Criterion(Asked("effusion", "absent"), "no effusion", EVERYTHING, Counted(frozenset({"c1"}))),
    Criterion(Words("small"), "small", EVERYTHING),
)
FACTS = (Criterion(Fact("icd10", "I48"), "the code icd10:I48", EVERYTHING),)
TEXT = "No pleural effusion, small."


def note(key: int, held: tuple[int, ...]) -> SeenNote:
    found = Finding("c1", "effusion", "finding", 103, 119, "absent", trigger_begin=100, trigger_end=102)
    hit = Hit(
        f"{key}.0", f"n{key}", key, "p", "X-ray", None, "", "", "", "", 100, 127, TEXT, (), Scores(), "", (found,)
    )
    # The text of the third version; the fourth only moved it to another patient.
    stored = StoredNote(key, 4, "indexed", 0, "", 1, 0, Note(f"n{key}", "", "p", "X-ray"), text_version=3)
    return SeenNote(key, DAY, "as found", stored, (Shown(hit, 4, held, ((21, 26),)),))


@pytest.fixture(autouse=True)
def _addresses(app: Flask) -> object:
    with app.test_request_context():
        yield


def test_a_passage_stands_under_each_criterion_that_it_shows() -> None:
    evidence = Evidence(CRITERIA, (), (note(7, (0, 1)), note(8, (1,))), ())
    marks = {one: Mark("me", 1, one, "wrong") for one in evidence.items() if one.criterion == "no effusion"}
    effusion, small = evidence_view(evidence, marks, Place(""), frozenset({8})).criteria
    (passage,) = effusion.passages
    assert (passage.day, passage.name, passage.url) == ("2020-01-02", "X-ray", "/notes/7?passage=7.0#passage")
    assert '<mark class="hue-0">pleural effusion</mark>' in passage.text
    (item,) = passage.items
    assert (item.said, item.words, item.reading) == (
        "effusion: absent, because of “No”",
        "pleural effusion",
        "wrong",
    )
    assert [one.items[0].words for one in small.passages] == ["small", "small"]
    assert [one.items[0].reading for one in small.passages] == [None, None]
    assert [(one.url, one.fresh) for one in small.passages] == [
        ("/notes/8?passage=8.0#passage", True),
        ("/notes/7?passage=7.0#passage", False),
    ]
    assert list(marks) == [Item("no effusion", "c1", "effusion", "absent", 7, 3, 103, 119)]


def test_many_passages_are_folded() -> None:
    many = tuple(note(key, (0,)) for key in range(1, OPEN + 3))
    (only,) = evidence_view(Evidence(CRITERIA, (), many, ()), {}, Place("")).criteria
    assert (len(only.open), len(only.folded)) == (OPEN, 2)


def test_a_note_that_is_other_than_it_was_shows_no_words() -> None:
    stored = StoredNote(9, 4, "indexed", 0, "", 1, 0, Note("n9", "Other text.", "p", "letter"))
    changed = SeenNote(9, UNDATED, "changed", stored, ())
    gone = SeenNote(10, DAY, "deleted", None, ())
    found = evidence_view(Evidence(CRITERIA, (), (changed, gone), ()), {}, Place(""))
    assert found.criteria == ()
    assert [(one.day, one.name, one.url, one.why) for one in found.others] == [
        ("", "letter", "/notes/9", "has another text by now"),
        ("2020-01-02", "Note 10", "", "deleted since"),
    ]


def test_a_structured_fact_is_told_with_its_value() -> None:
    fact = StructuredFact("p", "icd10", "I48.0", date(2020, 1, 2), "atrial fibrillation", 2.5, "mg")
    seen = SeenFact(ShownFact(1, DAY, 77, (0,)), fact)
    (only,) = evidence_view(Evidence((), FACTS, (), (seen,)), {}, Place("")).criteria
    assert [item.said for item in only.facts] == ["2020-01-02 · atrial fibrillation · 2.5 mg · icd10 I48.0"]
    (item,) = items_of_fact(seen, FACTS)
    assert item.place == "fact:77"
    assert item.id != replace(item, end=78).id
