"""Errors of the API, as RFC 9457 says: application/problem+json."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from flask import Response, request
from pydantic import BaseModel, Field, ValidationError

PREFIX = "/api/v1"
CONTENT_TYPE = "application/problem+json"


class BadField(BaseModel):
    """One thing in the request that cannot be taken; what was sent is not repeated."""

    pointer: str = Field(description="Where: a JSON pointer into the body, or the name of a parameter.")
    detail: str


class Problem(BaseModel):
    """What went wrong, and what to do."""

    title: str
    status: int
    detail: str = ""
    request_id: str = Field("", description="What to name in a report; the server's log has it too.")
    errors: list[BadField] = []


def response(problem: Problem) -> Response:
    body = problem.model_dump(exclude_defaults=True)
    return Response(json.dumps(body) + "\n", problem.status, content_type=CONTENT_TYPE)


def is_api() -> bool:
    """Whether this request wants its errors so."""
    return request.path == PREFIX or request.path.startswith(f"{PREFIX}/")


def invalid(error: ValidationError) -> Response:
    """The answer to a request that is not of its shape."""
    # Neither the input nor the context of pydantic's errors: both may hold what was sent.
    found = error.errors(include_url=False, include_context=False, include_input=False)
    errors = [BadField(pointer=_pointer(e["loc"]), detail=e["msg"]) for e in found]
    return response(Problem(title="The request is not of the shape that is asked for", status=422, errors=errors))


def _pointer(loc: tuple[Any, ...]) -> str:
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in loc)


def of_status(status: int) -> Problem:
    """What an HTTP status means here."""
    title, detail = _TOLD.get(status, _TOLD[500 if status >= 500 else 400])
    return Problem(title=title, status=status, detail=detail)


_LOOK = f"What can be asked: {PREFIX}/openapi.json"
_TOLD = {
    400: ("The request cannot be read", _LOOK),
    401: ("This needs an account", "Send a token that has not expired: Authorization: Bearer TOKEN."),
    403: ("This account or token may not do that", "Ask whoever gives the accounts for another role."),
    404: ("There is no such thing", _LOOK),
    405: ("This address does not take that method", _LOOK),
    413: ("This is too much to read", "Ask in smaller parts."),
    500: ("Something went wrong on our side", "Try again. If it stays, run: aspectra doctor"),
}


def documented(*statuses: int) -> dict[str | int | HTTPStatus, type[BaseModel] | dict[Any, Any] | None]:
    """For the description: what these statuses bring."""
    schema = {"$ref": "#/components/schemas/Problem"}
    return {s: {"description": _MEANING[s], "content": {CONTENT_TYPE: {"schema": schema}}} for s in statuses}


_MEANING = {
    400: "The query cannot be read, or the request makes no sense here.",
    401: "Where people sign in: no token, or one that has expired.",
    403: "Where people sign in: the account or the token has no right to it.",
    404: "There is no such thing.",
    409: "It cannot be done with what is kept as it is.",
    422: "The request is not of the shape that is asked for, or its key came before with another request.",
    429: "Too many requests; Retry-After says when to go on.",
    503: "The engine or the ledger does not answer now.",
}
