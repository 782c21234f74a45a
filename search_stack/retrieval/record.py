"""What the notes of one patient say of each concept, in time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from search_stack.cohorts.buckets import buckets, terms
from search_stack.cohorts.clauses import among
from search_stack.index.engine import Engine
from search_stack.index.passage import UNDATED

FIRST = ("present", "possible", "historical", "absent", "hypothetical", "allergy", "family", "unaffected")
"""Of several things said on one day, which stands for it: who has it in one note and not in another, has it."""


@dataclass(frozen=True, slots=True)
class Said:
    """Notes of one day that say one thing of a concept."""

    concept: str
    assertion: str
    day: int
    """In days since 1970-01-01; `UNDATED`."""
    note: int
    """Its key."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A time in which what is said of a concept stays the same."""

    assertion: str
    first: int
    last: int
    days: int
    """On how many days it is said."""


@dataclass(frozen=True, slots=True)
class Course:
    """What is said of a concept over time."""

    concept: str
    notes: int
    undated: int
    """Of them, those without a date: they have no place in ``stretches``."""
    stretches: tuple[Stretch, ...]

    @property
    def last(self) -> int:
        """The last day; `UNDATED` where there is none."""
        return self.stretches[-1].last if self.stretches else UNDATED


def said_of(engine: Engine, patient: int) -> list[Said]:
    """What the notes of the patient with this number say, as the index has them."""
    own = among("patient_no", np.array([patient]))
    out = []
    for bucket in buckets(engine, [own], (terms("own"), terms("day"), terms("note_key"))):
        key: Mapping[str, str | int] = bucket["key"]
        assertion, _, concept = str(key["own"]).partition(" ")
        out.append(Said(concept, assertion, int(key["day"]), int(key["note_key"])))
    return out


def courses(said: Iterable[Said]) -> list[Course]:
    """One for each concept, that which was said last first.

    >>> course, = courses([Said("c", "absent", 1, 7), Said("c", "present", 5, 8), Said("c", "absent", 5, 8)])
    >>> [(s.assertion, s.first, s.last) for s in course.stretches]
    [('absent', 1, 1), ('present', 5, 5)]
    """
    by_concept: dict[str, list[Said]] = {}
    for one in said:
        by_concept.setdefault(one.concept, []).append(one)
    found = [_course(concept, own) for concept, own in by_concept.items()]
    return sorted(found, key=lambda course: (-course.last, -course.notes, course.concept))


def _course(concept: str, said: list[Said]) -> Course:
    by_day: dict[int, list[str]] = {}
    for one in said:
        by_day.setdefault(one.day, []).append(one.assertion)
    undated = len({one.note for one in said if one.day == UNDATED})
    by_day.pop(UNDATED, None)
    stretches: list[Stretch] = []
    for day in sorted(by_day):
        assertion = min(by_day[day], key=FIRST.index)
        last = stretches[-1] if stretches else None
        if last and last.assertion == assertion:
            stretches[-1] = Stretch(assertion, last.first, day, last.days + 1)
        else:
            stretches.append(Stretch(assertion, day, day, 1))
    return Course(concept, len({one.note for one in said}), undated, tuple(stretches))
