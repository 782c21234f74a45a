"""A whole note, with the passage that was found marked in it."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from search_stack.criteria import Query, parse
from ui.errors import error_page
from ui.frame import asked, frame
from ui.note_page import note_page
from ui.place import Place
from ui.services import services

blueprint = Blueprint("notes", __name__)


@blueprint.get("/notes/<int:key>")
def note(key: int) -> str | tuple[str, int]:
    token = request.args.get("from", "")
    line = services().queries.get(token) or ""
    place = Place.read(token if line else "", request.args.get("scope"), request.args.get("page"))
    asked(line, place.scope)
    stored = services().ledger.note(key) if key < 2**63 else None
    if stored is None or stored.state == "deleting":
        return error_page(404)
    query = parse(line) if line else Query()
    page = note_page(frame(), stored, services().searcher, query, request.args.get("passage", ""), place)
    return render_template("note.html", page=page)
