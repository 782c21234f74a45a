"""Kept cohorts, their versions, what changed and how two differ, as plain data: one shape for the command line and the
API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from ingest.cohorts.records import Cohort, Edition
from ingest.ledger.known import KnownPeople
from search_stack.cohorts.changes import Changes, Moved, Moves, by_patient, circumstances
from search_stack.cohorts.contrast import Contrast
from search_stack.cohorts.rows import NO_NOTE, UNDATED, Ints, among
from search_stack.cohorts.version import Found, Version
from search_stack.index.passage import iso_day


def edition_json(edition: Edition) -> dict[str, Any]:
    return {
        "version": edition.number,
        "patients": edition.patients,
        "notes": edition.notes,
        "undated": edition.undated,
        "made": edition.made.isoformat(),
        "by": edition.by,
        "scheduled": edition.scheduled,
        "unit": edition.unit,
        "origin": edition.origin.json(),
        "digest": edition.digest,
    }


def cohort_json(kept: Cohort) -> dict[str, Any]:
    times = {"due": kept.due, "looked": kept.looked}
    return {
        "name": kept.name,
        "description": kept.description,
        "newest": edition_json(kept.newest),
        "schedule": {
            "every": kept.every,
            **{name: at.isoformat() if at else None for name, at in times.items()},
            "problem": kept.problem,
        },
    }


def version_json(version: Version) -> dict[str, Any]:
    return {
        "name": version.cohort,
        "version": version.number,
        "patients": len(version.patients),
        "notes": version.note_count,
        "attrition": [asdict(s) for s in version.steps],
        "undated": version.undated,
        "unit": version.unit,
        "origin": version.origin.json(),
        "provenance": version.provenance.json(),
        "made": version.made.isoformat(),
        "by": version.by,
        "scheduled": version.scheduled,
        "digest": version.digest,
    }


def contrast_json(first: Version, second: Version, found: Contrast) -> dict[str, Any]:
    return {
        "first": first.name,
        "second": second.name,
        "patients": {"only_first": found.only_first, "both": found.both, "only_second": found.only_second},
        "age": {"first": asdict(found.ages[0]), "second": asdict(found.ages[1]), "standardised": found.age},
        "differences": [asdict(d) for d in found.differences],
    }


def changes_json(
    old: Version, new: Found, found: Changes, people: KnownPeople, patients: Ints | None = None
) -> dict[str, Any]:
    """
    Args:
        found: from ``old`` to ``new``.
        patients: who are listed, sorted, if not all; numbers and reasons are of all.
    """
    listing = Listing(people, found)
    kinds = {"new": found.new, "gone": found.gone, "changed": found.changed}
    listed = {kind: some if patients is None else some[among(some, patients)] for kind, some in kinds.items()}
    return {
        "from": old.name,
        "to": new.name if isinstance(new, Version) else None,
        "generation": new.provenance.generation,
        "patients": {"from": len(old.patients), "to": len(new.patients)},
        "counts": {kind: len(some) for kind, some in kinds.items()},
        "reasons": {kind: found.reasons(some) for kind, some in kinds.items()},
        "other_than_before": list(circumstances(old, new)),
        **{kind: listing.of(some) for kind, some in listed.items()},
    }


class Listing:
    """Patients and notes of changes by their ids, as far as the ledger still knows them."""

    def __init__(self, people: KnownPeople, found: Changes) -> None:
        self._people = people
        self._moved: Mapping[Moved, Moves] = {
            "came": found.came,
            "went": found.went,
            "rewritten": found.rewritten,
        }

    def of(self, patients: Ints) -> list[dict[str, Any]]:
        """Each of ``patients`` with the evidence that came, went or was rewritten."""
        moved = by_patient({how: moves.of_patients(patients) for how, moves in self._moved.items()})
        keys = {note for rows in moved.values() for _, _, note, _ in rows}
        notes = self._people.note_ids(np.array(sorted(keys), dtype=np.int64))
        names = self._people.ids(patients)
        out = []
        for patient in patients.tolist():
            evidence = [
                {
                    "moved": how,
                    "note": notes.get(note),
                    "key": None if note == NO_NOTE else note,
                    "day": iso_day(day),
                    "why": why,
                }
                for how, day, note, why in moved.get(patient, [])
            ]
            out.append({"patient": names.get(patient), "number": patient, "evidence": evidence})
        return out


def members_json(version: Version, people: KnownPeople, after: int, limit: int) -> list[dict[str, Any]]:
    """At most ``limit`` patients of ``version`` in order of number, those greater than ``after``, with the extent of
    their evidence."""
    numbers = version.numbers[np.searchsorted(version.numbers, after, "right") :][:limit]
    names = people.ids(numbers)
    rows = version.rows
    begins, ends = (np.searchsorted(rows.patient, numbers, side) for side in ("left", "right"))
    out = []
    for no, begin, end in zip(numbers.tolist(), begins.tolist(), ends.tolist(), strict=True):
        day, note = rows.day[begin:end], rows.note[begin:end]
        dated = day[day != UNDATED]
        first, last = (iso_day(int(dated.min())), iso_day(int(dated.max()))) if len(dated) else (None, None)
        count = len(np.unique(note[note != NO_NOTE]))
        out.append({"no": no, "patient_id": names.get(no), "first_day": first, "last_day": last, "notes": count})
    return out


def evidence_json(version: Version, after: int, limit: int) -> list[dict[str, Any]]:
    """At most ``limit`` rows of the evidence, in order of patient, day and note, from the row ``after`` on."""
    rows = version.rows
    columns = (column[after : after + limit].tolist() for column in (rows.patient, rows.day, rows.note))
    return [
        {"patient_no": no, "day": iso_day(day), "note_key": None if note == NO_NOTE else note}
        for no, day, note in zip(*columns, strict=True)
    ]
