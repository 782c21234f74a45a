"""Headers of every response, which names the page answers to, and what other sites may make a browser ask."""

from __future__ import annotations

import re
from ipaddress import ip_address

from flask import Flask, Response, g, request
from werkzeug.exceptions import BadRequest
from werkzeug.sansio.utils import host_is_trusted

from search_stack.core.errors import AspectraError
from search_stack.core.settings import LOOPBACK, Settings
from ui.browser import give_id, may_ask
from ui.services import services

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "object-src 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
YEAR = 365 * 24 * 60 * 60
"""Seconds for which a browser comes back over https only."""
PLAIN = "text/plain; charset=utf-8"
LARGEST_BODY = 256 * 1024
"""Bytes of a request's body."""
_NAMES = [name for name in LOOPBACK if ":" not in name]
_LOOPBACK_6 = re.compile(r"\[::1\](:\d{1,5})?")


def secure(app: Flask, settings: Settings) -> None:
    """Put the headers on, and refuse foreign names, foreign sites and bodies that are too large.

    Raises:
        AspectraError: others than this machine would be answered, and nobody need sign in; or nobody could.
    """
    if settings.accounts and not settings.passwords and not settings.oidc_issuer:
        raise AspectraError("ASPECTRA_PASSWORDS is 0, and ASPECTRA_OIDC_ISSUER is not set.", "Nobody could sign in.")
    if settings.trusted_names and not settings.accounts:
        raise AspectraError("ASPECTRA_WEB_NAMES is set, and ASPECTRA_ACCOUNTS is not.", "Set it to 1.")
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.config["TRUSTED_HOSTS"] = None  # Flask's own list cannot name [::1]; the check below can
    app.before_request(_check_host)
    app.before_request(_check_site)
    app.before_request(_check_address)
    app.after_request(_add_headers)
    app.after_request(give_id)


def is_loopback(host: str) -> bool:
    """Whether a Host header names this machine, whatever the port.

    A foreign name that resolves to loopback (DNS rebinding) does not.
    """
    return host_is_trusted(host, _NAMES) or _LOOPBACK_6.fullmatch(host) is not None


def named() -> bool:
    """Whether the request came to a name of the settings, by our own TLS or a proxy's: its address is the client's
    then, by the connection or by the proxy's word."""
    names = services().settings.trusted_names
    return bool(names) and host_is_trusted(request.headers.get("Host", "").lower(), names)


def _check_host() -> Response | None:
    if is_loopback(request.headers.get("Host", "").lower()) and _from_here():
        return None
    if not named():
        return _foreign("This page answers to the names of this machine only.\n")
    if request.scheme != "https":
        return _foreign("This name is answered over https only: have the proxy say X-Forwarded-Proto.\n")
    return None


def _from_here() -> bool:
    """Whether this machine asks. From elsewhere nobody means it by a name of this machine, and who does say one would
    stay out of what is counted by address."""
    try:
        return ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False


def _foreign(words: str) -> Response:
    g.foreign = True
    return Response(words, 400, content_type=PLAIN)


def _check_site() -> Response | None:
    if may_ask():
        return None
    return Response("Another site may not make this page do that.\n", 403, content_type=PLAIN)


def _check_address() -> None:
    """
    Raises:
        BadRequest: what follows the question mark has bytes that are no UTF-8.
    """
    try:
        request.query_string.decode()
    except UnicodeDecodeError:
        raise BadRequest from None


def _add_headers(response: Response) -> Response:
    response.headers.extend({k: v for k, v in HEADERS.items() if k not in response.headers})
    if request.endpoint not in ("static", "bootstrap.static"):
        response.headers["Cache-Control"] = "no-store"
    if request.scheme == "https" and named():
        response.headers["Strict-Transport-Security"] = f"max-age={YEAR}; includeSubDomains"
    return response
