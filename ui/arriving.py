"""Signing in with the hospital's provider: there, and back."""

from __future__ import annotations

import hmac
import threading
import time
from collections import OrderedDict

from flask import Response, redirect, render_template, request, url_for

from access.keys import digest, new_key
from access.provider import Begun, Provider, ProviderAway
from access.sessions import Sessions
from search_stack.core.errors import AspectraError
from ui.browser import ours
from ui.errors import error_page
from ui.frame import frame
from ui.gate import set_session
from ui.seen import about, seen
from ui.services import services
from ui.signing import WRONG, SigningPage, accounts, blueprint, door, end_earlier

__all__ = ["blueprint"]
COOKIE = "__Host-aspectra-leaving"
"""Its key tells that the browser which comes back is the one that left. Lax, since it comes from elsewhere."""
LONGEST = 600
"""Seconds that somebody may take at the provider."""
MOST = 1_000


class Leaving:
    """Sign-ins under way, by the digest of the browser's key, in memory; each can be come back from once."""

    def __init__(self) -> None:
        self._begun: OrderedDict[str, tuple[float, Begun]] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, begun: Begun) -> str:
        """The browser's key."""
        key = new_key()
        with self._lock:
            self._begun[digest(key)] = time.monotonic(), begun
            while len(self._begun) > MOST:
                self._begun.popitem(last=False)
        return key

    def take(self, key: str) -> Begun | None:
        with self._lock:
            at, begun = self._begun.pop(digest(key), (0.0, None))
        return begun if begun and time.monotonic() - at < LONGEST else None


_leaving = Leaving()


@blueprint.get("/sign-in/provider")
def leave() -> Response:
    """To the provider. A link and not a form: our forms go nowhere else."""
    provider = services().provider
    if provider is None:
        return error_page(404)
    if ours() is False:  # else another site could have the reader signed in, unasked, where the provider knows them
        return Response(door())
    try:
        begun = provider.begin(url_for("signing.back", _external=True))
    except ProviderAway as e:
        return Response(door(f"{e.message} {e.remedy}"), 503)
    response = Response(status=303, headers=redirect(begun.url, 303).headers)
    response.set_cookie(
        COOKIE, _leaving.put(begun), max_age=LONGEST, secure=True, httponly=True, samesite="Lax", path="/"
    )
    return response


@blueprint.get("/sign-in/back")
def back() -> Response:
    """From the provider, with a code that stands for somebody."""
    provider = services().provider
    if provider is None:
        return error_page(404)
    begun = _leaving.take(request.cookies.get(COOKIE, ""))
    try:
        response = _signed_in(provider, begun)
    except ProviderAway as e:
        response = Response(door(f"{e.message} {e.remedy}"), 503)
    except AspectraError as e:
        response = Response(door(f"{e.message} {e.remedy}"), WRONG)
    response.delete_cookie(COOKIE, secure=True, httponly=True, samesite="Lax", path="/")
    return response


def _signed_in(provider: Provider, begun: Begun | None) -> Response:
    """
    Raises:
        AspectraError: nobody is signed in.
    """
    said = request.args
    if begun is None or not hmac.compare_digest(begun.state.encode(), said.get("state", "").encode()):
        raise AspectraError("This sign-in was not begun here, or too long ago.", "Begin it again.")
    if "code" not in said:
        raise AspectraError(f"{provider.host} did not sign you in.", "Try again.")
    arrival = provider.finish(begun, said["code"])
    account = accounts().arrived(arrival.subject, arrival.name, arrival.role)
    seen().person = account.name
    about(by="provider")
    end_earlier()
    # A page, not a redirect: on one that another site began, the browser would leave our cookie out.
    response = Response(render_template("signed_in.html", page=SigningPage(frame())))
    set_session(response, Sessions(services().ledger.engine).begin(account))
    return response
