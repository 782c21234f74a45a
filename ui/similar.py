"""Passages like one that was seen. The address holds its numbers; nobody types anything."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from search_stack.core.schema import passage_id
from ui.errors import error_page
from ui.frame import frame
from ui.notes import standing
from ui.origin import origin
from ui.seen import saw_note
from ui.services import services
from ui.similar_page import LOOKED_AT, similar_page

blueprint = Blueprint("similar", __name__)


@blueprint.get("/notes/<int:key>/passages/<int:ordinal>/similar")
def similar(key: int, ordinal: int) -> str | Response:
    _, place = origin()
    found = services().searcher.similar(passage_id(key, ordinal), LOOKED_AT) if standing(key) else None
    if found is None:
        return error_page(404)
    hits = [found.passage, *(near.hit for near in (*found.of_patient, *found.of_others))]
    numbers = services().ledger.people.numbers({hit.patient_id for hit in hits})
    page = similar_page(frame(), found, place, numbers)
    for hit in page.hits:
        saw_note(hit.note_id, hit.patient_id)
    return render_template("similar.html", page=page)
