"""Signing in and out, and changing one's password."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Flask, Response, render_template, request

from access.accounts import Account, Accounts, WrongPassword, plain
from access.browsers import noted, number_of
from access.passwords import SHORTEST
from access.sessions import Sessions
from ingest.cohorts.words import moment
from search_stack.core.errors import AspectraError
from ui.errors import error_page
from ui.frame import Frame, frame
from ui.gate import COOKIE, forget_session, sent_to, set_session
from ui.limits import limiter
from ui.security import named
from ui.seen import about, seen
from ui.services import services
from ui.who import person

blueprint = Blueprint("signing", __name__)
TRIES, TRIES_FROM = "10 per 15 minutes", "50 per 15 minutes"
"""Wrong passwords for one account until it must wait, and from one address, where addresses are known."""
BROWSER = "__Host-aspectra-browser"
"""The cookie by which a browser is told that an account was opened in before."""
BROWSER_SECONDS = 180 * 24 * 60 * 60
WRONG = 401
"""Status of a wrong password, and of nothing else that these views answer."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    number: str
    since: str
    seen: str
    here: bool


@dataclass(frozen=True, slots=True)
class SigningPage:
    frame: Frame
    problem: str = ""
    name: str = ""
    shortest: int = SHORTEST
    one_time: bool = False
    elsewhere: bool = False
    """A provider signs this person in: there is no password here."""
    provider: str = ""
    """Host of the provider that people may sign in with."""
    passwords: bool = True
    """Whether a password opens an account here."""
    sessions: tuple[SessionRow, ...] = ()
    """Of who asks."""


@blueprint.get("/sign-in")
def show() -> str:
    return door()


def door(problem: str = "", name: str = "") -> str:
    """The page to sign in on."""
    provider, passwords = services().provider, services().settings.passwords
    page = SigningPage(frame(), problem, name, provider=provider.host if provider else "", passwords=passwords)
    return render_template("sign_in.html", page=page)


@blueprint.post("/sign-in")
def sign_in() -> Response:
    if not services().settings.passwords:
        return error_page(404)
    name = request.form.get("name", "")
    account = accounts().authenticate(name, request.form.get("password", ""))
    seen().person = account.name if account else accounts().known(name)
    if account is None:
        return Response(door("This name and password do not open an account here.", name[:64]), WRONG)
    end_earlier()
    return _signed_in(account)


@blueprint.post("/sign-out")
def sign_out() -> Response:
    known = person()
    if known and known.key:
        Sessions(services().ledger.engine).end(known.key)
    response = sent_to("signing.show")
    forget_session(response)
    # Pages that were left a moment ago are kept for the way back. Cookies would be those of the whole domain.
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
    return response


@blueprint.get("/password")
def password() -> str:
    return render_template("password.html", page=_page())


@blueprint.post("/password")
def change() -> Response:
    """Every session of the account ends, and a new one begins here."""
    known = person()
    account = known.account if known else None
    if account is None:
        return sent_to("signing.show")
    try:
        if request.form.get("new") != request.form.get("again"):
            raise AspectraError("The two new passwords are not the same.", "Type both again.")
        account = accounts().change_password(account, request.form.get("old", ""), request.form.get("new", ""))
    except AspectraError as e:
        status = WRONG if isinstance(e, WrongPassword) else 400
        return Response(render_template("password.html", page=_page(f"{e.message} {e.remedy}")), status)
    return _signed_in(account)


@blueprint.post("/sessions/end")
def end_elsewhere() -> Response:
    """End one of one's other sessions, or all of them; whom no provider signs in says the password again."""
    known = person()
    which, others = request.form.get("session", ""), "others" in request.form
    if known is None or not (which or others):
        return sent_to("signing.password")
    own = known.account
    if not own.elsewhere and accounts().authenticate(own.name, request.form.get("password", "")) is None:
        return Response(render_template("password.html", page=_page("Your password is another one.")), WRONG)
    kept = Sessions(services().ledger.engine)
    about(ended=kept.end_others(own, known.key, "" if others else which))
    return sent_to("signing.password")


def accounts() -> Accounts:
    return Accounts(services().ledger.engine)


def end_earlier() -> None:
    """End the session that this browser had."""
    if earlier := request.cookies.get(COOKIE):
        Sessions(services().ledger.engine).end(earlier)


def limit(app: Flask) -> None:
    """Wrong passwords count, by account and, where it is known, by address; right ones do not."""

    def most(tries: str, scope: str, key: Callable[[], str], **more: Any) -> Any:
        """A limit of wrong passwords."""
        wrong = {"deduct_when": lambda response: response.status_code == WRONG}
        options = {"methods": ["POST"], "override_defaults": False, **wrong, **more}
        return limiter(app).shared_limit(tries, scope, key_func=key, **options)

    by_account = most(TRIES, "passwords", _tried)
    by_address = most(TRIES_FROM, "addresses", _address, exempt_when=lambda: not named() or _familiar() != "")
    for endpoint in ("signing.sign_in", "signing.change", "signing.end_elsewhere"):
        view: Any = app.view_functions[endpoint]
        app.view_functions[endpoint] = by_account(by_address(view))


def _address() -> str:
    return request.remote_addr or ""


def _tried() -> str:
    """Whose password it is that is tried, or in which browser that the account was opened in before."""
    if number := _familiar():
        return f"browser {number}"
    known = person()
    return f"account {known.account.name if known else plain(request.form.get('name', ''))[:64]}"


def _familiar() -> str:
    """The number of this browser, where the account that is tried was opened in it before."""
    held, known = request.cookies.get(BROWSER, ""), person()
    if not held:
        return ""
    try:
        account = known.account if known else accounts().named(request.form.get("name", ""))
    except AspectraError:
        return ""
    return number_of(held, account)


def _page(problem: str = "") -> SigningPage:
    known = person()
    account = known.account if known else None
    once, elsewhere = bool(account and account.must_change), bool(account and account.elsewhere)
    kept = Sessions(services().ledger.engine).of(account, known.key) if known and account and not once else []
    rows = tuple(SessionRow(one.number, moment(one.made), moment(one.seen), one.present) for one in kept)
    return SigningPage(frame(), problem, one_time=once, elsewhere=elsewhere, sessions=rows)


def _signed_in(account: Account) -> Response:
    response = sent_to("search.home")
    set_session(response, Sessions(services().ledger.engine).begin(account))
    held = noted(request.cookies.get(BROWSER, ""), account)
    response.set_cookie(BROWSER, held, max_age=BROWSER_SECONDS, secure=True, httponly=True, samesite="Strict", path="/")
    return response
