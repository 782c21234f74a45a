"""The synthetic notes: how many, of what kind, coherent, and showing what is hard to read."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import date
from itertools import pairwise

import pytest

from ingest.demo import demo_notes
from ingest.demo.cases import CASES
from ingest.demo.generator import STORIES
from ingest.demo.layout import STYLES, lay_out
from ingest.demo.patient import age_on, elapsed
from ingest.demo.prose import Chooser, render
from search_stack.schema import Note

NOTES = tuple(demo_notes())
GENERATED = NOTES[: len(NOTES) - len(CASES)]
TYPES = {
    "radiology report",
    "discharge summary",
    "clinic letter",
    "progress note",
    "operative note",
    "emergency department note",
}
PHENOMENA = {
    "negation": r"No pneumothorax or pleural effusion",
    "negation by denial": r"denies chest pain",
    "hedge: cannot exclude": r"cannot (?:be excluded|exclude)|cannot be ruled out",
    "hedge: possible": r"\bpossible\b",
    "hedge: suspicious for": r"suspicious for",
    "hedge: may represent": r"may represent",
    "history of": r"\b[Hh]istory of\b",
    "status post": r"[Ss]tatus post",
    "resolved": r"\bresolved\b",
    "return if": r"Return if",
    "rule out": r"[Rr]ule out",
    "family": r"Mother had breast cancer",
    "no change in": r"no change in the small effusion",
    "not only": r"[Nn]ot only",
    "double negation": r"not without|cannot be said that there is no",
    "list": r"(?m)^1[.)] .+\n(?:.+\n)*2[.)] ",
    "bullets": r"(?m)^[-•] ",
    "SOB": r"\bSOB\b",
    "CHF": r"\bCHF\b",
    "COPD": r"\bCOPD\b",
    "DVT": r"\bDVT\b",
    "PE": r"\bPE\b",
    "letter": r"^Dear Dr\. ",
    "heading inline": r"(?m)^IMPRESSION: \S",
    "heading on its own line": r"(?m)^(?:Findings|FINDINGS):?$",
    "HPI": r"(?m)^HPI:",
    "A/P": r"(?m)^A/P:",
    "marks of removed words": r"XXXX",
    "hard line breaks": r"[a-z]\n[a-z]",
}


def by_patient() -> dict[str, list[Note]]:
    notes: dict[str, list[Note]] = defaultdict(list)
    for note in NOTES:
        notes[note.patient_id].append(note)
    return notes


def test_two_runs_are_equal() -> None:
    assert tuple(demo_notes()) == NOTES


def test_enough_notes_and_patients() -> None:
    assert len(NOTES) >= 260
    assert len(by_patient()) >= 48
    assert len(STORIES) >= 12
    assert len({case.phenomenon for case in CASES}) == len(CASES) >= 16


def test_the_six_types_and_no_other() -> None:
    assert {note.type for note in NOTES} == TYPES


def test_ids_are_unique_and_well_formed() -> None:
    assert len({note.note_id for note in NOTES}) == len(NOTES)
    assert all(re.fullmatch(r"demo-\d{4}", note.note_id) for note in NOTES)
    assert all(re.fullmatch(r"P-\d{5}", note.patient_id) for note in NOTES)
    assert {note.collection for note in NOTES} == {"demo"}
    assert all(note.title for note in NOTES)


def test_hand_written_patients_are_not_those_of_storylines() -> None:
    assert {case.patient_id for case in CASES}.isdisjoint(note.patient_id for note in GENERATED)


def test_dates_cover_every_year_and_run_in_order() -> None:
    assert {note.date.year for note in NOTES if note.date} == set(range(2017, 2026))
    for notes in by_patient().values():
        assert all(a.date <= b.date for a, b in pairwise(notes) if a.date and b.date)


def test_no_two_notes_have_the_same_text() -> None:
    assert len({" ".join(note.text.split()) for note in NOTES}) == len(NOTES)


@pytest.mark.parametrize("phenomenon", PHENOMENA)
def test_phenomenon_occurs(phenomenon: str) -> None:
    assert any(re.search(PHENOMENA[phenomenon], note.text) for note in NOTES)


def test_some_note_has_no_line_break() -> None:
    assert any("\n" not in note.text and len(note.text) > 400 for note in NOTES)


def test_some_note_has_letters_beyond_ascii() -> None:
    assert any(re.search(r"[À-ž]{1}\w+", note.text) for note in NOTES)


@pytest.mark.parametrize(
    ("note_type", "least", "most"),
    [("radiology report", 40, 200), ("discharge summary", 200, 520), ("clinic letter", 90, 400)],
)
def test_lengths_in_words_are_realistic(note_type: str, least: int, most: int) -> None:
    lengths = [len(note.text.split()) for note in NOTES if note.type == note_type]
    assert least <= min(lengths)
    assert max(lengths) <= most


def test_nothing_of_the_templates_is_left() -> None:
    for note in GENERATED:
        assert not re.search(r"[\[\]{}|@#]|//|  | [.,;]|\.\.", note.text), note.note_id
        assert note.text == note.text.strip()


def test_no_banner_stands_in_the_text() -> None:
    assert not any(re.search(r"synthetic|fictional|invented|not a real", note.text, re.I) for note in NOTES)


def test_age_in_the_text_grows_with_the_dates() -> None:
    for notes in by_patient().values():
        ages = [
            (int(found[1]), note.date)
            for note in notes
            if note.date and (found := re.search(r"(\d+)-year-old (?:man|woman|boy|girl)", note.text))
        ]
        for (before, first), (after, second) in pairwise(ages):
            assert abs((after - before) - (second - first).days / 365.25) <= 1


def test_pronouns_agree_with_the_patient() -> None:
    for notes in by_patient().values():
        if notes[0] not in GENERATED:
            continue
        text = " ".join(note.text for note in notes)
        subjects = {word.lower() for word in re.findall(r"\b(?:She|He|she|he)\b", text)}
        assert len(subjects) <= 1, notes[0].patient_id


def test_sentences_vary() -> None:
    """Among notes written from one template, long sentences are mostly not shared."""
    long: dict[str, int] = defaultdict(int)
    for note in GENERATED:
        for sentence in set(re.split(r"(?<=[.!?])\s+", " ".join(note.text.split()))):
            if len(sentence.split()) >= 8:
                long[sentence] += 1
    assert sum(1 for count in long.values() if count == 1) / len(long) > 0.75


def test_a_choice_deals_every_option_before_one_returns() -> None:
    chooser = Chooser(1)
    assert {render("[a|b|c]", str, chooser) for _ in range(3)} == {"a", "b", "c"}


def test_tagged_choices_take_the_same_place() -> None:
    chooser = Chooser(1)
    assert {render("[@t:a|b|c][@t:a|b|c]", str, chooser) for _ in range(9)} < {"aa", "bb", "cc"}
    chooser.next_patient()
    assert render("[@t:a|b|c][@t:a|b|c]", str, chooser) in {"aa", "bb", "cc"}


def test_an_open_bracket_is_an_error() -> None:
    with pytest.raises(ValueError, match="bracket left open"):
        render("[a|b", str, Chooser(1))


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("classic", "FINDINGS:\nClear lungs.\n\nPLAN:\n1. Home\n2. Rest"),
        ("inline", "FINDINGS: Clear lungs.\n\nPLAN:\n1. Home\n2. Rest"),
        ("title", "Findings\nClear lungs.\n\nPlan\n• Home\n• Rest"),
        ("flat", "FINDINGS: Clear lungs. PLAN: 1. Home 2. Rest"),
    ],
)
def test_layout(style: str, expected: str) -> None:
    assert lay_out("## Findings\nclear\nlungs .\n## Plan\n- home\n\n- rest", STYLES[style]) == expected


def test_age_and_elapsed_time() -> None:
    assert age_on(date(1950, 6, 2), date(2020, 6, 1)) == 69
    assert age_on(date(1950, 6, 2), date(2020, 6, 2)) == 70
    assert elapsed(date(2020, 1, 1), date(2020, 1, 2)) == "one day"
    assert elapsed(date(2020, 1, 1), date(2020, 1, 22)) == "three weeks"
    assert elapsed(date(2020, 1, 1), date(2021, 7, 1)) == "18 months"
    assert elapsed(date(2020, 1, 1), date(2022, 1, 1)) == "two years"
