"""The page of a patient: the whole record on one axis of time, and what its notes say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from ingest.ledger.listing import ListedFact, ListedNote, ListedPatient
from search_stack.index.passage import iso_day
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.retrieval.record import Course
from ui.frame import Frame
from ui.highlight import SIGNS
from ui.hues import HUES
from ui.legend import LEGEND
from ui.note_row import Entry, Matches, NoteRow, entries
from ui.time_axis import Axis

LISTED = 60
"""Notes up to which all stand in one list; of more, those that the search shows come first, the others by year. So many
are read at a time."""
FIRST_COURSES = 60
"""Findings that the table shows besides those of the search, until all are asked for: a long record has thousands."""


FIRST_STRETCHES, LAST_STRETCHES = 1, 6
"""Of each finding, until all are asked for: what is said of it may change with every note."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A criterion of the search, in its colour, with the notes that show it."""

    said: str
    hue: int
    notes: int


@dataclass(frozen=True, slots=True)
class CourseRow:
    name: str
    notes: int
    undated: int
    stretches: tuple[tuple[str, str, str, int], ...]
    """Assertion, its sign, when, on how many days."""
    asked: bool
    left_out: int = 0
    """How many there are between the first and the second of ``stretches``."""


@dataclass(frozen=True, slots=True)
class PatientPage:
    frame: Frame
    patient: ListedPatient
    back: str
    notice: str
    asked: tuple[Asked, ...]
    axis: Axis | None
    """None where no note has a date."""
    rows: tuple[NoteRow, ...]
    courses: tuple[CourseRow, ...]
    """Those of the search first, then what was said last; of many the first ones."""
    findings: int
    """How many there are in all."""
    facts: tuple[ListedFact, ...]
    every: str = ""
    """Address of the page with all findings and all that is said of them; empty where this one has it."""
    last: int = LAST_STRETCHES
    legend: tuple[tuple[str, str, str], ...] = LEGEND

    @property
    def cut(self) -> bool:
        """Whether of some finding not all is shown that is said of it."""
        return any(row.left_out for row in self.courses)

    @property
    def matching(self) -> int:
        return sum(bool(row.hues) for row in self.rows)

    @property
    def passages(self) -> int:
        return sum(row.passages for row in self.rows)

    @property
    def warm(self) -> bool:
        """Whether of any note it is told how near its passages are to the search."""
        return any(len(row.heat.cells) > 1 for row in self.rows)

    @property
    def first(self) -> tuple[Entry, ...]:
        """Notes that stand open."""
        return tuple(entries(row for row in self.rows if row.hues or len(self.rows) <= LISTED))

    @property
    def by_year(self) -> tuple[tuple[str, tuple[Entry, ...]], ...]:
        """The others, folded; those without a date last."""
        rest = [row for row in self.rows if not row.hues] if len(self.rows) > LISTED else []
        return tuple((year, tuple(entries(own))) for year, own in groupby(rest, key=lambda row: row.day[:4]))


def parts(notes: Sequence[ListedNote], matches: Matches) -> list[list[int]]:
    """Keys of the notes that the search shows, in the order of ``notes``, as many at a time as are read together."""
    lit = [note.key for note in notes if note.key in matches.spots]
    return [lit[at : at + LISTED] for at in range(0, len(lit), LISTED)]


def asked_by(matches: Matches) -> tuple[Asked, ...]:
    hued = enumerate(matches.criteria)
    return tuple(Asked(criterion.said, n % HUES, matches.notes_of(n)) for n, criterion in hued)


def course_row(course: Course, lexicon: Lexicon | None, asked: frozenset[str], whole: bool = True) -> CourseRow:
    """``whole``: with all that was said; else how it began and what was said last."""
    concept = lexicon.concepts.get(course.concept) if lexicon else None
    stretches, left_out = course.stretches, 0
    # One that is left out takes as much room as the words that say so.
    if not whole and len(stretches) > FIRST_STRETCHES + LAST_STRETCHES + 1:
        left_out = len(stretches) - FIRST_STRETCHES - LAST_STRETCHES
        stretches = (*stretches[:FIRST_STRETCHES], *stretches[-LAST_STRETCHES:])
    return CourseRow(
        concept.name if concept else course.concept,
        course.notes,
        course.undated,
        tuple((s.assertion, SIGNS[s.assertion], _when(s.first, s.last), s.days) for s in stretches),
        course.concept in asked,
        left_out,
    )


def _when(first: int, last: int) -> str:
    days = [iso_day(day) or "" for day in (first, last)]
    return days[0] if first == last else f"{days[0]} – {days[1]}"
