"""Recall on notes annotated in full, computed by hand."""

from __future__ import annotations

import pytest

from search_stack.evaluation.datasets.whole_notes import Heading, WholeMention, WholeNote
from search_stack.evaluation.tasks.whole_notes import ALL, evaluate, plain_places
from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.concepts import Concept, Lexicon

FIRST = "HISTORY: Fevers, no cough. Zorblitis.\n\nPLAN: Aspirin."
SECOND = "Plan:\nCough."


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    concepts = (Concept("fever", "fever", "symptom"), Concept("cough", "cough", "symptom", synonyms=("dry cough",)))
    return Labeller(Lexicon((*concepts, Concept("aspirin", "aspirin", "drug"), Concept("leg", "leg", "anatomy"))), None)


def at(text: str, words: str, kind: str, assertion: str) -> WholeMention:
    begin = text.index(words)
    return WholeMention(begin, begin + len(words), kind, assertion, "")


def test_shares_are_those_counted_by_hand(labeller: Labeller) -> None:
    first = WholeNote(
        "one",
        (Heading(0, 7, "history"), Heading(FIRST.index("PLAN"), FIRST.index("PLAN") + 4, "plan")),
        (
            at(FIRST, "Fevers", "symptom", "present"),  # an inflection: no name word for word
            at(FIRST, "cough", "symptom", "present"),  # the labels say absent
            at(FIRST, "Zorblitis", "disorder", "present"),  # no lexicon has it
            at(FIRST, "Aspirin", "drug", "present"),
        ),
    )
    second = WholeNote(
        "two", (Heading(0, 0, "plan"), Heading(3, 5, "plan")), (at(SECOND, "Cough", "symptom", "present"),)
    )
    said = {f.name: f.assertion for f in labeller.label(FIRST).findings}
    assert said["cough"] == "absent"
    report = evaluate([first, second], {"one": FIRST, "two": SECOND}, labeller)
    assert report.notes == 2
    every = report.kinds[ALL]
    assert every.found
    assert every.plain
    assert every.over_plain
    assert every.right
    assert every.mentions == 5
    assert every.found.value == 4 / 5
    assert (every.found.low, every.found.high) == (3 / 4, 1)  # one note alone, twice
    assert every.plain.value == 3 / 5
    assert every.over_plain.value == pytest.approx(1 / 5)
    assert every.right.value == 3 / 4  # but for the cough that is denied
    symptoms = report.kinds["symptom"]
    assert symptoms.found
    assert symptoms.plain
    assert (symptoms.mentions, symptoms.found.value, symptoms.plain.value) == (3, 1, 2 / 3)
    disorders = report.kinds["disorder"]
    assert disorders.found is not None
    assert (disorders.mentions, disorders.found.value, disorders.right) == (1, 0, None)
    assert report.kinds["device"].found is None
    # Found are HISTORY, PLAN and Plan; the third is annotated elsewhere.
    assert report.headings == 3
    assert (report.heading.precision, report.heading.recall) == (2 / 3, 2 / 3)
    assert (report.capitals.precision, report.capitals.recall) == (1, 2 / 3)


def test_the_baseline_knows_names_word_for_word_only() -> None:
    names = frozenset({("cough",), ("dry", "cough"), ("fever",)})
    text = "Dry-cough; feverish, FEVER"
    assert plain_places(text, names) == [(0, 9), (4, 9), (21, 26)]
    assert plain_places(text, frozenset()) == []
