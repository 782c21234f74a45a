"""Sentences about numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_stack.core.amounts import Amount
from search_stack.query.nodes import AllOf, FieldIs, Finding, Node, Not, Phrase, Topic, Words
from search_stack.query.tree import all_of, any_of, criteria
from search_stack.retrieval.answer import Answer, Counts, Scope
from search_stack.retrieval.labels import OlderLabels
from ui.wording import (
    close,
    emptied,
    headline,
    older_labels,
    ranking,
    time_aside,
    timing,
    undated,
    what_counts,
    without_vectors,
)

A, B, FEVER = Words("a"), Words("b"), Finding("fever")
EITHER = any_of([A, B])
SECTION = FieldIs("section", "x")
DATED = AllOf((FieldIs("after", "2020-01-01"), FieldIs("before", "2021-01-01")))


def _without(*nodes: Node) -> list[Node]:
    return [Not(n) for n in nodes]


@pytest.mark.parametrize(
    ("query", "counts", "sentence"),
    [
        (all_of([A, B]), (12, 9, 8), "12 passages hold every word, in 9 notes of 8 patients."),
        (Words("a b"), (1, 1, 1), "1 passage holds every word, in 1 note of 1 patient."),
        (A, (1204, 9, 8), "1,204 passages hold the word, in 9 notes of 8 patients."),
        (Phrase("a b"), (2, 1, 1), "2 passages hold the phrase, in 1 note of 1 patient."),
        (EITHER, (2, 2, 2), "2 passages match, in 2 notes of 2 patients."),
        (SECTION, (2, 2, 2), "2 passages fit the filters, in 2 notes of 2 patients."),
        (all_of([SECTION, DATED]), (2, 2, 2), "2 passages fit the filters, in 2 notes of 2 patients."),
        (all_of([A, SECTION]), (2, 2, 2), "2 passages hold the word, in 2 notes of 2 patients."),
        (all_of([A, FEVER]), (1, 1, 1), "1 passage satisfies every criterion, in 1 note of 1 patient."),
        (
            Finding("fever", "any"),
            (2, 2, 2),
            "2 passages mention fever, whatever they say of it, in 2 notes of 2 patients.",
        ),
        (
            Finding("fever", "family"),
            (1, 1, 1),
            "1 passage tells of fever in the family, in 1 note of 1 patient.",
        ),
        (
            Finding("hemoglobin measurement", amount=Amount(None, 8.0, "", True)),
            (2, 2, 2),
            "2 passages tell of hemoglobin measurement < 8, in 2 notes of 2 patients.",
        ),
        (Topic("asthma"), (1, 1, 1), "1 passage is about asthma, in 1 note of 1 patient."),
        (
            Topic("asthma", "treatment"),
            (2, 1, 1),
            "2 passages are about treatment of asthma, in 1 note of 1 patient.",
        ),
        (
            all_of([A, *_without(B)]),
            (2, 2, 2),
            "2 passages hold the word, without b, in 2 notes of 2 patients.",
        ),
        (all_of([A, *_without(B, Phrase("c d"))]), (0, 0, 0), "No passage holds the word, without b or c d."),
        (
            all_of([A, *_without(Finding("creatinine", amount=Amount.by_sign(">", 3, 3, "")))]),
            (0, 0, 0),
            "No passage holds the word, without creatinine > 3.",
        ),
        (
            all_of([FEVER, *_without(B)]),
            (1, 1, 1),
            "1 passage says that fever is present, without b, in 1 note of 1 patient.",
        ),
        (
            all_of([EITHER, *_without(Words("c"))]),
            (1, 1, 1),
            "1 passage matches, without c, in 1 note of 1 patient.",
        ),
        (all_of([EITHER, *_without(Words("c"))]), (0, 0, 0), "No passage matches, without c."),
        (
            all_of([FEVER, *_without(Finding("cough", "absent"))]),
            (0, 0, 0),
            "No passage says that fever is present, without cough (absent).",
        ),
        (
            all_of([FEVER, *_without(Finding("cough", "any"))]),
            (0, 0, 0),
            "No passage says that fever is present, without any mention of cough.",
        ),
        (all_of([FEVER, *_without(SECTION)]), (0, 0, 0), "No passage says that fever is present."),
        (Not(FEVER), (3, 2, 1), "3 passages remain, without fever, in 2 notes of 1 patient."),
        (Not(FEVER), (0, 0, 0), "No passage remains, without fever."),
        (Words("a b"), (0, 0, 0), "No passage holds every word."),
        (SECTION, (0, 0, 0), "No passage fits the filters."),
        (EITHER, (0, 0, 0), "No passage matches."),
    ],
)
def test_the_headline_says_exactly_what_was_counted(query: Node, counts: tuple[int, int, int], sentence: str) -> None:
    assert headline(query, Counts(*counts, undated_notes=0)) == sentence


def test_an_act_was_done() -> None:
    said = headline(FEVER, Counts(4, 4, 3, undated_notes=0), "patient", {"fever"})
    assert said == "3 patients have a passage that says that fever was done; 4 passages in 4 notes show it."
    past = headline(Finding("fever", "historical"), Counts(4, 4, 3, undated_notes=0), "patient", {"fever"})
    assert past.startswith("3 patients have a passage that tells of fever in the past")


@pytest.mark.parametrize(
    ("scope", "query", "counts", "sentence"),
    [
        (
            "note",
            FEVER,
            (12, 9, 8),
            "9 notes have a passage that says that fever is present; 12 passages of 8 patients show it.",
        ),
        (
            "note",
            all_of([FEVER, *_without(B)]),
            (3, 1, 1),
            "1 note has a passage that says that fever is present, without b; 3 passages of 1 patient show it.",
        ),
        ("note", FEVER, (0, 0, 0), "No note has a passage that says that fever is present."),
        (
            "patient",
            all_of([FEVER, A]),
            (12, 9, 8),
            "8 patients satisfy every criterion; 12 passages in 9 notes show it.",
        ),
        (
            "patient",
            all_of([FEVER, SECTION]),
            (1, 1, 1),
            "1 patient has a passage that says that fever is present; 1 passage in 1 note shows it.",
        ),
        ("patient", all_of([FEVER, A]), (0, 0, 0), "No patient satisfies every criterion."),
        (
            "patient",
            any_of([FEVER, A]),
            (3, 2, 2),
            "2 patients satisfy “fever or the word a”; 3 passages in 2 notes show it.",
        ),
        (
            "patient",
            all_of([SECTION, any_of([FEVER, A])]),
            (3, 2, 2),
            "2 patients satisfy every criterion; 3 passages in 2 notes show it.",
        ),
        ("patient", any_of([FEVER, Words("a" * 80)]), (0, 0, 0), "No patient satisfies the criterion."),
    ],
)
def test_notes_and_patients_are_counted_in_their_own_unit(
    scope: Scope, query: Node, counts: tuple[int, int, int], sentence: str
) -> None:
    assert headline(query, Counts(*counts, undated_notes=0), scope) == sentence


def test_words_of_time_that_were_left_aside_are_spoken_of_and_no_others() -> None:
    assert time_aside(("patients", "who had it Before")) == "Time stands between two findings, as in"
    assert time_aside(("patients", "beforehand")) == time_aside(()) == ""


def _answer(scope: Scope, ranked: int, close: int, counts: Counts, query: Node = A) -> Answer:
    return Answer(scope, (), 1, 1, ranked, close, 0, counts, {}, {}, 0, query=query)


COUNTS = Counts(passages=12, notes=9, patients=8, undated_notes=0)


@pytest.mark.parametrize(
    ("scope", "ranked", "close", "sentence"),
    [
        ("passage", 12, 188, ""),
        ("patient", 8, 0, ""),
        ("patient", 5, 0, "The best 5 patients come first, then the others in the order of their notes."),
        (
            "note",
            1,
            2,
            "The best 1 note comes first, then the others in the order of their notes.",
        ),
        ("note", 0, 0, ""),
    ],
)
def test_the_list_is_set_against_the_counts_in_its_own_unit(
    scope: Scope, ranked: int, close: int, sentence: str
) -> None:
    assert ranking(_answer(scope, ranked, close, COUNTS)) == sentence


@pytest.mark.parametrize(
    ("scope", "begin"),
    [
        ("passage", "What follows is not counted: it comes close, "),
        ("patient", "Who follows is not counted: the notes come close, "),
    ],
)
def test_what_is_not_counted_is_told_where_it_begins(scope: Scope, begin: str) -> None:
    assert close(scope).startswith(begin)
    assert close("note") == close("passage")


def test_without_words_the_list_is_the_newest() -> None:
    assert ranking(_answer("note", 200, 0, Counts(900, 800, 700, 0), SECTION)) == ""
    assert what_counts(SECTION) == "No words to rank by: the newest notes come first."
    assert what_counts(Not(FEVER)) == what_counts(SECTION)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        (A, "The lexicon knows none of the words"),
        (all_of([A, *_without(FEVER)]), "The lexicon knows none of the words"),
        (all_of([FEVER, SECTION]), "Findings count by what is said of them, in whatever words."),
        (all_of([FEVER, Phrase("a b")]), "Findings count by what is said of them; the other words where"),
    ],
)
def test_what_the_counts_stand_on_is_said(query: Node, says: str) -> None:
    assert what_counts(query).startswith(says)


def test_of_nothing_it_is_said_which_criteria_have_none() -> None:
    query = all_of([FEVER, Topic("asthma"), A, *_without(B), SECTION, FieldIs("type", "letter")])
    alone = {FEVER: 7, A: 0, Topic("asthma"): 0, SECTION: 0, FieldIs("type", "letter"): 3}
    said = emptied(query, [alone.get(c, 0) for c in criteria(query)], "note")
    assert said == [
        ("No note is about asthma within the filters.", 1),
        ("No note has the word a within the filters.", 2),
        ("No note is in the section x.", 4),
    ]
    assert emptied(all_of([FEVER, A]), [7, 0], "note") == [("No note has the word a.", 1)]


def test_notes_without_a_date_are_owned_up_to() -> None:
    assert undated(0) == ""
    assert undated(1) == "1 note that matches has no date and is left out."
    assert undated(3) == "3 notes that match have no date and are left out."


def test_a_search_without_vectors_says_so() -> None:
    answer = _answer("note", 1, 0, Counts(1, 1, 1, 0))
    assert without_vectors(answer) == ""
    assert without_vectors(replace(answer, vectors=False)).startswith("Found by words only")


def test_labels_that_are_older_than_what_reads_now_are_owned_up_to() -> None:
    answer = _answer("note", 1, 0, COUNTS)
    assert older_labels(answer) == ""
    said = older_labels(replace(answer, older=OlderLabels(("fever", "cough"), 1)))
    assert said.startswith('1 passage was labelled before "fever" and "cough" were read as now')


def test_the_time_of_all_stages_is_one_number() -> None:
    answer = replace(_answer("note", 1, 0, COUNTS), milliseconds={"engine": 1000.4, "fetch": 203.0})
    assert timing(answer) == "1,203 ms"
    assert timing(replace(answer, reranked=12)) == "12 read closely · 1,203 ms"
