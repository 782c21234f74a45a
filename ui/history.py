"""What one has asked and looked at oneself, as the audit trail has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, render_template, request, url_for

from access.audit.entry import Action, Kept, Outcome
from access.audit.table import SEALED
from access.audit.trail import Trail, Wanted
from access.roles import Right
from ui.errors import error_page
from ui.forms import whole_number
from ui.frame import Frame, frame
from ui.kept import store
from ui.services import services
from ui.who import may, person
from ui.wording import counted

blueprint = Blueprint("history", __name__)
SHOWN, AT_ONCE, LOOKED_AT = 50, 200, 4_000
"""Entries of a page, and of the trail that are read together, and looked through at most for a page."""
KINDS = {
    Action.SEARCH: "search",
    Action.COUNT: "count",
    Action.NOTE: "note",
    Action.PATIENT: "record",
    Action.LIST: "list",
    Action.COHORT: "cohort",
    Action.REVIEW: "review",
}
"""What is told, and as what. What a form counted while one typed is not: the question that came of it is."""
QUESTIONS = frozenset({Action.SEARCH, Action.COUNT})
ONLY = "questions"
"""What the address says where nothing but these is listed."""
OPENED = {
    Action.NOTE: ("notes.note", "key"),
    Action.PATIENT: ("patients.patient", "no"),
    Action.COHORT: ("cohorts.one", "cohort"),
}
"""By what was looked at, the page of it and the number that names it."""


@dataclass(frozen=True, slots=True)
class Line:
    kept: Kept
    kind: str
    purpose: str
    asked: str
    """The line, where something was asked."""
    again: bool
    """It was asked or opened for what is read for now, so that it can be once more."""
    url: str
    cohort: str
    """The name of the cohort that was looked at or changed, where it is one of the purpose that is read for now."""
    found: str
    """How many were found, or shown; empty where neither is known."""


@dataclass(frozen=True, slots=True)
class HistoryPage:
    frame: Frame
    lines: tuple[Line, ...]
    more: int | None
    """Entries below this number are on the next page."""
    first: bool
    questions: bool
    """Nothing but these is listed."""

    @property
    def only(self) -> str | None:
        return ONLY if self.questions else None


@blueprint.get("/history")
def show() -> str | Response:
    known = person()
    if known is None or not known.key:  # a token has no history: it reads nothing of what its account did elsewhere
        return error_page(404)
    before = whole_number(request.args.get("before", ""))
    told = QUESTIONS if request.args.get("only") == ONLY else frozenset(KINDS)
    found, more = _own(services().trail, known.account.name, before, told)
    purpose = known.purpose.code if known.purpose else ""
    names = {one.id: one.name for one in store().cohorts()} if may(Right.COHORTS) else {}
    lines = tuple(_line(kept, purpose, names) for kept in found)
    page = HistoryPage(frame(), lines, more, before is None, told == QUESTIONS)
    return render_template("history.html", page=page)


def _own(trail: Trail, name: str, before: int | None, told: frozenset[Action]) -> tuple[Sequence[Kept], int | None]:
    """A page of what ``name`` did of what is ``told``, and the number below which the next one begins."""
    found: list[Kept] = []
    for _ in range(LOOKED_AT // AT_ONCE):
        some = trail.entries(Wanted(person=name), AT_ONCE, before)
        for one in some:
            if len(found) == SHOWN and _is_told(one, told):
                return found, found[-1].number
            if _is_told(one, told):
                found.append(one)
        if len(some) < AT_ONCE:
            return found, None
        before = some[-1].number
    return found, before


def _is_told(kept: Kept, told: frozenset[Action]) -> bool:
    """Not what came while one typed, or beside a search that is told itself."""
    return kept.entry.action in told and not {"typing", "beside"} & kept.entry.about.keys()


def _line(kept: Kept, purpose: str, cohorts: Mapping[int, str]) -> Line:
    entry = kept.entry
    asked = services().trail.seal.opened(entry.query) if entry.query else ""
    its = str(entry.about.get("purpose", ""))
    again = bool(purpose) and its == purpose and entry.outcome is Outcome.DONE
    endpoint, key = OPENED.get(entry.action, ("", ""))
    named: dict[str, Any] = {key: entry.about[key]} if key in entry.about else {}
    return Line(
        kept,
        KINDS[entry.action],
        its,
        SEALED if asked is None else asked,
        bool(again and asked and entry.action in (Action.SEARCH, Action.COUNT) and "by" not in entry.about),
        url_for(endpoint, **named) if again and named else "",
        cohorts.get(int(entry.about["cohort"]), "") if its == purpose and "cohort" in entry.about else "",
        _found(kept),
    )


def _found(kept: Kept) -> str:
    entry = kept.entry
    if "found" in entry.about:
        return counted(int(entry.about["found"]), str(entry.about.get("of", "patient")))
    shown = (("note", len(entry.notes)), ("patient", len(entry.patients)))
    return ", ".join(f"{counted(number, name)} shown" for name, number in shown if number)
