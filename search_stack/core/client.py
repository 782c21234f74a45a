"""The one place that connects to the engine, and what its failures mean to a person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from opensearchpy import OpenSearch
from opensearchpy.exceptions import (
    AuthenticationException,
    AuthorizationException,
    ConnectionError,
    NotFoundError,
    OpenSearchException,
    SSLError,
    TransportError,
)

from search_stack.core.errors import AspectraError
from search_stack.core.local_engine import StrangerListens, local_options, password_file
from search_stack.core.settings import Settings

CONNECTIONS = 8
"""Kept open: as many threads ask at once without making one anew each time."""


class EngineUnavailable(AspectraError):
    """Nobody answers, or not now: worth another try later."""


class EngineStarting(EngineUnavailable):
    """The engine answers, and cannot search yet: it is starting, or some of its index is not there yet."""

    def __init__(self, settings: Settings) -> None:
        where = settings.engine_address_shown
        super().__init__(
            f"The engine at {where} is starting, or a part of its index is not there yet.", "Try again in a moment."
        )


class EngineImpostor(EngineUnavailable):
    """Another user's program listens where our engine should."""


def connect(settings: Settings) -> OpenSearch:
    """A client for the local node or the configured cluster; no request is sent yet.

    Raises:
        AspectraError: the account that the local node runs as does not exist.
    """
    common: dict[str, Any] = {"timeout": settings.engine_timeout, "max_retries": 0, "pool_maxsize": CONNECTIONS}
    if not settings.engine_url:
        return OpenSearch([settings.engine_address], **common, **local_options(settings))
    user, password = settings.engine_user, settings.engine_password.get_secret_value()
    return OpenSearch(
        [settings.engine_address],
        http_auth=(user, password) if user else None,
        ca_certs=str(settings.engine_ca_file) if settings.engine_ca_file else None,
        client_cert=str(settings.client_certificate) if settings.client_certificate else None,
        client_key=str(settings.client_key) if settings.client_key else None,
        verify_certs=True,
        http_compress=True,
        **common,
    )


def _explained(e: OpenSearchException, settings: Settings) -> AspectraError:
    where = settings.engine_address_shown
    match e:
        case SSLError():
            return EngineUnavailable(
                f"The engine at {where} shows a certificate that is not trusted.",
                "Set ASPECTRA_ENGINE_CA_FILE to the CA that signed it.",
            )
        case ConnectionError(info=StrangerListens()):
            return EngineImpostor(
                f"Another user's program has the engine's port, {where}. Nothing was sent to it.",
                "Stop that program, or set ASPECTRA_ENGINE_PORT.",
            )
        case ConnectionError():
            remedy = "Check ASPECTRA_ENGINE_URL." if settings.engine_url else "Start it: aspectra up"
            return EngineUnavailable(f"The engine does not answer at {where}.", remedy)
        case AuthenticationException() if not settings.engine_url:
            return AspectraError(
                f"The engine at {where} refuses the password in {password_file(settings)}.",
                "Run this as the user who started the stack; if you are, start the engine anew: aspectra down engine, "
                "aspectra up",
            )
        case AuthenticationException() | AuthorizationException():
            return AspectraError(
                f"The engine at {where} refuses the user {settings.engine_user!r}.",
                "Check ASPECTRA_ENGINE_USER and ASPECTRA_ENGINE_PASSWORD.",
            )
        case NotFoundError():
            return AspectraError("There is no index yet.", "Ingest some notes first: aspectra ingest PATH")
        case TransportError(status_code=503):
            return EngineStarting(settings)
        case TransportError(status_code=429 | 502 | 504 as status):
            return EngineUnavailable(f"The engine at {where} is busy ({status}).", "Try again shortly.")
        case TransportError():
            # The name of an error, never a body: that may repeat what was sent.
            kind = e.error if isinstance(e.error, str) and re.fullmatch(r"[a-z_]{1,60}", e.error) else "error"
            return AspectraError(f"The engine refused a request ({e.status_code}, {kind}).", "Run: aspectra doctor")
    return AspectraError(f"The engine's answer was not understood ({type(e).__name__}).", "Run: aspectra doctor")


@contextmanager
def engine_errors(settings: Settings) -> Iterator[None]:
    """Turn the client's exceptions into ones for people: no DSL, no text of a note in them.

    The client's own exception does not follow along: in a log its text would hold both.
    """
    try:
        yield
    except OpenSearchException as e:
        raise _explained(e, settings) from None
