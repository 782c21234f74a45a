"""What people read notes for: stated by each before anything opens, opened and ended by those who answer for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from flask import Blueprint, Response, render_template, request

from access.purposes import Kind, Purposes
from access.roles import FOR_A_PURPOSE
from access.sessions import Sessions
from ingest.ledger.purposes import Purpose
from search_stack.core.errors import AspectraError, NotKept
from ui.errors import error_page
from ui.forms import whole_number
from ui.frame import Frame, frame
from ui.gate import sent_to
from ui.seen import about
from ui.services import services
from ui.who import person

blueprint = Blueprint("purposes", __name__)
CHANGES: dict[str, Callable[[Purposes, Purpose, str], None]] = {"add": Purposes.add, "remove": Purposes.remove}
"""What can be done with a person, by the name of the button."""


@dataclass(frozen=True, slots=True)
class Choice:
    frame: Frame
    purposes: tuple[Purpose, ...]
    stated: int | None
    """Number of the present one."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A purpose with who is of it."""

    purpose: Purpose
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PurposesPage:
    frame: Frame
    opened: tuple[Opened, ...]
    collections: tuple[str, ...]
    problem: str = ""
    typed: dict[str, str] | None = None
    """What the form held, where it could not be taken."""
    kinds: tuple[Kind, ...] = tuple(Kind)


@blueprint.get("/purpose")
def choose() -> str | Response:
    known = person()
    if known is None or not known.key:
        return error_page(403)
    page = Choice(frame(), tuple(_kept().of(known.account)), known.purpose.id if known.purpose else None)
    return render_template("purpose.html", page=page)


@blueprint.post("/purpose")
def state() -> Response:
    known = person()
    purpose = _kept().stated(known.account, whole_number(request.form.get("purpose", ""))) if known else None
    if known is None or not known.key or purpose is None:
        return error_page(403)
    Sessions(services().ledger.engine).state(known.key, purpose.id)
    about(what="state", purpose=purpose.code)
    return sent_to("search.home")


@blueprint.get("/purposes")
def show() -> str:
    return _page()


@blueprint.post("/purposes")
def add() -> Response:
    """Open one; who opens it is of it, where their role reads notes."""
    known, form = person(), request.form
    by = known.account.name if known else ""
    covered = None if "all" in form else form.getlist("collection")
    try:
        kind = Kind(form.get("kind", ""))
        until = date.fromisoformat(form.get("until", ""))
    except ValueError:
        return _refused("Say what kind of purpose it is, and its last day as 2027-03-01.")
    try:
        told = (form.get("code", "").strip(), kind, form.get("title", ""), form.get("approval", ""), until, covered, by)
        made = _kept().open(*told)
    except AspectraError as e:
        return _refused(f"{e.message} {e.remedy}")
    if known and FOR_A_PURPOSE & known.rights:
        _kept().add(made, by)
    about(what="open", opened=made.code)
    return sent_to("purposes.show")


@blueprint.post("/purposes/<int:number>/close")
def close(number: int) -> Response:
    purpose = _numbered(number)
    _kept().close(purpose.code)
    about(what="close", opened=purpose.code)
    return sent_to("purposes.show")


@blueprint.post("/purposes/<int:number>/people")
def person_of(number: int) -> Response:
    purpose, name = _numbered(number), request.form.get("name", "")
    what = next((what for what in CHANGES if what in request.form), "")
    if not what:
        return error_page(400)
    try:
        CHANGES[what](_kept(), purpose, name)
    except AspectraError as e:
        return _refused(f"{e.message} {e.remedy}".strip())
    about(what=what, account=name.strip().lower(), opened=purpose.code)
    return sent_to("purposes.show")


def _refused(problem: str) -> Response:
    return Response(_page(problem, {k: v for k, v in request.form.items() if k != "form_key"}), 400)


def _page(problem: str = "", typed: dict[str, str] | None = None) -> str:
    kept = _kept()
    opened = tuple(Opened(p, tuple(kept.people(p))) for p in kept.all())
    page = PurposesPage(frame(), opened, tuple(kept.collections()), problem, typed)
    return render_template("purposes.html", page=page)


def _numbered(number: int) -> Purpose:
    found = _kept().numbered(number)
    if found is None:
        raise NotKept(f"There is no purpose with the number {number}.", "List those that there are.")
    return found


def _kept() -> Purposes:
    return Purposes(services().ledger.engine)
