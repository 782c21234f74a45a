"""Entries of the trail, and the hash that binds each to the one before (the hash chain of Schneier & Kelsey, Secure
Audit Logs to Support Computer Forensics, 1999, without its evolving keys)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

BEGIN = ""
"""What the first entry is bound to."""
HASHES: Mapping[str, Callable[[bytes], hashlib._Hash]] = {"": hashlib.sha256, "sha3-256": hashlib.sha3_256}
"""By an entry's form, in the order in which forms may follow in a trail; each gives 64 hexadecimal digits. The first
was there before entries told theirs."""


class Action(StrEnum):
    SIGN_IN = "sign-in"
    SIGN_OUT = "sign-out"
    PASSWORD = "password"  # noqa: S105  # a change of one
    SEARCH = "search"
    REORDER = "reorder"
    """What a closer reading brought up of a search, beside what its own entry has."""
    COUNT = "count"
    """A cohort counted, its patients not listed."""
    NOTE = "note"
    PATIENT = "patient"
    """A whole record looked at."""
    LIST = "list"
    """Patients or notes listed without text."""
    COHORT = "cohort"
    """A kept cohort looked at."""
    KEEP = "keep"
    """A cohort saved, scheduled or deleted."""
    REVIEW = "review"
    """A patient of a kept cohort looked at, to decide on them."""
    DECIDE = "decide"
    """A decision on a patient, or on a piece of evidence, made or taken back."""
    ADJUDICATE = "adjudicate"
    """What reviewers decided looked at, or settled; what they fill in changed."""
    EXPORT = "export"
    PEOPLE = "people"
    """An account or token made or changed."""
    PURPOSE = "purpose"
    """A purpose stated, opened, ended, or given to somebody."""
    AUDIT = "audit"
    """The trail itself read."""
    OPERATE = "operate"
    """Failed notes given another set of attempts; the trail's key renewed."""
    RESTORE = "restore"
    FORGET = "forget"
    """All that there is of a patient deleted."""


class Outcome(StrEnum):
    DONE = "done"
    REFUSED = "refused"
    """The account may not, or is none."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that somebody did. No text of notes; ``query`` is sealed."""

    person: str
    """An account; in brackets one of the system, which gave a command; empty for a name that no account has."""
    action: Action
    outcome: Outcome = Outcome.DONE
    patients: tuple[str, ...] = ()
    """Whose data were shown, by the ids of the source, in order."""
    notes: tuple[str, ...] = ()
    query: str = ""
    about: Mapping[str, str | int] = field(default_factory=dict)
    """Numbers and names of what it was about: a kept cohort, an export, an account."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry in its place."""

    number: int
    """From 1, without a gap."""
    at: datetime
    entry: Entry
    digest: str
    """Of the entry, bound to all before it."""


@dataclass(frozen=True, slots=True)
class Head:
    """Where a trail ended once: enough to tell whether it still holds all up to there, unchanged."""

    number: int
    digest: str

    def __str__(self) -> str:
        return f"{self.number}:{self.digest}"


START = Head(0, BEGIN)


def bound(previous: str, number: int, at: datetime, columns: Mapping[str, str]) -> str:
    """The digest of an entry, by the hash of its form.

    Args:
        previous: that of the entry before, `BEGIN` for the first.
        at: in UTC.
        columns: of the entry, as they are kept, its form among them; what is empty does not count, so that a new column
            changes no old digest.
    """
    said = {**{name: value for name, value in columns.items() if value}, "at": at.isoformat(), "number": number}
    return HASHES[columns.get("form", "")](json.dumps([previous, said], sort_keys=True).encode()).hexdigest()


def place_of(form: str) -> int:
    """Where ``form`` stands in `HASHES`.

    Raises:
        ValueError: this version knows no such form.
    """
    return list(HASHES).index(form)


def columns_of(entry: Entry) -> dict[str, str]:
    """How ``entry`` is kept, and bound."""
    return {
        "person": entry.person,
        "action": entry.action,
        "outcome": entry.outcome,
        "patients": _json(entry.patients),
        "notes": _json(entry.notes),
        "query": entry.query,
        "about": _json(dict(entry.about)),
    }


def entry_of(columns: Mapping[str, str]) -> Entry:
    """What `columns_of` gave."""
    return Entry(
        columns["person"],
        Action(columns["action"]),
        Outcome(columns["outcome"]),
        tuple(json.loads(columns["patients"] or "[]")),
        tuple(json.loads(columns["notes"] or "[]")),
        columns["query"],
        json.loads(columns["about"] or "{}"),
    )


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True) if value else ""
