"""Kept cohorts: all of them, one version at a glance, and its patients. Addresses hold numbers; names may tell of
somebody."""

from __future__ import annotations

import numpy as np
from flask import Blueprint, render_template

from access.roles import Right
from ingest.cohorts.plain import members_json
from ingest.cohorts.standing import trees
from search_stack.cohorts.rows import Ints
from search_stack.cohorts.version import Version, as_counted
from search_stack.core.errors import AspectraError
from search_stack.query.tree import any_of
from ui import kept
from ui.asked_page import asked_page
from ui.cohort_head import head
from ui.cohort_page import CohortsPage, cohort_page, cohort_row
from ui.frame import frame
from ui.members_page import PAGE_SIZE, FactLine, MembersPage, asked, changed_since, fact_lines, looked_at, member
from ui.note_row import Matches
from ui.seen import about, saw_note, saw_patients
from ui.services import services
from ui.who import may

blueprint = Blueprint("cohorts", __name__)


@blueprint.get("/cohorts")
def several() -> str:
    page = CohortsPage(frame(), tuple(map(cohort_row, kept.store().cohorts())))
    return render_template("cohorts.html", page=page)


@blueprint.get("/cohorts/<int:cohort>")
def one(cohort: int) -> str:
    """Its newest version."""
    found = kept.version(cohort)
    about(number=found.number)
    return _overview(found)


@blueprint.get("/cohorts/<int:cohort>/versions/<int:number>")
def version(cohort: int, number: int) -> str:
    return _overview(kept.version(cohort, number))


def _overview(found: Version) -> str:
    overview, problem = None, ""
    try:
        overview = services().searcher.overview(services().ledger.people.as_counted(found))
    except AspectraError as e:
        problem = f"Who they are and what their notes say cannot be counted now: {e.message}"
    top = head(kept.cohort(found.cohort_id), found, "Overview")
    page = cohort_page(frame(), top, overview, problem, kept.store().editions(found.cohort_id))
    return render_template("cohort.html", page=page)


@blueprint.get("/cohorts/<int:cohort>/versions/<int:number>/patients")
def members(cohort: int, number: int) -> str:
    found = kept.version(cohort, number)
    numbers = found.numbers
    pages = asked_page("cohorts.members", len(numbers), PAGE_SIZE, cohort=cohort, number=number)
    start = (pages.page - 1) * PAGE_SIZE
    own = numbers[start : start + PAGE_SIZE]
    told = members_json(found, services().ledger.people, int(own[0]) - 1 if len(own) else 0, len(own))
    listing = services().ledger.listing
    people = {patient.no: patient for patient in listing.patients_numbered(own.tolist())}
    keys = looked_at(found.rows, own)
    notes = {note.key: note for note in listing.notes_keyed([key for some in keys.values() for key in some])}
    for note in notes.values():
        saw_note(note.note_id, note.patient_id)
    saw_patients(patient.patient_id for patient in people.values())
    matches, facts, problem = Matches(), dict[int, tuple[FactLine, ...]](), ""
    try:
        if may(Right.FIND):  # passages are text of notes
            matches, facts = _evidence(found, own, np.array(sorted(notes), dtype=np.int64))
    except AspectraError as e:
        problem = f"What the notes say cannot be shown now: {e.message}"
    changed = changed_since(found.notes, {key: note.text_version for key, note in notes.items()})
    page = MembersPage(
        frame=frame(),
        head=head(kept.cohort(cohort), found, "Patients"),
        members=tuple(
            member(one, people.get(no := one["no"]), keys[no], notes, changed, matches, facts.get(no, ()))
            for one in told
        ),
        asked=asked(matches.criteria),
        problem=problem,
        paging=pages,
        first=start + 1,
    )
    return render_template("cohort_patients.html", page=page)


def _evidence(found: Version, patients: Ints, notes: Ints) -> tuple[Matches, dict[int, tuple[FactLine, ...]]]:
    """What shows the queries that brought these patients, in ``notes`` and among their structured facts.

    Raises:
        AspectraError: the engine is away, or a query cannot be read any more.
    """
    nodes = tuple(trees(found, kept.store()))
    if not nodes:
        return Matches(), {}
    searcher = services().searcher
    sought = searcher.sought(any_of(nodes))
    shown = searcher.evidence(sought, notes) if len(notes) else ()
    # The index has facts of who stays.
    heirs = services().ledger.people.heirs(patients.tolist())
    own = as_counted(found, heirs).rows
    stay = {no: heirs.get(no, no) for no in patients.tolist()}
    asked_of = np.unique(list(stay.values())).astype(np.int64)
    facts = fact_lines(searcher.fact_evidence(sought, asked_of), sought.facts, own.of_patients(asked_of))
    return Matches.all_of(sought, shown), {no: facts[heir] for no, heir in stay.items() if heir in facts}
