"""A whole note, with the passage that was found marked in it."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request

from ingest.ledger import StoredNote
from ingest.ledger.tables import DELETING
from ui.errors import error_page
from ui.frame import frame
from ui.note_page import note_page
from ui.origin import origin
from ui.record import notes_of
from ui.seen import saw_note
from ui.services import services

blueprint = Blueprint("notes", __name__)


@blueprint.get("/notes/<int:key>")
def note(key: int) -> str | Response:
    line, place = origin()
    stored = standing(key)
    if stored is None:
        return error_page(404)
    saw_note(stored.note.note_id, stored.note.patient_id)
    query = services().searcher.understand(line).query if line else None
    record = notes_of(stored.patient_no) if query is not None else []
    page = note_page(frame(), stored, services().searcher, query, request.args.get("passage", ""), place, record)
    return render_template("note.html", page=page)


def standing(key: int) -> StoredNote | None:
    """The note, while it may be shown."""
    stored = services().ledger.note(key) if key < 2**63 else None
    return None if stored is None or stored.state == DELETING else stored
