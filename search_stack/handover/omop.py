"""A cohort as rows of the OMOP Common Data Model 5.4: COHORT, COHORT_DEFINITION and NOTE_NLP."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from search_stack.cohorts.version import Asked
from search_stack.handover.cover import Cover, Told
from search_stack.handover.files import private_file
from search_stack.handover.row import MEANINGS, Row
from search_stack.handover.tables import CsvLines

Rows = Callable[[], Iterable[Row]]
GREATEST = 2**31 - 1
"""The greatest integer of the model's columns."""
SNIPPET, VARIANT, NAME, MODIFIERS = 250, 250, 255, 2000
"""Characters that the model's columns hold."""
UNKNOWN_CONCEPT = 0
"""OMOP's "no matching concept": the lexicon's concepts have no numbers of the standard vocabularies."""

COHORT = {
    "cohort_definition_id": "The definition in COHORT_DEFINITION.csv.",
    "subject_id": "The patient: PERSON.person_id where the source's ids are whole numbers; see subjects.csv.",
    "cohort_start_date": "Day of the patient's first evidence.",
    "cohort_end_date": "Day of the patient's last evidence.",
}
DEFINITION = {
    "cohort_definition_id": "Number of the definition.",
    "cohort_definition_name": "Name and version.",
    "cohort_definition_description": "What the cohort is for.",
    "definition_type_concept_id": "0: no concept stands for a query of Aspectra.",
    "cohort_definition_syntax": "The query as a tree in JSON.",
    "subject_concept_id": "0: subjects are persons.",
    "cohort_initiation_date": "Day on which the cohort was found.",
}
MODIFIED = (
    *("assertion", "status", "progress", "result", "experiencer", "sites"),
    *("trigger", "concept", "section", "criterion"),
)
"""Columns of a row that the model has no column for, those that are wanted most first."""
NLP = {
    "note_nlp_id": "Counts the rows from 1.",
    "note_id": "NOTE.note_id where the source's note ids are whole numbers; see notes.csv.",
    "section_concept_id": "0: the section has no concept; its heading is among term_modifiers.",
    "snippet": "Words around the term, 250 characters at most.",
    "offset": "First character of the term in the note.",
    "lexical_variant": "The words of the note, or the concept's name where words were left out.",
    "note_nlp_concept_id": "0: the lexicon's concept is among term_modifiers.",
    "note_nlp_source_concept_id": "0, likewise.",
    "nlp_system": "Program and version of the labels.",
    "nlp_date": "Day on which the cohort was found.",
    "nlp_datetime": "The moment, in UTC.",
    "term_exists": "Y where the patient has or had it, N where it is denied, a condition or somebody else's; empty for "
    "words that are no finding.",
    "term_temporal": "past or present; empty for words that are no finding, and for what is hypothetical.",
    "term_modifiers": f"key=value, with commas: {', '.join(MODIFIED)}. In values, the characters %, comma, = and line "
    "ends are written as % and two hexadecimal digits.",
}
SUBJECT = {"subject_id": "As in COHORT.csv.", "patient_id": "As the source calls the patient."}
SUBJECTS = {**SUBJECT, "verdict": MEANINGS["verdict"]}
UNDATED = {**SUBJECT, "reason": "Why the patient has no row in COHORT.csv."}
NOTES = {
    "note_id": "As in NOTE_NLP.csv; empty where the source's id is gone with the note.",
    "source_note_id": "As the source calls the note.",
    "subject_id": "As in COHORT.csv.",
    "state": "Of the note since the cohort was found: as found, changed or deleted.",
}


TABLES: Mapping[str, Mapping[str, str]] = {
    "COHORT": COHORT,
    "COHORT_DEFINITION": DEFINITION,
    "NOTE_NLP": NLP,
    "subjects": SUBJECTS,
    "undated": UNDATED,
    "notes": NOTES,
}
"""By file, what each column means."""


def write_omop(folder: Path, rows: Rows, cover: Cover) -> Told:
    """The files of ``folder``, which is there.

    Args:
        rows: gives the evidence from its begin, as often as it is called.
    """
    own = _Numbers.of(rows())
    told = Told()
    makers: Mapping[str, Callable[[], Iterator[tuple[Any, ...]]]] = {
        "COHORT": lambda: _cohort(rows(), own, cover),
        "COHORT_DEFINITION": lambda: iter([_definition(cover)]),
        "NOTE_NLP": lambda: _nlp(rows(), own, cover),
        "subjects": lambda: ((own.subject(p), p.patient_id, p.verdict) for p, *_ in _patients(rows())),
        "undated": lambda: _undated(rows(), own),
        "notes": lambda: _notes(rows(), own),
    }
    for name, columns in TABLES.items():
        with private_file(folder / f"{name}.csv") as file:
            lines = CsvLines(file, tuple(columns))
            for cells in makers[name]():
                lines.write(cells)
        told.rows[f"{name}.csv"] = lines.rows
        told.columns[f"{name}.csv"] = columns
    told.remarks = [*own.remarks(), "Cells are as they are, for databases: a spreadsheet may take one for a formula."]
    if undated := told.rows["undated.csv"]:
        told.remarks.append(f"{undated} patients have no evidence with a date: they are in undated.csv, not in COHORT.")
    return told


