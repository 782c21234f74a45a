"""Each request has an id: in the answer's header, in every line logged for it, and on an error page."""

from __future__ import annotations

import secrets

from flask import Flask, Response

from search_stack.core.logs import request_id

HEADER = "X-Request-Id"


def install(app: Flask) -> None:
    """Ids are ours: what a client sends under that name is not looked at."""
    app.before_request(_begin)
    app.after_request(_name)
    app.teardown_request(_end)


def _begin() -> None:
    request_id.set(secrets.token_hex(6))


def _name(response: Response) -> Response:
    response.headers[HEADER] = request_id.get()
    return response


def _end(_: BaseException | None) -> None:
    request_id.set("")
