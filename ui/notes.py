"""A whole note, with the passage that was found marked in it."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request

from ingest.ledger import StoredNote
from ingest.ledger.tables import DELETING
from ui.beside_page import beside_page
from ui.errors import error_page
from ui.frame import frame
from ui.note_page import Reading, note_page, read
from ui.origin import origin
from ui.place import Place
from ui.record import notes_of
from ui.seen import about, saw_note
from ui.services import services

blueprint = Blueprint("notes", __name__)


@blueprint.get("/notes/<int:key>")
def note(key: int) -> str | Response:
    found = _read(key)
    if found is None:
        return error_page(404)
    own, passage_id, place = found
    return render_template("note.html", page=note_page(frame(), own, passage_id, place))


@blueprint.get("/notes/<int:key>/beside")
def beside(key: int) -> str | Response:
    """The note for the page of results, which has its script put it beside the hit: a look at the note, and kept as
    one."""
    found = _read(key)
    if found is None:
        return error_page(404)
    own, passage_id, place = found
    about(beside=1)
    patient = services().ledger.listing.patient(own.stored.patient_no)
    return render_template("note_beside.html", page=beside_page(own, passage_id, place, patient))


def _read(key: int) -> tuple[Reading, str, Place] | None:
    """The note with what the search of the address finds in it, that passage, and where the reader came from; None
    where there is no such note."""
    line, place = origin()
    stored = standing(key)
    if stored is None:
        return None
    saw_note(stored.note.note_id, stored.note.patient_id)
    asked = services().searcher.understand(line) if line else None
    record = notes_of(stored.patient_no) if asked and asked.query is not None else []
    passage_id = request.args.get("passage", "")
    return read(stored, services().searcher, asked, passage_id, record), passage_id, place


def standing(key: int) -> StoredNote | None:
    """The note, while it may be shown."""
    stored = services().ledger.note(key) if key < 2**63 else None
    return None if stored is None or stored.state == DELETING else stored
