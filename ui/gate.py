"""Before every request, where people sign in: who asks, and whether they may."""

from __future__ import annotations

import hmac
from collections.abc import Callable

from flask import Flask, Response, g, request, url_for
from markupsafe import Markup

from access.audit.entry import Action
from access.purposes import Purposes
from access.roles import FOR_A_PURPOSE, Right
from access.sessions import IDLE, NOTED, Sessions
from access.tokens import Tokens
from search_stack.core.reach import NOTHING
from ui.api import problems
from ui.browser import SAFE
from ui.errors import error_page, unrecorded, unstated
from ui.rights import NEEDED, OPEN, SIGNED_IN, action_of
from ui.seen import FAILURES, about, keep, seen
from ui.sending import sent
from ui.services import keep_within, services
from ui.who import Person, may, needs_purpose, person

COOKIE = "__Host-aspectra-session"
"""Of a whole site, by https alone; browsers take a loopback address for as safe."""
FIELD, HEADER = "form_key", "X-Form-Key"
TOO_OFTEN = 429
"""Answers of this status are not kept: a program could fill the disk with them."""


def recognise(app: Flask) -> None:
    """Tell who asks before anything is counted."""
    rights = {
        "may_search": lambda: may(Right.FIND),
        "may_see_cohorts": lambda: may(Right.COHORTS),
        "may_keep": lambda: may(Right.KEEP),
        "may_export": lambda: may(Right.EXPORT),
        "may_audit": _may_here(Right.AUDIT),
        "may_operate": _may_here(Right.OPERATE),
        "may_open_purposes": _may_here(Right.PURPOSES),
        "sealed": lambda: services().settings.accounts,
    }
    seconds = int((IDLE + NOTED).total_seconds())  # by then it is over, however exactly it was noted
    app.jinja_env.globals.update(person=person, form_field=_form_field, session_seconds=seconds, **rights)
    app.before_request(_recognise)


def _may_here(right: Right) -> Callable[[], bool]:
    """Whether who has signed in has ``right``; where accounts are off there is nothing of the kind."""
    return lambda: person() is not None and may(right)


def guard(app: Flask) -> None:
    """Refuse what is not open to who asks, after it was counted; keep in the audit trail what is answered."""
    app.before_request(_guard)
    app.after_request(_keep)


def check_table(app: Flask) -> None:
    """
    Raises:
        LookupError: a route is in no row of `ui.rights`, or a row names no route.
    """
    told = [*OPEN, *SIGNED_IN, *NEEDED]
    routes = {rule.endpoint for rule in app.url_map.iter_rules()}
    if wrong := {name for name in told if told.count(name) > 1} | routes.symmetric_difference(told):
        raise LookupError(f"ui.rights is not the table of all routes: {', '.join(sorted(wrong))}.")


def sent_to(endpoint: str) -> Response:
    return sent(url_for(endpoint))


def set_session(response: Response, key: str) -> None:
    response.set_cookie(COOKIE, key, secure=True, httponly=True, samesite="Strict", path="/")


def forget_session(response: Response) -> None:
    response.delete_cookie(COOKIE, secure=True, httponly=True, samesite="Strict", path="/")


def _recognise() -> None:
    if services().settings.accounts and request.endpoint not in OPEN:
        known = g.person = _who()
        if known:
            keep_within(known.purpose.reach if known.purpose else NOTHING)


def _guard() -> Response | None:
    refusal = _refusal()
    seen().refused = refusal is not None
    return refusal


def _refusal() -> Response | None:
    if not services().settings.accounts:
        return error_page(404) if request.blueprint in ("signing", "audit", "purposes", "history") else None
    if request.endpoint in OPEN:
        return None
    known = person()
    if known is None:
        return _unknown()
    if known.key and request.method not in SAFE and not _from_our_form(known):
        return error_page(403)
    if request.blueprint == "signing":
        return None if known.key else error_page(403)  # a token changes no password
    if known.account.must_change:
        return error_page(403) if problems.is_api() else sent_to("signing.password")
    needed = NEEDED.get(request.endpoint or "")
    for_purpose = needed.right in FOR_A_PURPOSE & known.rights if needed else request.endpoint == "search.home"
    if for_purpose and needs_purpose():
        return _unstated()
    return error_page(403) if needed and not may(needed.right) else None


def _unstated() -> Response:
    """To the page on which a purpose is stated; a program is told."""
    if problems.is_api() or request.method not in SAFE:
        return unstated()
    return sent_to("purposes.choose")


def _keep(response: Response) -> Response:
    """The answer, where the trail has taken it; nothing of it else."""
    action, known = action_of(request.endpoint), person()
    who = known.account.name if known else seen().person
    if not services().settings.accounts or action is None or response.status_code == TOO_OFTEN:
        return response
    if known is None and action is not Action.SIGN_IN:
        return response  # nobody was told anything
    if known and not known.key:
        about(by="token")
    if known and known.purpose:
        about(purpose=known.purpose.code)
    try:
        keep(services().trail, action, who, response)
    except FAILURES as e:
        response.close()
        return unrecorded(e)
    return response


def _who() -> Person | None:
    engine = services().ledger.engine
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme:
        known = Tokens(engine).find(token.strip()) if scheme.lower() == "bearer" else None
        if known is None:
            return None
        account, opened = known
        return Person(account, opened.rights, purpose=Purposes(engine).stated(account, opened.purpose))
    key = request.cookies.get(COOKIE, "")
    found = Sessions(engine).find(key) if key else None
    if found is None:
        return None
    account, stated = found
    return Person(account, account.rights, key, Purposes(engine).stated(account, stated))


def _from_our_form(known: Person) -> bool:
    sent = request.headers.get(HEADER) or request.form.get(FIELD, "")
    return hmac.compare_digest(sent.encode(), known.form_key.encode())


def _unknown() -> Response:
    if problems.is_api() or request.method not in SAFE or "Authorization" in request.headers:
        response = error_page(401)
        response.headers["WWW-Authenticate"] = "Bearer"
        return response
    return sent_to("signing.show")


def _form_field() -> Markup:
    """What a form of ours carries to be told from another site's; nothing where nobody has signed in."""
    known = person()
    return Markup('<input type="hidden" name="{}" value="{}">').format(FIELD, known.form_key) if known else Markup("")
