"""What is kept of cohorts, row by row: what a version holds as columns with their digest, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pyroaring import BitMap
from sqlalchemy import Row

from search_stack.cohorts.packed import packed, unpacked
from search_stack.cohorts.rows import Rows
from search_stack.cohorts.version import Found, Left, NoteStates, Origin, Provenance, Version, origin_of
from search_stack.core.errors import AspectraError, KeyReused

_HELD = ("unit", "origin", "provenance", "steps", "undated", "patients", "evidence", "notes", "past")
"""Columns that the digest is over."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A version without what it holds."""

    cohort: str
    number: int
    made: datetime
    by: str
    scheduled: bool
    unit: str
    origin: Origin
    patients: int
    notes: int
    undated: int
    digest: str

    @property
    def name(self) -> str:
        return f"{self.cohort}@{self.number}"


@dataclass(frozen=True, slots=True)
class Cohort:
    """A kept cohort. Times of its schedule are None where it has none."""

    id: int
    name: str
    description: str
    made: datetime
    newest: Edition
    every: int | None
    """Seconds from one run to the next."""
    due: datetime | None
    looked: datetime | None
    """When a scheduled run last came to its end."""
    problem: str
    """What was wrong with it then."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request to save that may come again, because its answer was lost."""

    key: str
    """Chosen by whoever asks; it names this request and no other."""
    digest: str
    """SHA-256 of what was sent."""

    def need_same(self, digest: str) -> None:
        """
        Raises:
            KeyReused: what came before with its key was other than this.
        """
        if digest != self.digest:
            raise KeyReused(
                "This Idempotency-Key came before, with another request.", "Take a new key for each request."
            )


def held_of(found: Found) -> dict[str, Any]:
    """The columns that hold ``found``, with the digest over them."""
    rows = (found.rows.patient, found.rows.day, found.rows.note)
    out: dict[str, Any] = {
        "unit": found.unit,
        "origin": json.dumps(found.origin.json()),
        "provenance": json.dumps(found.provenance.json()),
        "steps": json.dumps([[s.step, s.patients, s.notes] for s in found.steps]),
        "undated": found.undated,
        "patients": found.patients.serialize(),
        "evidence": packed(rows),
        "notes": packed(found.notes.columns),
        "past": packed(found.past.columns),
    }
    return {
        **out,
        "digest": _digest(out),
        "patient_count": len(found.patients),
        "note_count": found.note_count,
    }


def _digest(held: Mapping[str, Any]) -> str:
    whole = hashlib.sha256()
    for name in _HELD:
        value = held[name]
        whole.update(hashlib.sha256(value if isinstance(value, bytes) else str(value).encode()).digest())
    return whole.hexdigest()


def version_of(row: Row[Any], cohort: str) -> Version:
    """
    Raises:
        AspectraError: it is not what was saved.
    """
    held = {name: row._mapping[name] for name in _HELD}
    if _digest(held) != row.digest:
        raise AspectraError(
            f"{cohort}@{row.number} is not as it was saved.",
            "Restore the last backup (docs/operations.md), or save the cohort anew.",
        )
    return Version(
        unit=row.unit,
        origin=origin_of(json.loads(row.origin)),
        patients=BitMap.deserialize(row.patients),
        provenance=Provenance.of(json.loads(row.provenance)),
        rows=Rows(*unpacked(row.evidence)),
        notes=NoteStates(*unpacked(row.notes)),
        past=NoteStates(*unpacked(row.past)),
        steps=tuple(Left(*one) for one in json.loads(row.steps)),
        undated=row.undated,
        cohort=cohort,
        cohort_id=row.cohort,
        number=row.number,
        id=row.id,
        made=row.made,
        by=row.made_by,
        scheduled=row.scheduled,
        digest=row.digest,
    )


def cohort_of(row: Row[Any], newest: Edition) -> Cohort:
    schedule = (row.every, row.due, row.looked, row.problem)
    return Cohort(row.id, row.name, row.description, row.made, newest, *schedule)


def edition_of(row: Row[*tuple[Any, ...]]) -> Edition:
    return Edition(
        row.name,
        row.number,
        row.made,
        row.made_by,
        row.scheduled,
        row.unit,
        origin_of(json.loads(row.origin)),
        row.patient_count,
        row.note_count,
        row.undated,
        row.digest,
    )
