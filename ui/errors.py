"""Errors as pages: what went wrong and what to do, never a stack trace, never text."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import cast

from flask import Flask, Response, current_app, render_template, request
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException

from search_stack.core.client import EngineStarting, EngineUnavailable
from search_stack.core.errors import AspectraError, KeyReused, LedgerUnavailable, NotKept, NotPossible
from search_stack.core.logs import request_id, where
from search_stack.index.meta import ForeignIndex
from search_stack.query.asked import EXAMPLES as FIELDS
from search_stack.query.asked import instead
from search_stack.query.tree import QueryError
from ui.api import problems
from ui.browser import line_of
from ui.frame import Frame, asked, frame, read_scope
from ui.limits import wait
from ui.services import services
from ui.wording import counted

_log = logging.getLogger(__name__)
PAGES = {
    400: ("This request cannot be read", "Go back and try again, or start a new search."),
    401: ("This needs an account", "Sign in again, or send a token that has not expired."),
    403: ("Your account may not do that", "Ask whoever gives the accounts for another role."),
    404: ("There is no such page", "Look at the address again, or begin on the start page."),
    405: ("This address does not take that", "Start a new search instead of reloading."),
    410: ("This search has expired", "Searches are kept in memory only, and for a while. Type it again."),
    413: ("This is too much to read", "A query has at most 2,000 characters. Shorten it."),
    429: ("This is faster than anyone reads", "Go on in a minute."),
    500: ("Something went wrong on our side", "Try again. If it stays, run: aspectra doctor"),
}
STATUS = {NotKept: 404, NotPossible: 409, KeyReused: 422}
"""Of what the reader can mend; of all else it is 400."""
GONE = "The note may have been deleted. Start a new search."
OF_NOTES = ("notes", "patients", "similar")
"""Blueprints whose pages go with what they show."""
AWAY = ("The ledger does not answer", "Check its database and the disk, then run: aspectra doctor")
UNRECORDED = (
    "This cannot be shown, because the audit trail cannot be written",
    "Whoever runs Aspectra should look at the ledger's database, the disk and: aspectra audit verify",
)

UNSTATED = (
    "Say first what you read for",
    "State a purpose on the start page; a token is for the purpose that it was made for, while that is open.",
)


@dataclass(frozen=True, slots=True)
class ErrorPage:
    frame: Frame
    status: int
    message: str
    remedy: str
    teaches: bool = False
    """Whether the fields of the query line are shown below."""
    waits: bool = False
    """Whether it passes by itself."""
    request_id: str = ""
    line: str = ""
    """With what may have been meant in the place of what there is not."""
    fields: tuple[tuple[str, str], ...] = tuple(FIELDS.items())


def install(app: Flask) -> None:
    app.register_error_handler(AspectraError, _explain)
    app.register_error_handler(SQLAlchemyError, _ledger)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


def error_page(status: int) -> Response:
    """The page of an HTTP status, its search line as this request left it."""
    if problems.is_api():
        return problems.response(problems.of_status(status))
    message, remedy = PAGES.get(status, PAGES[500 if status >= 500 else 400])
    remedy = GONE if status == 404 and request.blueprint in OF_NOTES else remedy
    return _render(ErrorPage(frame(), status, message, remedy, waits=status == 410))


def unstated() -> Response:
    """To who has stated no purpose, or whose purpose has ended."""
    return _render(ErrorPage(frame(), 403, *UNSTATED))


def unrecorded(error: Exception) -> Response:
    """In the place of an answer that the audit trail could not take."""
    services().metrics.failed(error)
    _log.error(
        "The audit trail cannot be written at %s (%s, %s).", request.endpoint, type(error).__name__, where(error)
    )
    return _render(ErrorPage(frame(), 503, *UNRECORDED, request_id=request_id.get()))


def _explain(error: AspectraError) -> Response:
    teaches, waits = isinstance(error, QueryError), isinstance(error, EngineStarting)
    if not isinstance(error, EngineUnavailable | LedgerUnavailable | ForeignIndex):
        status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), 400)
        page = ErrorPage(frame(), status, error.message, error.remedy, teaches)
        return _render(replace(page, line=instead(page.frame.line, *error.meant) if error.meant else ""))
    services().metrics.failed(error)
    _log.warning("%s", error.message)
    return _render(ErrorPage(frame(), 503, error.message, error.remedy, waits=waits, request_id=request_id.get()))


def _ledger(error: SQLAlchemyError) -> Response:
    """A failure that nothing explains; the database's own words may hold a row, so only its kind is logged."""
    services().metrics.failed(error)
    _log.error("The ledger failed at %s (%s, %s).", request.endpoint, type(error).__name__, where(error))
    return _render(ErrorPage(frame(), 503, *AWAY, request_id=request_id.get()))


def _http(error: HTTPException) -> Response:
    if error.code is None or error.code < 400:
        return Response(status=error.code, headers=error.get_headers(request.environ))
    if error.code == 429:
        return _too_often()
    if error.response is not None:  # made already, where a request of the API was looked at
        return cast(Response, error.response)
    response = error_page(error.code)
    for name, value in error.get_headers(request.environ):
        if name == "Allow":
            response.headers[name] = value
    return response


def _too_often() -> Response:
    """The page was never asked, so the line is looked up here."""
    with suppress(HTTPException):  # the body may be unreadable besides
        token = (request.view_args or {}).get("token", "")
        asked(line_of(token) or request.form.get("line", ""), read_scope(request.values.get("scope")))
    seconds = wait(current_app)
    page = ErrorPage(frame(), 429, PAGES[429][0], f"Go on in {counted(seconds, 'second')}.", waits=True)
    response = _render(page)
    response.headers["Retry-After"] = str(seconds)
    return response


def _unexpected(error: Exception) -> Response:
    """The message of an unforeseen error may hold text of a note: only its kind and place are logged."""
    services().metrics.failed(error)
    _log.error("Failed at %s (%s, %s).", request.endpoint, type(error).__name__, where(error))
    message, remedy = PAGES[500]
    try:
        return _render(ErrorPage(frame(), 500, message, remedy, request_id=request_id.get()))
    except Exception as e:  # the page itself cannot be made: say so without it
        _log.error("Its page failed too (%s).", type(e).__name__)
        return Response(f"{message}. {remedy} ({request_id.get()})\n", 500, content_type="text/plain; charset=utf-8")


def _render(page: ErrorPage) -> Response:
    if problems.is_api():
        return problems.response(
            problems.Problem(title=page.message, status=page.status, detail=page.remedy, request_id=page.request_id)
        )
    return Response(render_template("error.html", page=page), page.status)
