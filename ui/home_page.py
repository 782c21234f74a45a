"""The page before the first search: it teaches what can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from search_stack.query.asked import NAMES
from ui.frame import Frame

EXAMPLES = (
    ("pneumothorax", "a note says that it is there, in whatever words; denied ones do not count"),
    ("no pneumothorax", "a note rules it out"),
    ("pleural effusion without pneumothorax", "one finding, not the other"),
    ("treatment of heart failure", "what a passage is about, and which side of it"),
    ('"shortness of breath" type:"discharge summary"', "a phrase, in one type of note"),
    ("trouble breathing", "everyday words: dyspnea and SOB are found too"),
)
DEMO_EXAMPLES = (
    ("women over 60 with pneumothorax within 30 days after pacemaker", "who, what, and in which time"),
    ("heart failure fact:icd10:I48", "a finding in the notes, and a diagnosis code"),
)
"""They need sexes, ages and structured facts, which the synthetic patients have."""
SYNTAX = (
    ("pleural effusion", "a finding that is present; words that are no finding must all be there"),
    ("no fever", "absent; also possible fever, fever historical, fever family"),
    ("cough -fever", "cough, and fever not present; NOT and without do the same"),
    ("embolism OR thrombosis", "one or the other"),
    ('"chest pain"', "the words side by side"),
    ("pneumothorax within 30 days after pacemaker", "in time, within a patient; also before, on the same day"),
    ("first stroke since 2019", "each patient's first; also last, at least twice, before age 50"),
    ("women over 60 with atrial fibrillation", "sex and age at the note, where the source tells them"),
)


@dataclass(frozen=True, slots=True)
class HomePage:
    """``indexed`` notes can be found, ``waiting`` ones not yet, ``failed`` ones not at all."""

    frame: Frame
    indexed: int
    waiting: int
    failed: int
    outdated: int
    """Passages that carry labels of another version or lexicon."""
    recent: tuple[str, ...] = ()
    """What the reader asked last, where people sign in."""
    first: bool = False
    """Whether the reader has asked nothing yet."""
    syntax: tuple[tuple[str, str], ...] = SYNTAX
    fields: tuple[tuple[str, str], ...] = tuple(NAMES.values())

    @classmethod
    def of(
        cls, frame: Frame, counts: Mapping[str, int], outdated: int, recent: tuple[str, ...], first: bool = False
    ) -> HomePage:
        indexed, waiting, failed = (counts.get(state, 0) for state in ("indexed", "pending", "failed"))
        return cls(frame, indexed, waiting, failed, outdated, recent, first)

    @property
    def examples(self) -> tuple[tuple[str, str], ...]:
        return EXAMPLES + DEMO_EXAMPLES if self.frame.demo else EXAMPLES

    @property
    def question(self) -> str:
        """What the first steps are shown by."""
        return DEMO_EXAMPLES[0][0] if self.frame.demo else EXAMPLES[2][0]

    @property
    def empty(self) -> bool:
        return not self.indexed
