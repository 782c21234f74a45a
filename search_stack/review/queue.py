"""Whom to look at next, whether the evidence is still what it was, and how far everybody is."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from search_stack.cohorts.rows import NO_NOTE, Ints
from search_stack.cohorts.version import Found
from search_stack.review.decisions import Decision, Standing

Since = Literal["same", "changed", "gone"]
"""What became of a patient's evidence since a decision; "gone": the patient is in the cohort no more."""
_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")
_GOLDEN, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


@dataclass(frozen=True, slots=True)
class Progress:
    """Of one reviewer, among the patients of a version."""

    reviewer: str
    decided: int
    total: int
    include: int
    exclude: int
    doubt: int
    changed: int
    """Of the decided, those whose evidence has changed since."""


def in_order(patients: Ints, cohort: int) -> Ints:
    """The order in which everybody reviews ``patients``: drawn by lot, and the same each time, so that whoever stops
    early has judged a random sample, and two reviewers the same one. Who comes in later changes no other's place.

    Splitmix64 (Steele, Lea and Flood 2014) of cohort and number.
    """
    with np.errstate(over="ignore"):
        z = patients.astype(np.uint64) + np.uint64(cohort) * np.uint64(1 << 32)
        z = (z + np.uint64(1)) * np.uint64(_GOLDEN)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(_FIRST)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(_SECOND)
        z = z ^ (z >> np.uint64(31))
    return patients[np.argsort(z, kind="stable")]


def next_of(order: Sequence[int], waiting: Collection[int], after: int | None = None) -> int | None:
    """The first of ``waiting`` behind ``after`` in ``order``, then from its begin; never ``after`` itself.

    >>> next_of([5, 2, 9], {2, 5}, after=2), next_of([5, 2, 9], {2}, after=2), next_of([5, 2, 9], {2, 9})
    (5, None, 2)
    """
    begin = order.index(after) + 1 if after in order else 0
    turned = [*order[begin:], *order[:begin]]
    return next((one for one in turned if one in waiting and one != after), None)


def evidence_digest(found: Found, patient: int) -> str:
    """SHA-256 of the rows of a patient's evidence and of the versions of their notes; empty for who is not in."""
    if patient not in found.patients:
        return ""
    whole = hashlib.sha256()
    for column in _evidence(found, patient):
        whole.update(column.astype("<i8").tobytes())
    return whole.hexdigest()


def fresh_notes(then: Found, newest: Found, patient: int) -> frozenset[int]:
    """By key, the notes of a patient's newest evidence that were not in it then, or had another text."""
    _, before, versions = (column.tolist() for column in _evidence(then, patient))
    _, after, texts = (column.tolist() for column in _evidence(newest, patient))
    fresh = set(zip(after, texts, strict=True)) - set(zip(before, versions, strict=True))
    return frozenset(note for note, _ in fresh if note != NO_NOTE)


def _evidence(found: Found, patient: int) -> tuple[Ints, Ints, Ints]:
    """(N,) each, of the rows of a patient: day, note, and the note's version, 0 where it is not known."""
    rows, states = found.rows, found.notes
    begin, end = (int(np.searchsorted(rows.patient, patient, side=side)) for side in _SIDES)
    day, note = rows.day[begin:end], rows.note[begin:end]
    version = np.zeros(len(note), dtype=np.int64)
    if len(states):
        place = np.minimum(np.searchsorted(states.key, note), len(states) - 1)
        version = np.where(states.key[place] == note, states.version[place], 0)
    return day, note, version


def since(decision: Decision, newest: Found) -> Since:
    """What became of the evidence that ``decision`` was made by."""
    now = evidence_digest(newest, decision.patient)
    return "gone" if not now else "same" if now == decision.given.evidence else "changed"


def undecided(members: Collection[int], decided: Mapping[int, Decision]) -> set[int]:
    return {one for one in members if one not in decided}


def outdated(newest: Found, decided: Mapping[int, Decision]) -> set[int]:
    """Patients who were decided by other evidence than there is now."""
    return {patient for patient, one in decided.items() if since(one, newest) == "changed"}


def progress(standing: Standing, newest: Found) -> tuple[Progress, ...]:
    """Of every reviewer, by name."""
    out = []
    for reviewer in standing.reviewers:
        own = {p: d for p, d in standing.of(reviewer).items() if p in newest.patients}
        said = [d.verdict for d in own.values()]
        counts = (said.count("include"), said.count("exclude"), said.count("doubt"))
        out.append(Progress(reviewer, len(own), len(newest.patients), *counts, len(outdated(newest, own))))
    return tuple(out)
