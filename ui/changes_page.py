"""What has changed from one version of a cohort to another, or to now, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import url_for

from ingest.cohorts.records import Edition
from search_stack.cohorts.changes import Changes, Moved, Reason
from search_stack.cohorts.rows import Ints, among
from ui.cohort_head import Head
from ui.frame import Frame
from ui.paging import Paging
from ui.wording import counted

PAGE_SIZE = 50
NOW = 0
"""Stands in addresses for what the query finds now."""
BECAUSE: Mapping[Reason, str] = {
    "new note": "a new note",
    "deleted note": "a note that was deleted",
    "changed note": "a note with another text",
    "relabelled note": "a note that was labelled anew, by another lexicon or other rules",
    "structured fact": "a structured fact",
    "merged patient": "ids of one patient that were merged, or parted again",
    "other": "another note of the patient, or what is known of them",
}
ANOTHER_QUERY = "another query"
"""In the place of "other", where the two versions asked for different things."""
MOVED: Mapping[Moved, str] = {"came": "Came", "went": "Went", "rewritten": "Rewritten"}
BECAME = {"new": "New", "gone": "Gone", "changed": "In both, by other evidence"}


@dataclass(frozen=True, slots=True)
class Kind:
    """What became of patients, how many, and because of what."""

    name: str
    count: int
    reasons: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """Of evidence, that came, went or was rewritten."""

    what: str
    day: str
    url: str
    """Of the note, where it is still there."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Of a patient's evidence, what did the same for the same reason."""

    moved: str
    because: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class MovedPatient:
    patient_id: str
    no: int
    url: str
    became: str
    evidence: tuple[Pieces, ...]


@dataclass(frozen=True, slots=True)
class ChangesPage:
    frame: Frame
    head: Head
    editions: tuple[Edition, ...]
    """The newest first."""
    can_run: bool
    """There is a query, so that "now" can be asked for."""
    old: int
    new: int
    """Or `NOW`."""
    told: ToldChanges | None = None
    """None where there is nothing to compare yet."""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ToldChanges:
    sentence: str
    besides: tuple[str, ...]
    """What else is other than it was."""
    kinds: tuple[Kind, ...]
    patients: tuple[MovedPatient, ...]
    paging: Paging


def sentence(old: str, new: str, before: int, after: int) -> str:
    """
    >>> sentence("copd@1", "now", 3, 1)
    'From copd@1 to now: 3 patients, then 1 patient.'
    """
    return f"From {old} to {new}: {counted(before, 'patient')}, then {counted(after, 'patient')}."


def because(why: Reason, another_query: bool) -> str:
    return ANOTHER_QUERY if another_query and why == "other" else BECAUSE[why]


def kinds(found: Changes, another_query: bool) -> tuple[Kind, ...]:
    several = (("new", found.new), ("gone", found.gone), ("changed", found.changed))
    return tuple(
        Kind(
            BECAME[kind],
            len(patients),
            tuple((because(why, another_query), n) for why, n in found.reasons(patients).items()),
        )
        for kind, patients in several
    )


def moved_patients(
    listed: Sequence[Mapping[str, Any]], found: Changes, page: Ints, another_query: bool
) -> tuple[MovedPatient, ...]:
    """
    Args:
        listed: of the patients of ``page``, by `ingest.cohorts.plain.Listing`.
    """
    new, gone = among(page, found.new).tolist(), among(page, found.gone).tolist()
    return tuple(
        MovedPatient(
            one["patient"] or f"patient {one['number']}, not known any more",
            one["number"],
            url_for("patients.patient", no=one["number"]) if one["patient"] else "",
            BECAME["new" if is_new else "gone" if is_gone else "changed"],
            _pieces(one["evidence"], another_query),
        )
        for one, is_new, is_gone in zip(listed, new, gone, strict=True)
    )


def _pieces(rows: Sequence[Mapping[str, Any]], another_query: bool) -> tuple[Pieces, ...]:
    out: dict[tuple[str, str], list[Piece]] = {}
    for row in rows:
        key = MOVED[row["moved"]], because(row["why"], another_query)
        out.setdefault(key, []).append(_piece(row))
    return tuple(Pieces(*key, tuple(pieces)) for key, pieces in out.items())


def _piece(row: Mapping[str, Any]) -> Piece:
    key, note = row["key"], row["note"]
    what = "structured fact" if key is None else f"note {note}" if note else f"note {key}, deleted"
    url = url_for("notes.note", key=key) if key is not None and note else ""
    return Piece(what, row["day"] or "no date", url)
