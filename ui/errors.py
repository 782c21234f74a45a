"""Errors as pages: what went wrong and what to do, never a stack trace, never text."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException

from search_stack.client import EngineUnavailable
from search_stack.criteria import FIELDS, QueryError
from search_stack.errors import AspectraError
from ui.frame import Frame, frame

_log = logging.getLogger(__name__)
PAGES = {
    400: ("This request cannot be read", "Go back and try again, or start a new search."),
    404: ("There is no such page", "The note may have been deleted. Start a new search."),
    405: ("This address does not take that", "Start a new search instead of reloading."),
    410: ("This search has expired", "Searches are kept in memory only, and for a while. Type it again."),
    413: ("This is too much to read", "A query has at most 2,000 characters. Shorten it."),
    500: ("Something went wrong on our side", "Try again. If it stays, run: aspectra doctor"),
}


@dataclass(frozen=True, slots=True)
class ErrorPage:
    frame: Frame
    status: int
    message: str
    remedy: str
    teaches: bool = False
    """Whether the fields of the query line are shown below."""
    request_id: str = ""
    fields: tuple[tuple[str, str], ...] = tuple(FIELDS.items())


def install(app: Flask) -> None:
    app.register_error_handler(AspectraError, _explain)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


def error_page(status: int) -> tuple[str, int]:
    """The page of an HTTP status, its search line as this request left it."""
    message, remedy = PAGES.get(status, PAGES[500 if status >= 500 else 400])
    return _render(ErrorPage(frame(), status, message, remedy))


def _explain(error: AspectraError) -> tuple[str, int]:
    status = 503 if isinstance(error, EngineUnavailable) else 400
    return _render(ErrorPage(frame(), status, error.message, error.remedy, teaches=isinstance(error, QueryError)))


def _http(error: HTTPException) -> Response | tuple[str, int]:
    if error.code is None or error.code < 400:
        return Response(status=error.code, headers=error.get_headers(request.environ))
    page, status = error_page(error.code)
    response = Response(page, status)
    for name, value in error.get_headers(request.environ):
        if name == "Allow":
            response.headers[name] = value
    return response


def _unexpected(error: Exception) -> Response | tuple[str, int]:
    """The message of an unforeseen error may hold text of a note: only its type is logged."""
    request_id = secrets.token_hex(6)
    _log.error("Request %s failed at %s (%s).", request_id, request.endpoint, type(error).__name__)
    message, remedy = PAGES[500]
    try:
        return _render(ErrorPage(frame(), 500, message, remedy, request_id=request_id))
    except Exception as e:  # the page itself cannot be made: say so without it
        _log.error("Its page failed too (%s).", type(e).__name__)
        return Response(f"{message}. {remedy} ({request_id})\n", 500, content_type="text/plain")


def _render(page: ErrorPage) -> tuple[str, int]:
    return render_template("error.html", page=page), page.status
