"""Sections of notes as people write them: headings on one line, without colons, in tables, dictated.

Written for these tests. `{aspect|heading}` marks what begins a section. Rules were written beside those in `seen`;
those in `unseen` were written before, and measured once the rules were done.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from search_stack.evaluation.measures.precision_recall import PrecisionRecall, of_counts
from search_stack.language.sections import sections

NOTES = Path(__file__).parent / "notes"
MARK = re.compile(r"\{(?P<aspect>[^|{}]+)\|(?P<heading>[^{}]+)\}")


def marked(note: Path) -> tuple[str, set[tuple[int, str]]]:
    """The text without marks; where its headings begin, with their aspects."""
    text, gold, at = "", set(), 0
    raw = note.read_text("utf-8")
    for mark in MARK.finditer(raw):
        text += raw[at : mark.start()]
        gold.add((len(text), mark["aspect"]))
        text += mark["heading"]
        at = mark.end()
    return text + raw[at:], gold


def measured(folder: str) -> PrecisionRecall:
    hits = named = meant = 0
    for note in sorted((NOTES / folder).glob("*.txt")):
        text, gold = marked(note)
        found = {(s.heading_begin, s.aspect) for s in sections(text) if s.heading}
        hits, named, meant = hits + len(found & gold), named + len(found), meant + len(gold)
    return of_counts(hits, named, meant)


@pytest.mark.parametrize("note", sorted((NOTES / "seen").glob("*.txt")), ids=lambda note: note.stem)
def test_every_section_of_the_notes_looked_at(note: Path) -> None:
    text, gold = marked(note)
    assert {(s.heading_begin, s.aspect) for s in sections(text) if s.heading} == gold


def test_the_notes_not_looked_at_stay_as_good_as_they_are() -> None:
    assert measured("unseen").f1 >= 0.95
