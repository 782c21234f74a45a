from __future__ import annotations

from pathlib import Path

import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.gold import SENTENCES, sentences
from search_stack.language.labeller import Labeller
from tests import language
from tests.labels.judge import HELD_OUT, TYPICAL, found_and_right, right, ward_notes

SEEN_SHARE, TYPICAL_SHARE, HELD_OUT_SHARE = 0.95, 0.85, 0.83
"""All that are seen are learnt from; the 155 typical ones are not, 0.81 of them were right before anybody looked."""

WARDS_LABELLED, WARDS_SHARE = 0.9, 0.84
"""Of the first 24 notes 0.74 were labelled before anybody looked, 0.85 of these as judged."""


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return language.labeller()


def test_sentences_are_labelled_as_they_were_judged(labeller: Labeller) -> None:
    assert right(SENTENCES, labeller)[0] >= SEEN_SHARE


def test_short_notes_as_hospitals_have_them_are_labelled_as_they_were_judged(labeller: Labeller) -> None:
    assert right(TYPICAL, labeller)[0] >= TYPICAL_SHARE


def test_sentences_that_nobody_looked_at_are_labelled_as_well(labeller: Labeller) -> None:
    assert right(HELD_OUT, labeller)[0] >= HELD_OUT_SHARE


def test_notes_of_wards_are_labelled_as_they_were_judged(labeller: Labeller) -> None:
    labelled, good, meant = found_and_right(labeller)
    assert meant > 900
    assert labelled >= WARDS_LABELLED
    assert good >= WARDS_SHARE


def test_marks_of_ward_notes_stand_at_their_words() -> None:
    notes = list(ward_notes())
    assert len(notes) == 36
    assert not any(sign in text for text, _ in notes for sign in "{}|")
    assert all(text[m.begin : m.end].strip() == text[m.begin : m.end] != "" for text, found in notes for m in found)


@pytest.mark.parametrize(
    "row", ["{}", "no json", '{"id": 1, "text": "a", "begin": 0, "end": 5, "concept": "a", "label": "present"}']
)
def test_a_line_that_is_no_sentence_is_named(tmp_path: Path, row: str) -> None:
    file = tmp_path / "sentences.jsonl"
    file.write_text(row + "\n", encoding="utf-8")
    with pytest.raises(AspectraError, match=r"sentences\.jsonl:1: no sentence"):
        sentences(file)