class _Numbers:
    """The model's whole numbers for patients and notes: the source's own where all of them are some, else the ledger's;
    never both, for one could be the other's."""

    def __init__(self, own_patients: bool, own_notes: bool) -> None:
        self._own_patients = own_patients
        self._own_notes = own_notes

    @classmethod
    def of(cls, rows: Iterable[Row]) -> _Numbers:
        patients = notes = True
        for row in rows:
            patients = patients and _is_number(row.patient_id)
            # A note that was deleted has no id any more, and no words.
            notes = notes and (not row.note_id or _is_number(row.note_id))
        return cls(patients, notes)

    def subject(self, row: Row) -> int:
        return int(row.patient_id) if self._own_patients else row.patient_no

    def note(self, row: Row) -> int | None:
        if not self._own_notes:
            return row.note_key
        return int(row.note_id) if row.note_id else None

    def remarks(self) -> list[str]:
        return [
            "subject_id is the source's patient id."
            if self._own_patients
            else "Not every patient id is a whole number, so subject_id is the ledger's number: subjects.csv maps it.",
            "note_id is the source's note id."
            if self._own_notes
            else "Not every note id is a whole number, so note_id is the ledger's number: notes.csv maps it.",
        ]


def _is_number(text: str) -> bool:
    """Whether it is a whole number that is written as databases write it."""
    return re.fullmatch(r"0|[1-9]\d{0,9}", text, re.ASCII) is not None and int(text) <= GREATEST


def _patients(rows: Iterable[Row]) -> Iterator[tuple[Row, str, str]]:
    """The first row of each patient, first and last day; empty where none has a date."""
    for _, own in groupby(rows, lambda r: r.patient_no):
        first, begin, end = None, "", ""
        for row in own:
            first = first or row
            if row.date:
                begin, end = min(begin or row.date, row.date), max(end, row.date)
        if first:
            yield first, begin, end


def _cohort(rows: Iterable[Row], own: _Numbers, cover: Cover) -> Iterator[tuple[Any, ...]]:
    return ((cover.definition, own.subject(p), begin, end) for p, begin, end in _patients(rows) if begin)


def _undated(rows: Iterable[Row], own: _Numbers) -> Iterator[tuple[Any, ...]]:
    for row, begin, _ in _patients(rows):
        if not begin:
            reason = "no evidence" if row.kind == "patient" else "no evidence with a date"
            yield own.subject(row), row.patient_id, reason


def _notes(rows: Iterable[Row], own: _Numbers) -> Iterator[tuple[Any, ...]]:
    for key, of_note in groupby(rows, lambda r: r.note_key):
        if key is not None:
            row = next(of_note)
            yield own.note(row), row.note_id, own.subject(row), row.state


def _definition(cover: Cover) -> tuple[Any, ...]:
    found = cover.found
    syntax = json.dumps(found.origin.json()["query"] if isinstance(found.origin, Asked) else found.origin.json())
    day = found.provenance.seen.date().isoformat()
    described = cover.description or cover.name
    return cover.definition, cover.name[:NAME], described, UNKNOWN_CONCEPT, syntax, UNKNOWN_CONCEPT, day


def _nlp(rows: Iterable[Row], own: _Numbers, cover: Cover) -> Iterator[tuple[Any, ...]]:
    seen = cover.found.provenance.seen
    system = f"Aspectra {cover.program}"
    if cover.found.provenance.labels:
        system += f" (labels {' '.join(cover.found.provenance.labels)})"
    moment = seen.strftime("%Y-%m-%d %H:%M:%S")
    shown = (row for row in rows if row.kind in ("finding", "passage"))
    for number, row in enumerate(shown, 1):
        yield (
            number,
            own.note(row),
            UNKNOWN_CONCEPT,
            snippet(row),
            str(row.begin),
            (row.words or row.name or row.criterion)[:VARIANT],
            UNKNOWN_CONCEPT,
            UNKNOWN_CONCEPT,
            system[:VARIANT],
            seen.date().isoformat(),
            moment,
            exists(row),
            temporal(row),
            modifiers(row),
        )


def exists(row: Row) -> str:
    """OMOP's term_exists: whether the patient has or had it."""
    if row.kind != "finding":
        return ""
    others = row.experiencer != "patient" or row.status == "hypothetical"
    return "N" if others or row.assertion in ("absent", "hypothetical", "family") else "Y"


def temporal(row: Row) -> str:
    """OMOP's term_temporal."""
    return {"historical": "past", "recent": "present"}.get(row.status, "") if row.kind == "finding" else ""


def modifiers(row: Row) -> str:
    """``assertion=absent,status=recent``: what is known of them, those that no longer fit left out."""
    known = [f"{name}={_value(str(getattr(row, name)))}" for name in MODIFIED if getattr(row, name)]
    while len(",".join(known)) > MODIFIERS:
        known.pop()
    return ",".join(known)


def _value(text: str) -> str:
    return re.sub(r"[%,=\r\n]", lambda found: f"%{ord(found[0]):02X}", text)


def snippet(row: Row) -> str:
    """As much of the passage as fits, the words in its middle."""
    if row.begin is None or row.end is None or row.passage_begin is None or not row.passage:
        return ""
    begin, end = row.begin - row.passage_begin, row.end - row.passage_begin
    room = max(0, SNIPPET - (end - begin))
    start = max(0, min(begin - room // 2, len(row.passage) - SNIPPET))
    return row.passage[start : start + SNIPPET]
