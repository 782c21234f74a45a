"""A whole note, with the passage that was found marked in it."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request

from ui.browser import line_of
from ui.errors import error_page
from ui.frame import asked, frame
from ui.note_page import note_page
from ui.place import Place
from ui.seen import saw_note
from ui.services import services

blueprint = Blueprint("notes", __name__)


@blueprint.get("/notes/<int:key>")
def note(key: int) -> str | Response:
    token = request.args.get("from", "")
    line = line_of(token) or ""
    place = Place.read(token if line else "", request.args.get("scope"), request.args.get("page"))
    asked(line, place.scope)
    stored = services().ledger.note(key) if key < 2**63 else None
    if stored is None or stored.state == "deleting":
        return error_page(404)
    saw_note(stored.note.note_id, stored.note.patient_id)
    query = services().searcher.understand(line).query if line else None
    page = note_page(frame(), stored, services().searcher, query, request.args.get("passage", ""), place)
    return render_template("note.html", page=page)
