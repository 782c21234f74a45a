"""Patients and notes, by number and key: ids of the source stand in bodies only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from pydantic import Field
from werkzeug.exceptions import NotFound

from ingest.ledger.listing import ListedNote, ListedPatient
from ingest.ledger.tables import DELETING, INDEXED
from search_stack.language.sections import sections
from ui.api import answers
from ui.api.blueprints import part
from ui.api.shapes import MOST, Body, From, Keyed, Numbered, SourceText, shown_by
from ui.seen import saw_note, saw_patients
from ui.services import services

blueprint = part("records", "Patients and notes as the ledger has them.", 404)


class NotesFrom(From):
    collection: SourceText | None = Field(None, max_length=255)


class PatientIds(Body):
    model_config = shown_by(patient_ids=["P-00317", "P-00981"])
    patient_ids: list[SourceText] = Field(min_length=1, max_length=MOST)


@blueprint.get("/patients", responses={200: answers.PatientPage})
def patients(query: From) -> dict[str, Any]:
    """All patients, in order of number."""
    found = services().ledger.listing.patients(query.after, query.limit)
    return _page(found, query.limit)


@blueprint.post("/patients/find", responses={200: answers.PatientPage})
def find(body: PatientIds) -> dict[str, Any]:
    """Patients by the ids of the source; those that are not known are left out."""
    found = services().ledger.listing.patients_called(body.patient_ids)
    return _page(found, MOST + 1)


@blueprint.get("/patients/<int:no>", responses={200: answers.Patient})
def patient(path: Numbered) -> dict[str, Any]:
    """What is known of a patient."""
    found = services().ledger.listing.patient(path.no)
    if found is None:
        raise NotFound
    saw_patients([found.patient_id])
    return _plain(found)


@blueprint.get("/patients/<int:no>/notes", responses={200: answers.NotePage})
def notes_of(path: Numbered, query: From) -> dict[str, Any]:
    """A patient's notes without their text, in order of key."""
    listing = services().ledger.listing
    found = listing.patient(path.no)
    if found is None:
        raise NotFound
    return _page(listing.notes(query.after, query.limit, patient_no=found.no), query.limit)


@blueprint.get("/notes", responses={200: answers.NotePage})
def notes(query: NotesFrom) -> dict[str, Any]:
    """All notes without their text, in order of key."""
    return _page(services().ledger.listing.notes(query.after, query.limit, collection=query.collection), query.limit)


@blueprint.get("/notes/<int:key>", responses={200: answers.WholeNote})
def note(path: Keyed) -> dict[str, Any]:
    """A note with its sections, and the findings that searches count; of a note that waits to be indexed, none yet."""
    stored = services().ledger.note(path.key)
    if stored is None or stored.state == DELETING:
        raise NotFound
    saw_note(stored.note.note_id, stored.note.patient_id)
    listed = services().ledger.listing.notes(path.key - 1, 1)[0]
    findings = services().searcher.note_findings(path.key) if stored.state == INDEXED else ()
    said = {"sections": map(asdict, sections(stored.note.text)), "findings": map(asdict, findings)}
    return {**_plain(listed), "text": stored.note.text, **{name: list(found) for name, found in said.items()}}


def _page(found: Sequence[ListedPatient | ListedNote], limit: int) -> dict[str, Any]:
    """A page, and where the next begins: after its last, where it is full."""
    saw_patients(one.patient_id for one in found)
    last = found[-1] if len(found) == limit else None
    after = None if last is None else last.no if isinstance(last, ListedPatient) else last.key
    return {"items": [_plain(one) for one in found], "next": after}


def _plain(one: ListedPatient | ListedNote) -> dict[str, Any]:
    return {name: value.isoformat() if hasattr(value, "isoformat") else value for name, value in asdict(one).items()}
