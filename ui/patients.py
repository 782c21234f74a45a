"""A patient's record as one page."""

from __future__ import annotations

import numpy as np
from flask import Blueprint, Response, render_template, request

from search_stack.core.errors import AspectraError
from ui.browser import line_of
from ui.errors import error_page
from ui.frame import asked, frame
from ui.patient_page import HUES, Asked, Matches, PatientPage, axis, course_row, note_row
from ui.place import Place
from ui.seen import saw_patients
from ui.services import services
from ui.wording import is_newest_first

blueprint = Blueprint("patients", __name__)
MOST_NOTES, MOST_FACTS = 5_000, 2_000


@blueprint.get("/patients/<int:no>")
def patient(no: int) -> str | Response:
    token = request.args.get("from", "")
    line = line_of(token) or ""
    place = Place.read(token if line else "", request.args.get("scope"), request.args.get("page"))
    asked(line, place.scope)
    listing = services().ledger.listing
    found = listing.patient(no)
    if found is None:
        return error_page(404)
    saw_patients([found.patient_id])
    notes = sorted(listing.notes(0, MOST_NOTES, patient_no=no), key=lambda n: (n.date is None, n.date, n.key))
    facts = listing.facts(no, MOST_FACTS)
    notice, matches, courses = "", Matches(), []
    try:
        courses = services().searcher.courses(no)
        matches = _matches(line, [note.key for note in notes])
    except AspectraError as e:
        notice = f"What the notes say cannot be told now: {e.message}"

    rows = tuple(note_row(note, matches, place) for note in notes)
    wanted = frozenset(concept for criterion in matches.criteria for concept in criterion.concepts)
    lexicon = services().searcher.lexicon()
    told = sorted((course_row(course, lexicon, wanted) for course in courses), key=lambda row: not row.asked)
    page = PatientPage(
        frame=frame(),
        patient=found,
        back=place.results(),
        notice=notice,
        asked=_asked(matches),
        axis=axis(rows, facts),
        rows=rows,
        courses=tuple(told),
        facts=tuple(facts),
    )
    return render_template("patient.html", page=page)


def _matches(line: str, notes: list[int]) -> Matches:
    """What shows the search in these notes.

    Raises:
        AspectraError: the engine is away, or the line cannot be read any more.
    """
    searcher = services().searcher
    query = searcher.understand(line).query if line else None
    if query is None or is_newest_first(query):
        return Matches()
    sought = searcher.sought(query)
    return Matches.of(sought.criteria, searcher.evidence(sought, np.array(sorted(notes), dtype=np.int64)))


def _asked(matches: Matches) -> tuple[Asked, ...]:
    def notes_of(number: int) -> int:
        return sum(any(number in one.held for one in shown) for shown in matches.shown.values())

    hued = enumerate(matches.criteria)
    return tuple(Asked(criterion.said, n % HUES, notes_of(n)) for n, criterion in hued)
