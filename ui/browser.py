"""Which browser asks, and whether our own page made it ask."""

from __future__ import annotations

import re
import secrets

from flask import Response, g, request

from ui.queries import NOBODY
from ui.services import services
from ui.who import person

COOKIE = "aspectra"
"""Its value is a random number. Not ``__Host-…``, which wants https; the page is on loopback http."""
_ID = re.compile(r"[\w-]{22}", re.ASCII)
SAFE = ("GET", "HEAD", "OPTIONS")


def ours() -> bool | None:
    """Whether the request was made by our own page or by the reader's hand; None where nothing is said of that.

    Browsers say it, and scripts of other sites cannot make them lie; other programs say nothing.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in ("same-origin", "none")
    said = request.headers.get("Origin") or request.headers.get("Referer")
    return None if said is None else f"{said}/".startswith(request.host_url)


def may_ask() -> bool:
    """Whether the request may be answered at all.

    Another site may send the reader here by a link, which shows in the browser, and do nothing else: neither
    post, nor load our pages as images, scripts or frames.
    """
    if ours() is not False:
        return True
    by_link = (
        request.headers.get("Sec-Fetch-Mode") == "navigate" and request.headers.get("Sec-Fetch-Dest") == "document"
    )
    old_browser = "Sec-Fetch-Site" not in request.headers
    return request.method in SAFE and (by_link or old_browser)


def browser() -> str:
    """The id of the browser that asks, where it has one that we gave; `NOBODY` else."""
    given = request.cookies.get(COOKIE, "")
    return given if _ID.fullmatch(given) and services().queries.knows(given) else NOBODY


def account_key() -> str:
    """Stands for whoever has signed in; empty for nobody."""
    known = person()
    return f"account {known.account.id}" if known else ""


def line_of(token: str) -> str | None:
    """The query line under ``token``, where this reader may have it: with accounts, whose search it was."""
    line, known = services().queries.get(token), account_key()
    return line if not known or services().queries.owner_of(token) == known else None


def owner() -> str:
    """Whose allowance a new query counts against: the account's, or the browser's; one that has no id yet gets it with
    this answer.

    A request that another site caused comes without the cookie (``SameSite=Strict``): giving it a
    new one would take the reader's own away. It counts as nobody's.
    """
    if signed_in := account_key():
        return signed_in
    known = browser()
    if known != NOBODY or not ours():
        return known
    g.new_browser = secrets.token_urlsafe(16)
    return str(g.new_browser)


def give_id(response: Response) -> Response:
    """Put the id of a new browser into ``response``."""
    if new := g.get("new_browser"):
        response.set_cookie(COOKIE, new, httponly=True, samesite="Strict", path="/")
    return response
