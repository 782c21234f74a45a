"""The patients of a version, each with the evidence that made them members."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import url_for

from ingest.ledger.listing import ListedNote, ListedPatient
from search_stack.cohorts.rows import NO_NOTE, Ints, Rows
from search_stack.cohorts.version import NoteStates
from search_stack.index.passage import iso_day
from search_stack.retrieval.evidence import Criterion, ShownFact
from ui.cohort_head import Head
from ui.frame import Frame
from ui.hues import HUES
from ui.note_row import Entry, Matches, entries, note_rows
from ui.paging import Paging
from ui.place import Place
from ui.wording import who

PAGE_SIZE = 20
NOTES = 3
"""Notes of the evidence of a patient that are shown; the patient's own page has all."""
NOWHERE = Place("")


@dataclass(frozen=True, slots=True)
class FactLine:
    day: str
    said: str


@dataclass(frozen=True, slots=True)
class Member:
    no: int
    patient_id: str
    """Empty where the ledger does not know the patient any more."""
    who: str
    """Sex and year of birth, as far as they are known."""
    url: str
    first: str
    last: str
    rows: tuple[Entry, ...]
    more: int
    """Notes of the evidence besides."""
    gone: int
    """Notes of the evidence, among those looked at, that were deleted since."""
    facts: tuple[FactLine, ...]


@dataclass(frozen=True, slots=True)
class MembersPage:
    frame: Frame
    head: Head
    members: tuple[Member, ...]
    asked: tuple[tuple[int, str], ...]
    """Hue and words of each criterion."""
    problem: str
    paging: Paging
    first: int
    """Place of the first of these patients among all."""


def asked(criteria: Sequence[Criterion]) -> tuple[tuple[int, str], ...]:
    return tuple((n % HUES, criterion.said) for n, criterion in enumerate(criteria))


def looked_at(rows: Rows, patients: Ints) -> dict[int, list[int]]:
    """By patient, the first notes of the evidence, in the order of their days, each once."""
    out: dict[int, list[int]] = {no: [] for no in patients.tolist()}
    own = rows.of_patients(patients)
    for no, note in zip(own.patient.tolist(), own.note.tolist(), strict=True):
        if note != NO_NOTE and note not in out[no] and len(out[no]) < NOTES:
            out[no].append(note)
    return out


def changed_since(states: NoteStates, versions: Mapping[int, int]) -> set[int]:
    """Notes whose text is another than the cohort was found by.

    Args:
        versions: of the texts of notes, as the ledger has them now.
    """
    then = dict(zip(states.key.tolist(), states.version.tolist(), strict=True))
    return {key for key, number in versions.items() if key in then and then[key] != number}


def fact_lines(
    shown: Iterable[ShownFact], criteria: Sequence[Criterion], rows: Rows
) -> dict[int, tuple[FactLine, ...]]:
    """By patient, the structured facts that are evidence, in the order of their days."""
    days = {(no, day) for no, day, note in zip(*_columns(rows), strict=True) if note == NO_NOTE}
    out: dict[int, list[FactLine]] = {}
    for one in sorted(shown, key=lambda fact: (fact.patient_no, fact.day)):
        if (one.patient_no, one.day) in days:
            said = ", ".join(criteria[n].said for n in one.held)
            out.setdefault(one.patient_no, []).append(FactLine(iso_day(one.day) or "", said))
    return {no: tuple(lines) for no, lines in out.items()}


def member(
    told: Mapping[str, Any],
    patient: ListedPatient | None,
    keys: Sequence[int],
    notes: Mapping[int, ListedNote],
    changed: set[int],
    matches: Matches,
    facts: tuple[FactLine, ...],
) -> Member:
    """
    Args:
        told: by `ingest.cohorts.plain.members_json`.
        keys: of the notes that are shown.
        notes: those of them that are still there.
    """
    rows = note_rows([notes[key] for key in keys if key in notes], matches, NOWHERE)
    return Member(
        no=told["no"],
        patient_id=told["patient_id"] or "",
        who=who(patient.sex, patient.birth_date) if patient else "",
        url=url_for("patients.patient", no=told["no"]) if told["patient_id"] else "",
        first=told["first_day"] or "",
        last=told["last_day"] or "",
        rows=tuple(entries(replace(row, state="changed since") if row.key in changed else row for row in rows)),
        more=told["notes"] - len(keys),
        gone=sum(key not in notes for key in keys),
        facts=facts,
    )


def _columns(rows: Rows) -> tuple[list[int], list[int], list[int]]:
    return rows.patient.tolist(), rows.day.tolist(), rows.note.tolist()
