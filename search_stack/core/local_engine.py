"""The client's side of the local engine's guard: its password, and that none but the engine is told it.

Loopback is open to every user of the machine. The engine asks for a password that only the user who
started it can read; and before the first byte goes out on a connection, the kernel is asked whose
the other end is, because while the engine is down anybody may listen on its port.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opensearchpy import Urllib3HttpConnection
from urllib3.connection import HTTPConnection

from search_stack.core.account import engine_account
from search_stack.core.peer import peer_uid
from search_stack.core.settings import Settings

USER = "aspectra"


class StrangerListens(Exception):
    """Another user's program has the engine's port; nothing was sent to it."""


def password_file(settings: Settings) -> Path:
    """Written by `aspectra up` at every start of the engine, for its own user alone."""
    return settings.data_dir / "run" / "engine.password"


class Password:
    """Makes the header that carries the password.

    It is read for every request, some microseconds, so that a client outlives any number of the
    engine's starts. Without a file, or one of another user's, no header is made and the engine refuses.
    """

    def __init__(self, file: Path) -> None:
        self.file = file

    def __call__(self, method: str, url: str, body: bytes | None) -> Mapping[str, str]:
        try:
            password = self.file.read_text(encoding="ascii")
        except OSError:
            return {}
        return {"authorization": "Basic " + base64.b64encode(f"{USER}:{password}".encode()).decode()}


class LocalConnection(Urllib3HttpConnection):
    """Connections to the local engine alone: see `StrangerListens`."""

    def __init__(self, *args: Any, owner: int, **options: Any) -> None:
        self._guarded = _guarded(owner)
        super().__init__(*args, **options)

    def _create_urllib3_pool(self) -> None:
        super()._create_urllib3_pool()
        pool: Any = self.pool
        pool.ConnectionCls = self._guarded


def _guarded(owner: int) -> type[HTTPConnection]:
    class Guarded(HTTPConnection):
        def connect(self) -> None:
            super().connect()
            if peer_uid(self.sock) != owner:
                self.close()
                raise StrangerListens

    return Guarded


def local_options(settings: Settings) -> dict[str, Any]:
    """What a client of the local engine is made with.

    Raises:
        AspectraError: the account that the engine runs as does not exist.
    """
    account = engine_account(settings)
    return {
        "connection_class": LocalConnection,
        "owner": account.uid if account else os.geteuid(),
        "http_auth": Password(password_file(settings)),
    }
