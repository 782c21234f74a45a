"""Review of a kept cohort: one patient after the other, evidence first, blind to what others decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from flask import Blueprint, Response, jsonify, render_template, request, url_for
from werkzeug.exceptions import BadRequest

from ingest.cohorts.records import Cohort
from ingest.review.evidence import evidence_of
from search_stack.cohorts.version import Version
from search_stack.core.errors import AspectraError
from search_stack.review.decisions import Decision, Standing, in_one
from search_stack.review.marks import READINGS
from search_stack.review.queue import fresh_notes, in_order, next_of, outdated, since, undecided
from ui import review_form
from ui.errors import error_page
from ui.evidence_view import NOTHING_FRESH
from ui.frame import frame
from ui.kept import cohort as cohort_of
from ui.kept import reviewed, reviews, store
from ui.review_page import Before, PatientReview, ReviewDone, Typed, counts, field_views, tally, typed_of
from ui.reviewed_patient import asked_words, listed, numbered, place_of, said_views, seen_evidence, wants_json
from ui.seen import about, saw_numbers, saw_patients
from ui.sending import sent
from ui.services import services
from ui.who import name

blueprint = Blueprint("reviewing", __name__)
MOST_REASONS = 12


@dataclass(frozen=True)
class Review:
    """The newest version of a cohort with its patients as they count by now, under review by whoever asks."""

    cohort: Cohort
    version: Version
    standing: Standing
    me: str

    @classmethod
    def of(cls, number: int) -> Review:
        """
        Raises:
            NotKept: there is no such cohort.
        """
        cohort = cohort_of(number)
        about(cohort=cohort.id)
        return cls(cohort, reviewed(cohort), reviews(cohort).standing(), name())

    @property
    def mine(self) -> Mapping[int, Decision]:
        return self.standing.of(self.me)

    @property
    def torn(self) -> Mapping[int, Sequence[Decision]]:
        return self.standing.torn.get(self.me, {})

    @cached_property
    def members(self) -> frozenset[int]:
        return frozenset(self.version.patients)

    @property
    def undo(self) -> int | None:
        last = self.standing.last.get(self.me)
        return last.id if last else None

    def next(self, after: int | None = None) -> int | None:
        """The next patient whom the reader has not decided on."""
        order = in_order(self.version.numbers, self.cohort.id).tolist()
        return next_of(order, undecided(self.members, self.mine), after)

    def address(self, patient: int | None) -> str:
        return "" if patient is None else url_for("reviewing.show", cohort=self.cohort.id, no=patient)


@blueprint.get("/cohorts/<int:cohort>/review")
def begin(cohort: int) -> str | Response:
    """The next patient; where there is none, what was decided."""
    review = Review.of(cohort)
    following = review.next()
    if following is not None:
        return sent(review.address(following))
    return _done(review)


@blueprint.get("/cohorts/<int:cohort>/review/<int:no>")
def show(cohort: int, no: int) -> str | Response:
    review = Review.of(cohort)
    patient = listed(no)
    if patient is not None and patient.no != no:
        return sent(review.address(patient.no))
    return _patient_page(review, no)


@blueprint.post("/cohorts/<int:cohort>/review/<int:no>")
def decide(cohort: int, no: int) -> str | Response | tuple[Response, int] | tuple[str, int]:
    """Keep a decision, and go on with the next patient."""
    review = Review.of(cohort)
    patient = listed(no)
    if patient is None:
        return error_page(404)
    no = patient.no
    saw_patients([patient.patient_id])
    kept = reviews(review.cohort)
    fields = kept.fields()
    typed = review_form.typed(fields)
    try:
        made = kept.decide(review.me, review_form.given(review.cohort, no, typed, fields))
    except AspectraError as e:
        problem = f"{e.message} {e.remedy}".strip()
        if wants_json():
            return jsonify(problem=problem), 400
        return _unkept(review, no, problem, typed)
    about(verdict=made.verdict)
    after = Review.of(cohort)
    if not wants_json():
        return sent(url_for("reviewing.begin", cohort=cohort))
    mine, _ = counts(after.standing, after.members, after.me)
    return jsonify(undo=made.id, decided=mine.decided, next=after.address(after.next(no)))


@blueprint.post("/cohorts/<int:cohort>/review/undo")
def undo(cohort: int) -> Response:
    """Take the reader's last decision back, and show that patient again."""
    kept = cohort_of(cohort)
    about(cohort=kept.id, verdict="undo")
    taken = reviews(kept).undo(name(), review_form.number("decision"))
    saw_numbers(numbered([taken.patient]))
    return sent(url_for("reviewing.show", cohort=cohort, no=taken.patient))


