"""What review and adjudication share of a patient: the evidence on the page, told to the audit trail."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from flask import request

from ingest.cohorts.words import asked_line
from ingest.ledger.listing import ListedPatient
from ingest.review.evidence import Evidence, bare_notes, evidence_of
from search_stack.cohorts.rows import Ints
from search_stack.cohorts.version import Asked, Version
from search_stack.core.errors import AspectraError
from search_stack.query.write import readable
from search_stack.review.decisions import Decision
from search_stack.review.fields import Field
from search_stack.review.marks import Item, Mark
from search_stack.review.queue import since
from ui.browser import owner
from ui.evidence_view import NOTHING_FRESH, EvidenceView, bare_view, evidence_view
from ui.kept import store
from ui.place import Place
from ui.review_form import quotes_of
from ui.review_page import SaidView
from ui.seen import saw_note, saw_patients
from ui.services import services


def seen_evidence(
    version: Version,
    no: int,
    patient_id: str,
    marks: Mapping[Item, Mark],
    place: Place,
    fresh: frozenset[int] = NOTHING_FRESH,
) -> tuple[EvidenceView, str]:
    """A patient's evidence as the page shows it, and what is to be said of it; the audit trail hears of the notes."""
    saw_patients([patient_id])
    try:
        evidence = evidence_of(version, no, store(), services().searcher, services().ledger)
    except AspectraError as e:
        bare = bare_notes(version, no, services().ledger)
        return bare_view(bare, place), f"What the notes say cannot be told now: {e.message}"
    for one in evidence.notes:
        for shown in one.shown:
            saw_note(shown.hit.note_id, patient_id)
    return evidence_view(evidence, marks, place, fresh), _notice(version, evidence)


def said_views(
    said: Sequence[Decision], newest: Version, fields: Sequence[Field], final: bool = False
) -> tuple[SaidView, ...]:
    """Decisions of one patient, each with the ids that it was made of, where these are not the same of all."""
    names = services().ledger.people.ids(numbered(frozenset[int]().union(*(one.of for one in said))))
    alike = len({one.of for one in said}) < 2
    of = [() if alike else tuple(names[no] for no in sorted(one.of)) for one in said]
    return tuple(_said(one, newest, fields, its, final) for one, its in zip(said, of, strict=True))


def _said(one: Decision, newest: Version, fields: Sequence[Field], of: tuple[str, ...], final: bool) -> SaidView:
    given, quotes = one.given, quotes_of(one)
    filled = ((f.name, given.values[f.id].said, quotes.get(f.id, "")) for f in fields if f.id in given.values)
    told = (given.reason, given.comment, tuple(filled), one.made, given.version)
    return SaidView(one.reviewer, one.verdict, *told, since(one, newest), of, one.words_gone, final)


def place_of(version: Version) -> Place:
    """Where the query of a cohort is lit in notes and records."""
    line = asked_line(version.origin)
    return Place(services().queries.put_once(line, owner()) if line else "")


def asked_words(version: Version) -> str:
    try:
        return readable(version.origin.node) if isinstance(version.origin, Asked) else ""
    except AspectraError:
        return ""


def _notice(version: Version, evidence: Evidence) -> str:
    if not len(version.rows):
        return "This cohort is a list of patients: it has no evidence. Look at the whole record."
    if not evidence.criteria and not evidence.fact_criteria:
        return "The query only leaves out: these are the notes that were looked through."
    return ""


def listed(no: int) -> ListedPatient | None:
    return services().ledger.listing.patient(no)


def numbered(patients: Collection[int]) -> Ints:
    return np.array(sorted(patients), dtype=np.int64)


def wants_json() -> bool:
    """Whether a script of ours asks, which shows the next patient by itself."""
    return request.accept_mimetypes.best == "application/json"
