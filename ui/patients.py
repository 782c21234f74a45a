"""A patient's record as one page, and more of its passages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from flask import Blueprint, Response, render_template, request

from ingest.ledger.listing import ListedNote, ListedPatient
from search_stack.cohorts.rows import Ints
from search_stack.core.errors import AspectraError
from search_stack.query.understand import Understood
from search_stack.retrieval.nearness import PassageNear
from search_stack.retrieval.record import Course
from ui.errors import error_page
from ui.frame import frame
from ui.note_row import Matches, entries, note_rows
from ui.origin import origin
from ui.patient_page import FIRST_COURSES, LISTED, PatientPage, asked_by, course_row, parts
from ui.record import notes_of, outlines
from ui.seen import saw_note, saw_patients
from ui.services import services
from ui.time_axis import axis
from ui.wording import is_newest_first

blueprint = Blueprint("patients", __name__)
MOST_FACTS = 2_000
EVERY = "all"
"""What an address says where the table is to have all findings."""


@blueprint.get("/patients/<int:no>")
def patient(no: int) -> str | Response:
    line, place = origin()
    found = _patient(no)
    if found is None:
        return error_page(404)
    no = found.no  # of who stays, where an earlier page has the number of one who was merged
    notes, facts = notes_of(no), services().ledger.listing.facts(no, MOST_FACTS)
    notice, matches = "", Matches()
    courses: list[Course] = []
    addresses: dict[int, str] = {}
    first: list[int] = []
    near: list[PassageNear] = []
    try:
        courses = services().searcher.courses(no)
        asked = _asked(line)
        matches = _matches(asked, notes)
        first, *others = parts(notes, matches) or [[]]
        addresses = {key: place.record_part(no, n) for n, keys in enumerate(others, 2) for key in keys}
        _read(matches, first)
        near = _near(asked, first if len(notes) > LISTED else (note.key for note in notes))
    except AspectraError as e:
        notice = f"What the notes say cannot be told now: {e.message}"

    opened = first if len(notes) > LISTED else [note.key for note in notes]
    rows = note_rows(notes, matches, place, addresses, outlines=outlines(opened), near=near)
    wanted = frozenset(concept for criterion in matches.criteria for concept in criterion.counted.concepts)
    lexicon = services().searcher.lexicon()
    courses.sort(key=lambda course: course.concept not in wanted)
    all_of_them = request.args.get("findings") == EVERY
    told = courses if all_of_them else courses[: sum(c.concept in wanted for c in courses) + FIRST_COURSES]
    shown = tuple(course_row(course, lexicon, wanted, all_of_them) for course in told)
    page = PatientPage(
        frame=frame(),
        patient=found,
        back=place.results(),
        notice=notice,
        asked=asked_by(matches),
        axis=axis(rows, facts),
        rows=rows,
        courses=shown,
        findings=len(courses),
        facts=tuple(facts),
        every=place.findings(no, EVERY) if len(told) < len(courses) or any(row.left_out for row in shown) else "",
    )
    return render_template("patient.html", page=page)


@blueprint.get("/patients/<int:no>/passages/<int:part>")
def passages(no: int, part: int) -> str | Response:
    """The rows of one part of the notes that the search shows, for the page to put in the place of what it has of them.

    Parts count from 1; what there is not, or not any more, is 404. What is read before it is looked through for what it
    repeats.
    """
    line, place = origin()
    found = _patient(no)
    if found is None:
        return error_page(404)
    notes = notes_of(found.no)
    asked = _asked(line)
    matches = _matches(asked, notes)
    known = parts(notes, matches)
    if not 1 <= part <= len(known):
        return error_page(404)
    _read(matches, chain.from_iterable(known[:part]))
    wanted = frozenset(known[part - 1])
    for note in notes:
        if note.key in wanted:
            saw_note(note.note_id, note.patient_id)
    near = _near(asked, wanted)
    rows = note_rows(notes, matches, place, wanted=wanted, outlines=outlines(known[part - 1]), near=near)
    return render_template("record_part.html", entries=entries(rows))


def _patient(no: int) -> ListedPatient | None:
    found = services().ledger.listing.patient(no)
    if found:
        saw_patients([found.patient_id])
    return found


def _asked(line: str) -> Understood | None:
    """
    Raises:
        QueryError: the line cannot be read any more.
    """
    return services().searcher.understand(line) if line else None


def _matches(asked: Understood | None, notes: Sequence[ListedNote]) -> Matches:
    """Where these notes show the search.

    Raises:
        AspectraError: the engine is away.
    """
    searcher, query = services().searcher, asked.query if asked else None
    if query is None or is_newest_first(query):
        return Matches()
    sought = searcher.sought(query)
    return Matches.of(sought, searcher.spots(sought, _sorted(note.key for note in notes)))


def _read(matches: Matches, notes: Iterable[int]) -> None:
    """The passages of ``notes``, by key, that show the search.

    Raises:
        AspectraError: the engine is away.
    """
    if matches.sought:
        matches.read(services().searcher.evidence(matches.sought, _sorted(notes)))


def _near(asked: Understood | None, notes: Iterable[int]) -> list[PassageNear]:
    """How near the passages of ``notes``, by key, are to the search.

    Raises:
        AspectraError: the engine is away.
    """
    if asked is None or asked.query is None:
        return []
    searcher = services().searcher
    return searcher.nearness(searcher.plan(asked.query, asked.words), _sorted(notes))


def _sorted(keys: Iterable[int]) -> Ints:
    return np.array(sorted(keys), dtype=np.int64)
