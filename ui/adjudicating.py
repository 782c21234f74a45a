"""What reviewers say, side by side: how they agree, what they differ on, and what holds after all."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template, request, url_for

from ingest.cohorts.records import Cohort
from search_stack.cohorts.version import Version
from search_stack.core.errors import AspectraError
from search_stack.review.agreement import agreements
from search_stack.review.decisions import Decision, Standing, disagreements
from search_stack.review.queue import progress
from ui import review_form
from ui.agreement_page import (
    AdjudicatePage,
    AgreementPage,
    FieldsPage,
    NothingToSettle,
    pair_view,
)
from ui.errors import error_page
from ui.frame import frame
from ui.kept import cohort as cohort_of
from ui.kept import reviewed, reviews
from ui.reviewed_patient import asked_words, listed, numbered, place_of, said_views, seen_evidence, wants_json
from ui.seen import about, saw_numbers, saw_patients
from ui.sending import sent
from ui.services import services
from ui.who import name

blueprint = Blueprint("adjudicating", __name__)


@blueprint.get("/cohorts/<int:cohort>/review/agreement")
def agreement(cohort: int) -> str:
    """How far everybody is, and how they agree."""
    kept, version, standing = _review(cohort)
    disputed = _disputed(version, standing)
    final = reviews(kept).final()
    page = AgreementPage(
        frame=frame(),
        cohort=kept,
        total=len(version.patients),
        progress=progress(standing, version),
        pairs=tuple(pair_view(one) for one in agreements(standing)),
        disputed=len(disputed),
        settled=len([patient for patient in disputed if patient in final]),
    )
    return render_template("agreement.html", page=page)


@blueprint.get("/cohorts/<int:cohort>/adjudicate")
def begin(cohort: int) -> str | Response:
    """The first patient on whom reviewers differ and nobody has settled it; else all that were settled."""
    kept, version, standing = _review(cohort)
    final = reviews(kept).final()
    disputed = _disputed(version, standing)
    open_ones = [patient for patient in disputed if patient not in final]
    if open_ones:
        return sent(_address(kept, open_ones[0]))
    ids = services().ledger.people.ids(numbered(list(final)))
    saw_patients(ids.values())
    settled = tuple((_address(kept, no), ids[no], final[no]) for no in sorted(final) if no in ids)
    page = NothingToSettle(frame(), kept, settled)
    return render_template("adjudicated.html", page=page)


@blueprint.get("/cohorts/<int:cohort>/adjudicate/<int:no>")
def show(cohort: int, no: int) -> str | Response:
    return _page(cohort, no)


@blueprint.post("/cohorts/<int:cohort>/adjudicate/<int:no>")
def settle(cohort: int, no: int) -> str | Response | tuple[str, int] | tuple[Response, int]:
    """Keep what holds after all, and go on with the next."""
    kept, version, standing = _review(cohort)
    patient = listed(no)
    if patient is None or not standing.about(no := patient.no):
        return error_page(404)
    saw_numbers(numbered([no]))
    typed = review_form.typed(())
    try:
        made = reviews(kept).decide(name(), review_form.given(kept, no, typed, ()), final=True)
    except AspectraError as e:
        problem = f"{e.message} {e.remedy}".strip()
        if wants_json():
            return jsonify(problem=problem), 400
        page = _page(cohort, no, problem)
        return page if isinstance(page, Response) else (page, 400)
    about(verdict=made.verdict)
    if not wants_json():
        return sent(url_for("adjudicating.begin", cohort=cohort))
    waiting = _open(version, standing, reviews(kept).final())
    return jsonify(undo=made.id, decided=len(waiting), next=_next(kept, waiting, no))


@blueprint.post("/cohorts/<int:cohort>/adjudicate/undo")
def undo(cohort: int) -> Response:
    kept = cohort_of(cohort)
    about(cohort=kept.id, verdict="undo")
    taken = reviews(kept).undo(name(), review_form.number("decision"), final=True)
    saw_numbers(numbered([taken.patient]))
    return sent(_address(kept, taken.patient))


@blueprint.get("/cohorts/<int:cohort>/review/fields")
def fields(cohort: int) -> str:
    """What reviewers fill in."""
    return _fields(cohort_of(cohort))


@blueprint.post("/cohorts/<int:cohort>/review/fields")
def add_field(cohort: int) -> Response | tuple[str, int]:
    kept = cohort_of(cohort)
    about(cohort=kept.id)
    choices = request.form.get("choices", "").splitlines()
    try:
        reviews(kept).add_field(request.form.get("name", ""), request.form.get("kind", ""), choices, name())
    except AspectraError as e:
        return _fields(kept, f"{e.message} {e.remedy}".strip()), 400
    return sent(url_for("adjudicating.fields", cohort=cohort))


@blueprint.post("/cohorts/<int:cohort>/review/fields/<int:field>/retire")
def retire_field(cohort: int, field: int) -> Response:
    kept = cohort_of(cohort)
    reviews(kept).retire_field(field)
    return sent(url_for("adjudicating.fields", cohort=cohort))


def _review(number: int) -> tuple[Cohort, Version, Standing]:
    """
    Raises:
        NotKept: there is no such cohort.
    """
    kept = cohort_of(number)
    about(cohort=kept.id)
    return kept, reviewed(kept), reviews(kept).standing()


def _disputed(version: Version, standing: Standing) -> list[int]:
    return [patient for patient in disagreements(standing) if patient in version.patients]


def _open(version: Version, standing: Standing, final: dict[int, Decision]) -> list[int]:
    return [patient for patient in _disputed(version, standing) if patient not in final]


def _next(kept: Cohort, waiting: list[int], after: int) -> str:
    rest = [one for one in waiting if one > after] or [one for one in waiting if one != after]
    return _address(kept, rest[0]) if rest else ""


def _address(kept: Cohort, patient: int) -> str:
    return url_for("adjudicating.show", cohort=kept.id, no=patient)


def _page(cohort: int, no: int, problem: str = "") -> str | Response:
    kept, version, standing = _review(cohort)
    patient = listed(no)
    said = standing.about(patient.no) if patient else ()
    if patient is None or not said:
        return error_page(404)
    no, own = patient.no, reviews(kept)
    fields = own.fields(retired=True)
    final, place = own.final(), place_of(version)
    evidence, notice = seen_evidence(version, no, patient.patient_id, {}, place)
    waiting = _open(version, standing, final)
    settled = final.get(no)
    page = AdjudicatePage(
        frame=frame(),
        cohort=kept,
        patient=patient,
        record=place.record(no),
        asked=asked_words(version),
        evidence=evidence,
        notice=notice,
        problem=problem,
        said=said_views(said, version, fields) + said_views(standing.reopened.get(no, ()), version, fields, final=True),
        settled=settled,
        waiting=len(waiting),
        undo=settled.id if settled and settled.reviewer == name() else None,
        next=_next(kept, waiting, no),
        typed=review_form.typed(()) if problem else None,
    )
    return render_template("adjudicate.html", page=page)


def _fields(kept: Cohort, problem: str = "") -> str:
    page = FieldsPage(frame(), kept, reviews(kept).fields(), problem)
    return render_template("review_fields.html", page=page)