@blueprint.post("/cohorts/<int:cohort>/review/<int:no>/mark")
def mark(cohort: int, no: int) -> Response | tuple[str, int]:
    """Call a piece of evidence right or wrong; said once more, it is taken back."""
    review = Review.of(cohort)
    patient = listed(no)
    version = reviewed(review.cohort, review_form.number("version"))
    if patient is None or (no := patient.no) not in version.patients:
        return error_page(404)
    saw_patients([patient.patient_id])
    wanted, _, said = request.form.get("mark", "").partition(" ")
    reading = next((one for one in READINGS if one == said), None)
    if reading is None:
        raise BadRequest
    evidence = evidence_of(version, no, store(), services().searcher, services().ledger)
    item = next((one for one in evidence.items() if one.id == wanted), None)
    if item is None:
        return error_page(404)
    kept = reviews(review.cohort)
    before = kept.marks(no).get(review.me, {}).get(item)
    now = None if before and before.reading == reading else reading
    kept.mark(review.me, no, item, now)
    about(reading=now or "taken back")
    if wants_json():
        return jsonify(reading=now)
    return sent(f"{review.address(no)}#item-{item.id}")


def _patient_page(review: Review, no: int, problem: str = "", typed: Typed | None = None) -> str | Response:
    patient = listed(no)
    torn = review.torn.get(no, ())
    if patient is None or not (no in review.members or no in review.mine or torn):
        return error_page(404)
    kept = reviews(review.cohort)
    place = place_of(review.version)
    mine = review.mine.get(no)
    before = Before(mine, since(mine, review.version)) if mine else None
    own_marks = kept.marks(no).get(review.me, {})
    fresh = _fresh(review, before) if before and before.since == "changed" else NOTHING_FRESH
    evidence, notice = seen_evidence(review.version, no, patient.patient_id, own_marks, place, fresh)
    said = mine or (in_one(torn) if torn else None)
    typed = typed or typed_of(said, review_form.quotes_of(said))
    own, others = counts(review.standing, review.members, review.me)
    page = PatientReview(
        frame=frame(),
        cohort=review.cohort,
        patient=patient,
        record=place.record(no),
        asked=asked_words(review.version),
        evidence=evidence,
        notice=notice,
        problem=problem,
        fields=field_views(kept.fields(), typed),
        typed=typed,
        reasons=_reasons(review.mine),
        before=before,
        torn=said_views(torn, review.version, kept.fields(retired=True)),
        mine=own,
        others=others,
        undo=review.undo,
        next=review.address(review.next(no)),
    )
    return render_template("review.html", page=page)


def _fresh(review: Review, before: Before) -> frozenset[int]:
    decision = before.decision
    then = reviewed(review.cohort, decision.given.version)
    return fresh_notes(then, review.version, decision.patient)


def _unkept(review: Review, no: int, problem: str, typed: Typed) -> tuple[str, int] | Response:
    """The same page again, with what was typed."""
    page = _patient_page(review, no, problem, typed)
    return page if isinstance(page, Response) else (page, 400)


def _done(review: Review) -> str:
    mine, others = counts(review.standing, review.members, review.me)
    changed = sorted(outdated(review.version, review.mine))
    ids = services().ledger.people.ids(numbered(changed))
    saw_patients(ids.values())
    page = ReviewDone(
        frame=frame(),
        cohort=review.cohort,
        mine=mine,
        others=others,
        verdicts=tally(review.mine, review.members),
        changed=tuple((review.address(no), ids[no]) for no in changed if no in ids),
        undo=review.undo,
    )
    return render_template("review_done.html", page=page)


def _reasons(own: Mapping[int, Decision]) -> tuple[str, ...]:
    """That the reader gave before, the last first."""
    given = sorted(own.values(), key=lambda one: -one.id)
    return tuple(dict.fromkeys(one.given.reason for one in given if one.given.reason))[:MOST_REASONS]
