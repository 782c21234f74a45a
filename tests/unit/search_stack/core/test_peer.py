from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from search_stack.core import peer
from search_stack.core.peer import peer_uid

STRANGER = 54321


@contextmanager
def acting_as(uid: int) -> Iterator[None]:
    """What a process makes meanwhile belongs to ``uid``."""
    before = os.geteuid()
    os.seteuid(uid)
    try:
        yield
    finally:
        os.seteuid(before)


ACCOUNTS = [
    os.geteuid(),
    pytest.param(STRANGER, marks=pytest.mark.skipif(os.geteuid() != 0, reason="needs root: listens as another user")),
]


@pytest.mark.parametrize("uid", ACCOUNTS)
@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6], ids=["v4", "mapped"])
@pytest.mark.parametrize("accept", ["accept", "wait"])
def test_the_other_end_is_told_by_its_user(uid: int, family: socket.AddressFamily, accept: str) -> None:
    host = "127.0.0.1" if family == socket.AF_INET else "::ffff:127.0.0.1"
    with ExitStack() as opened:
        with acting_as(uid):
            server = opened.enter_context(socket.socket(family))
            server.bind((host, 0))
            server.listen()
        connected = opened.enter_context(socket.create_connection(("127.0.0.1", server.getsockname()[1])))
        if accept == "accept":
            with acting_as(uid):
                opened.enter_context(server.accept()[0])
        assert peer_uid(connected) == uid


def test_nobody_is_known_where_the_kernel_tells_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer, "TABLES", (tmp_path / "none",))
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as connected:
        assert peer_uid(connected) is None


def test_an_end_that_hung_up_is_nobodys() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as connected:
        server.accept()[0].close()
        assert connected.recv(1) == b""
        assert peer_uid(connected) is None
