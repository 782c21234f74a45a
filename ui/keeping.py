"""Cohorts kept from the page: saved, combined, run anew, scheduled, deleted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response

from ingest.cohorts.finding import joined
from ingest.cohorts.store import LONGEST_PERIOD
from ingest.cohorts.words import SECONDS
from search_stack.cohorts.rows import Unit
from search_stack.cohorts.version import OPERATIONS, Found, Operation, Version
from search_stack.core.client import EngineUnavailable
from search_stack.core.cohort_names import checked_name
from search_stack.core.errors import AspectraError, LedgerUnavailable
from search_stack.query.write import readable
from ui import kept, who
from ui.browser import line_of
from ui.cohort_head import JOINED, url_of
from ui.comparing import named, reference
from ui.errors import error_page
from ui.frame import frame
from ui.keep_page import Existing, ForgetPage, KeepPage, existing
from ui.seen import about, asked_for
from ui.services import services

blueprint = Blueprint("keeping", __name__)
View = str | tuple[str, int] | Response
AFTERWARDS = {"compare": "Save and compare", "export": "Save and export"}
"""What a form may go on to, and how the page that asks for a name is called then."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is to be kept, and by which form."""

    what: str
    hidden: Mapping[str, str]
    unit: Unit | None
    found: Callable[[Version | None], Found]
    """Given the newest version of the name."""
    then: str = ""
    """What the reader goes on to: "compare", "export", or its page."""


@blueprint.post("/cohorts")
def save() -> View:
    """The cohort of a search, which the form names by its token; without a name, the page that asks for one."""
    token = request.form.get("token", "")
    line = line_of(token)
    if line is None:
        return error_page(410)
    unit: Unit = "note" if request.form.get("unit") == "note" else "patient"
    understood = services().searcher.understand(line)
    asked_for(understood)

    def found(before: Version | None) -> Found:
        return kept.finder().find(understood.query, unit, line, before)

    then = request.form.get("then", "")
    then = then if then in AFTERWARDS else ""
    hidden = {"token": token, **({"then": then} if then else {})}
    wish = _Wish(readable(understood.query), hidden, unit, found, then)
    return _kept(wish) if "name" in request.form else _page(wish, "", "")


@blueprint.post("/cohorts/combine")
def combine() -> View:
    """The patients of two versions together, or of one without the other's."""
    first, second, operation = named("a"), named("b"), request.form.get("operation", "")
    turned = operation == "turned"  # in the second, not in the first
    if first is None or second is None or not (turned or operation in OPERATIONS):
        raise BadRequest
    how = cast(Operation, "difference" if turned else operation)
    one, other = (second, first) if turned else (first, second)
    fields = {field: request.form.get(field, "") for field in ("a", "b", "operation")}

    def found(before: Version | None) -> Found:
        return joined(how, one, other, services().ledger)

    return _kept(_Wish(f"in {one.name} {JOINED[how]} {other.name}", fields, None, found))


@blueprint.post("/cohorts/<int:cohort>/again")
def again(cohort: int) -> View:
    """The query of the newest version, run anew: the next version."""
    before = kept.version(cohort)
    saved = kept.store().save(before.cohort, kept.finder().again(before), who.name())
    about(number=saved.number)
    return redirect(url_for("comparing.changed", cohort=cohort, old=before.number, new=saved.number), 303)


@blueprint.post("/cohorts/<int:cohort>/schedule")
def schedule(cohort: int) -> View:
    every = None if "stop" in request.form else _seconds()
    kept.store().schedule(kept.cohort(cohort).id, every)
    return redirect(url_for("cohorts.one", cohort=cohort, _anchor="schedule"), 303)


@blueprint.get("/cohorts/<int:cohort>/delete")
def forget(cohort: int) -> str:
    """What would be lost."""
    of = kept.cohort(cohort)
    return render_template("cohort_delete.html", page=ForgetPage(frame(), of.id, of.name, of.newest.number))


@blueprint.post("/cohorts/<int:cohort>/delete")
def delete(cohort: int) -> View:
    kept.store().delete(kept.cohort(cohort).id)
    return redirect(url_for("cohorts.several"), 303)


def _kept(wish: _Wish) -> View:
    """The reader is asked once more where the name is taken, and told what is wrong with it."""
    name, description = request.form.get("name", "").strip(), request.form.get("description", "").strip()
    try:
        before = kept.store().newest(checked_name(name))
        if before and request.form.get("known", "").lower() != name.lower():
            return _page(wish, name, description, there=existing(before))
        saved = kept.store().save(name, wish.found(before), who.name(), description or None)
    except (EngineUnavailable, LedgerUnavailable):
        raise
    except AspectraError as e:
        return _page(wish, name, description, f"{e.message} {e.remedy}".strip()), 400
    about(cohort=saved.cohort_id, number=saved.number)
    return redirect(_afterwards(saved, wish.then), 303)


def _afterwards(saved: Version, then: str) -> str:
    if then == "compare":
        return url_for("comparing.compare", a=reference(saved))
    if then == "export":
        return url_for("exporting.ask", cohort=saved.cohort_id, number=saved.number)
    return url_of(saved)


def _page(wish: _Wish, name: str, description: str, problem: str = "", there: Existing | None = None) -> str:
    hidden = (*wish.hidden.items(), *((("known", name),) if there else ()))
    title = AFTERWARDS.get(wish.then, "Save cohort")
    page = KeepPage(frame(), request.path, title, wish.what, hidden, name, description, wish.unit, there, problem)
    return render_template("keep.html", page=page)


def _seconds() -> int:
    """
    Raises:
        BadRequest: it is no length of time.
    """
    number, unit = request.form.get("number", ""), request.form.get("unit", "")
    if not (number.isascii() and number.isdigit()) or unit not in SECONDS or len(number) > len(str(LONGEST_PERIOD)):
        raise BadRequest
    return int(number) * SECONDS[unit]
