from __future__ import annotations

import base64
import http.server
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from search_stack.core import local_engine
from search_stack.core.client import EngineImpostor, EngineUnavailable, connect, engine_errors
from search_stack.core.errors import AspectraError
from search_stack.core.local_engine import LocalConnection, password_file
from search_stack.core.settings import Settings

PASSWORD = "hushhush"


class Guarded(http.server.BaseHTTPRequestHandler):
    """Asks for the password as the engine does, and keeps what it was sent."""

    protocol_version = "HTTP/1.1"
    password = PASSWORD
    heard: ClassVar[list[str | None]]

    def do_GET(self) -> None:
        said = self.headers["authorization"]
        self.heard.append(said)
        admitted = said == "Basic " + base64.b64encode(f"aspectra:{self.password}".encode()).decode()
        self.send_response(200 if admitted else 401)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[type[Guarded]]:
    class Handler(Guarded):
        heard: ClassVar[list[str | None]] = []
        port = 0

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as made:
        Handler.port = made.server_address[1]
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield Handler
        made.shutdown()
        thread.join()


@pytest.fixture
def settings(tmp_path: Path, server: type[Guarded], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The server stands for an engine that we started, as whoever we are."""
    made = Settings(data_dir=tmp_path, engine_port=server.port)  # type: ignore[attr-defined]
    monkeypatch.setattr(local_engine, "engine_account", lambda settings: None)
    password_file(made).parent.mkdir()
    password_file(made).write_text(PASSWORD)
    return made


def test_a_client_outlives_a_new_password(settings: Settings, server: type[Guarded]) -> None:
    client = connect(settings)
    client.info()
    server.password = "another"
    password_file(settings).write_text("another")
    client.info()
    assert len(server.heard) == 2


def test_a_client_made_before_the_engines_first_start_finds_the_password(settings: Settings) -> None:
    password_file(settings).unlink()
    client = connect(settings)
    with pytest.raises(AspectraError, match=str(password_file(settings))), engine_errors(settings):
        client.info()
    password_file(settings).write_text(PASSWORD)
    client.info()


def test_a_wrong_password_is_not_shown(settings: Settings) -> None:
    password_file(settings).write_text("wrong-secret")
    with pytest.raises(AspectraError, match="refuses the password") as caught, engine_errors(settings):
        connect(settings).info()
    assert "wrong-secret" not in str(caught.value)
    assert not isinstance(caught.value, EngineUnavailable)


def test_another_users_program_is_told_nothing(
    settings: Settings, server: type[Guarded], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = connect(settings)
    monkeypatch.setattr(local_engine, "peer_uid", lambda connected: os.geteuid() + 1)
    for _ in range(2):
        with pytest.raises(EngineImpostor, match="Another user's program"), engine_errors(settings):
            client.info()
        client.close()  # the pool that it makes next is guarded as well
    assert server.heard == []
    monkeypatch.undo()


def test_whose_the_other_end_is_is_asked_once_a_connection(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(local_engine, "peer_uid", lambda connected: asked.append(connected) or os.geteuid())
    client = connect(settings)
    for _ in range(3):
        client.info()
    assert len(asked) == 1


def test_a_cluster_that_the_settings_name_is_never_given_the_local_password(settings: Settings) -> None:
    elsewhere = Settings(data_dir=settings.data_dir, engine_url=f"http://127.0.0.1:{settings.engine_port}")
    client = connect(elsewhere)
    assert not isinstance(client.transport.connection_pool.connections[0], LocalConnection)
