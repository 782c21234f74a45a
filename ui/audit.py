"""The audit trail as a page for auditors: who saw this patient, what did this account do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from flask import Blueprint, Response, render_template, request, stream_with_context

from access.audit.entry import Action, Kept
from access.audit.table import csv_lines, summary
from access.audit.trail import Wanted
from search_stack.core.errors import AspectraError
from ui.forms import whole_number
from ui.frame import Frame, frame
from ui.seen import saw_patients
from ui.services import services

blueprint = Blueprint("audit", __name__)
SHOWN = 50
"""Entries of a page."""
ASKED = ("person", "patient", "purpose", "action", "since", "until")


@dataclass(frozen=True, slots=True)
class Line:
    """An entry in words."""

    kept: Kept
    patients: str
    about: str


@dataclass(frozen=True, slots=True)
class AuditPage:
    frame: Frame
    wanted: Wanted
    lines: tuple[Line, ...]
    problem: str
    more: int | None
    """Entries below this number are on the next page."""
    first: bool
    head: str
    """Where the trail ends, to be noted down."""
    actions: tuple[Action, ...] = tuple(Action)


@blueprint.get("/audit")
def show() -> str:
    return _page(Wanted())


@blueprint.post("/audit")
def asked() -> str | Response:
    """Filters travel in the body: an id of a patient stands in no address."""
    try:
        return _page(_wanted(), whole_number(request.form.get("before", "")))
    except AspectraError as e:
        return Response(_page(Wanted(), problem=f"{e.message} {e.remedy}"), 400)


@blueprint.post("/audit/export")
def export() -> Response:
    """All entries that fit, as CSV."""
    wanted, trail = _wanted(), services().trail
    lines = stream_with_context(csv_lines(trail.all_entries(wanted), trail.seal))
    made = Response(lines, content_type="text/csv; charset=utf-8")
    made.headers["Content-Disposition"] = "attachment; filename=audit.csv"
    return made


def _page(wanted: Wanted, before: int | None = None, problem: str = "") -> str:
    trail = services().trail
    found = trail.entries(wanted, SHOWN + 1, before)
    page = AuditPage(
        frame=frame(),
        wanted=wanted,
        lines=tuple(Line(kept, *summary(kept.entry, trail.seal, wanted.patient)) for kept in found[:SHOWN]),
        problem=problem,
        more=found[SHOWN - 1].number if len(found) > SHOWN else None,
        first=before is None,
        head=str(trail.head()),
    )
    return render_template("audit.html", page=page)


def _wanted() -> Wanted:
    """
    Raises:
        AspectraError: a day is none, or an action is none of ours.
    """
    said = {name: request.form.get(name, "").strip() for name in ASKED}
    if said["patient"]:
        saw_patients([said["patient"]])
    try:
        action = Action(said["action"]) if said["action"] else None
        since, until = (date.fromisoformat(said[name]) if said[name] else None for name in ("since", "until"))
    except ValueError:
        raise AspectraError("This cannot be looked for.", "Days are written 2027-03-01.") from None
    return Wanted(said["person"].lower(), said["patient"], said["purpose"], action, since, until)
