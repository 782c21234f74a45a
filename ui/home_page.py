"""The page before the first search: it teaches what can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from search_stack.criteria import FIELDS
from ui.frame import Frame

EXAMPLES = (
    ("pneumothorax", "present in the note, in whatever words; never where it is denied"),
    ("no pneumothorax", "where it is ruled out"),
    ("pleural effusion without pneumothorax", "one finding, not the other"),
    ("entity:asthma aspect:treatment", "what a passage is about, and which side of it"),
    ('"shortness of breath" type:"discharge summary"', "a phrase, in one type of note"),
    ("collapsed lung after device implantation", "meaning: other words for the same are found"),
)
SYNTAX = (
    ("pleural effusion", "a finding that is present; words that are no finding must all be there"),
    ("no fever", "absent; also possible fever, fever historical, fever family"),
    ("cough -fever", "cough, and fever not present; NOT and without do the same"),
    ("embolism OR thrombosis", "one or the other"),
    ('"chest pain"', "the words side by side"),
)
FIELD_NOTES = {
    "finding": "by name, and what is said of it; any for all",
    "entity": "what the passage is about",
    "aspect": "topic of the section",
    "section": "part of the note, by topic or heading",
    "type": "type of note",
    "patient": "one patient",
    "note": "one note",
    "collection": "where the notes came from",
    "after": "from this day on; 2019 or 2019-03 will do",
    "before": "up to the day before",
}


@dataclass(frozen=True, slots=True)
class HomePage:
    """``indexed`` notes can be found, ``waiting`` ones not yet, ``failed`` ones not at all."""

    frame: Frame
    indexed: int
    waiting: int
    failed: int
    outdated: int
    """Passages that carry labels of another version or lexicon."""
    examples: tuple[tuple[str, str], ...] = EXAMPLES
    syntax: tuple[tuple[str, str], ...] = SYNTAX
    fields: tuple[tuple[str, str], ...] = tuple((example, FIELD_NOTES[name]) for name, example in FIELDS.items())

    @classmethod
    def of(cls, frame: Frame, counts: Mapping[str, int], outdated: int) -> HomePage:
        return cls(frame, counts.get("indexed", 0), counts.get("pending", 0), counts.get("failed", 0), outdated)

    @property
    def empty(self) -> bool:
        return not self.indexed
