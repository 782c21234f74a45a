"""Sentences about numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_stack.answer import Answer, Counts, Scope
from search_stack.criteria import parse
from ui.wording import headline, ranking, undated, without_vectors


@pytest.mark.parametrize(
    ("line", "counts", "sentence"),
    [
        ("a b", (12, 9, 8), "12 passages hold every word, in 9 notes of 8 patients."),
        ("a b", (1, 1, 1), "1 passage holds every word, in 1 note of 1 patient."),
        ("a", (1204, 9, 8), "1,204 passages hold the word, in 9 notes of 8 patients."),
        ('"a b"', (2, 1, 1), "2 passages hold the phrase, in 1 note of 1 patient."),
        ("a OR b", (2, 2, 2), "2 passages match, in 2 notes of 2 patients."),
        ("section:x", (2, 2, 2), "2 passages fit the filters, in 2 notes of 2 patients."),
        ("a -b", (2, 2, 2), "2 passages hold the word, without b, in 2 notes of 2 patients."),
        ('a -b -"c d"', (0, 0, 0), "No passage holds the word, without b or c d."),
        ("finding:a -finding:b", (1, 1, 1), "1 passage says that a is present, without b, in 1 note of 1 patient."),
        ("a OR b -c", (1, 1, 1), "1 passage matches, without c, in 1 note of 1 patient."),
        ("a OR b -c", (0, 0, 0), "No passage matches, without c."),
        ("finding:a -finding:b absent", (0, 0, 0), "No passage says that a is present, without b (absent)."),
        ("a b", (0, 0, 0), "No passage holds every word."),
        ("section:x", (0, 0, 0), "No passage fits the filters."),
        ("a OR b", (0, 0, 0), "No passage matches."),
    ],
)
def test_the_headline_says_exactly_what_was_counted(line: str, counts: tuple[int, int, int], sentence: str) -> None:
    assert headline(parse(line), Counts(*counts, undated_notes=0)) == sentence


@pytest.mark.parametrize(
    ("scope", "ranked", "sentence"),
    [
        ("passage", 200, "Also ranked: 188 passages that come close."),
        ("note", 10, "Also ranked: 1 note that comes close."),
        ("patient", 8, ""),
        ("patient", 5, "The list holds the best 5 patients."),
    ],
)
def test_the_list_is_set_against_the_counts_in_its_own_unit(scope: Scope, ranked: int, sentence: str) -> None:
    counts = Counts(passages=12, notes=9, patients=8, undated_notes=0)
    answer = Answer(scope, (), 1, 1, ranked, counts, {}, {}, 0)
    assert ranking(parse("a b"), answer) == sentence


def test_without_words_the_list_is_the_newest() -> None:
    answer = Answer("note", (), 1, 20, 200, Counts(900, 800, 700, 0), {}, {}, 0)
    assert ranking(parse("section:x"), answer) == "The list holds the newest 200 notes."


def test_notes_without_a_date_are_owned_up_to() -> None:
    assert undated(0) == ""
    assert undated(1) == "1 note that matches has no date and is left out."
    assert undated(3) == "3 notes that match have no date and are left out."


def test_a_search_without_vectors_says_so() -> None:
    answer = Answer("note", (), 1, 1, 1, Counts(1, 1, 1, 0), {}, {}, 0)
    assert without_vectors(answer) == ""
    assert without_vectors(replace(answer, vectors=False)).startswith("Found by words only")
