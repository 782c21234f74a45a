"""Another account of the same machine: what it can reach of a stack that runs, which is nothing but the page."""

from __future__ import annotations

import base64
import http.client
import json
import os
import pickle
import socket
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from opensearchpy.helpers import bulk
from redis import Redis

from aspectra.stack import processes, status
from aspectra.stack.engine import Engine
from search_stack.core.client import EngineImpostor, connect, engine_errors
from search_stack.core.errors import AspectraError
from search_stack.core.local_engine import password_file
from search_stack.core.settings import Settings
from search_stack.index.mapping import Indexes

pytestmark = pytest.mark.engine
STRANGER = 54321
"""An account without a name, that no service runs as."""
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root: acts as another account")


def as_stranger(act: Callable[[], Any]) -> Any:
    """What ``act`` returns, or the exception that it raises, in a process of another account."""
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        try:
            os.setgroups([])
            os.setresgid(STRANGER, STRANGER, STRANGER)
            os.setresuid(STRANGER, STRANGER, STRANGER)
            try:
                found = act()
            except Exception as e:
                found = e
            with os.fdopen(writer, "wb") as file:
                file.write(pickle.dumps(found))
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        said = file.read()
    os.waitpid(child, 0)
    return pickle.loads(said)


def basic(credentials: str) -> dict[str, str]:
    return {"authorization": "Basic " + base64.b64encode(credentials.encode()).decode()}


HEADERS = [
    {},
    basic("aspectra:"),
    basic("aspectra:wrong"),
    basic("admin:admin"),
    basic(":"),
    {"authorization": "Basic !!!"},
    {"authorization": "Basic"},
    {"authorization": "Bearer x"},
]
REQUESTS = [
    ("GET", "/"),
    ("HEAD", "/"),
    ("GET", "/_search?q=*:*"),
    ("POST", "/aspectra-passages/_search"),
    ("POST", "/_msearch"),
    ("GET", "/_cat/indices"),
    ("GET", "/_cluster/state"),
    ("GET", "/_nodes"),
    ("PUT", "/intruder"),
    ("POST", "/intruder/_doc"),
    ("POST", "/_bulk"),
    ("POST", "/aspectra-*/_delete_by_query"),
    ("DELETE", "/aspectra-*"),
    ("PUT", "/_cluster/settings"),
    ("PUT", "/_snapshot/theft"),
    ("PUT", "/_scripts/theft"),
]


def test_the_engine_answers_nobody_without_its_password(stack: Settings) -> None:
    def ask() -> list[tuple[str, str, int, bytes]]:
        said = []
        body = json.dumps({"query": {"match_all": {}}}) + "\n"
        for headers in HEADERS:
            for method, path in REQUESTS:
                connection = http.client.HTTPConnection("127.0.0.1", stack.engine_port, timeout=60)
                connection.request(method, path, body, {"content-type": "application/json", **headers})
                answer = connection.getresponse()
                said.append((method, path, answer.status, answer.read()))
                connection.close()
        return said

    indexes = Indexes(connect(stack), stack)
    before = indexes.count()
    answers = as_stranger(ask) if os.geteuid() == 0 else ask()
    assert len(answers) == len(HEADERS) * len(REQUESTS)
    assert {answer[2] for answer in answers} == {401}
    assert {answer[3] for answer in answers} == {b"This node needs its password.", b""}
    indexes.refresh()
    assert indexes.count() == before > 0


def test_the_engine_answers_its_owner(stack: Settings) -> None:
    client = connect(stack)
    assert client.info()["cluster_name"] == stack.engine_cluster_name
    client.indices.create(index="own")
    assert bulk(client, [{"_index": "own", "_id": str(n), "n": n} for n in range(3)], refresh=True) == (3, [])
    client.indices.delete(index="own")


def test_the_engine_and_the_broker_have_no_other_door(stack: Settings, listeners: Callable[[int], list[int]]) -> None:
    ports = {}
    for name in ("engine", "broker"):
        process = processes.running(stack, name)
        assert process
        ports[name] = listeners(process.pid)
    assert ports == {"engine": [stack.engine_port], "broker": []}


def test_only_their_owner_may_open_the_files(stack: Settings) -> None:
    data = stack.data_dir
    for folder in ("run", "engine", "broker", "engine-config", "logs/engine"):
        assert stat.S_IMODE((data / folder).stat().st_mode) == 0o700, folder
    for file in ("run/engine.password", "run/broker.conf", "ledger.sqlite3", "broker/broker.sock"):
        assert stat.S_IMODE((data / file).stat().st_mode) & 0o077 == 0, file
    assert password_file(stack).read_text() not in (data / "engine-config" / "opensearch.yml").read_text()


@as_root
def test_a_stranger_opens_no_file_and_no_socket(stack: Settings) -> None:
    def knock() -> dict[str, str]:
        said = {}
        files = ["run/engine.password", "run/broker.conf", "ledger.sqlite3", "engine-config/opensearch.yml"]
        for name in [*files, "broker/broker.sock", "logs/worker.log"]:
            try:
                (stack.data_dir / name).open("rb")
            except OSError as e:
                said[name] = type(e).__name__
        try:
            list(stack.data_dir.iterdir())
        except OSError as e:
            said["."] = type(e).__name__
        with socket.socket(socket.AF_UNIX) as knocking:
            try:
                knocking.connect(str(stack.broker_socket))
            except OSError as e:
                said["broker"] = type(e).__name__
        return said

    said = as_stranger(knock)
    assert len(said) == 8
    assert set(said.values()) == {"PermissionError"}
    assert Redis(unix_socket_path=str(stack.broker_socket)).ping()  # and we do


@as_root
def test_a_strangers_own_aspectra_is_refused(stack: Settings) -> None:
    def search() -> str:
        with engine_errors(stack):
            return str(connect(stack).info())

    assert isinstance(as_stranger(search), AspectraError)


def test_a_broadcast_does_not_stop_a_worker(stack: Settings) -> None:
    before = {found.name: (found.state, found.pid) for found in status(stack)}
    app = Celery(broker=stack.broker_address)
    for name in ("shutdown", "pool_shrink", "rate_limit"):
        app.control.broadcast(name)
    assert app.control.ping(timeout=5) == []
    assert {found.name: (found.state, found.pid) for found in status(stack)} == before


@as_root
def test_an_impostor_on_the_engines_port_hears_nothing(tmp_path: Path) -> None:
    os.seteuid(STRANGER)  # what is made meanwhile is the stranger's
    try:
        server = socket.create_server(("127.0.0.1", 0))
    finally:
        os.seteuid(0)
    settings = Settings(data_dir=tmp_path, engine_port=server.getsockname()[1], engine_timeout=5)
    password_file(settings).parent.mkdir()
    password_file(settings).write_text("hushhush")
    client = connect(settings)
    with server:
        for _ in range(2):
            with pytest.raises(EngineImpostor), engine_errors(settings):
                client.index(index="notes", body={"text": "zebrafinding"})
            heard, _ = server.accept()
            with heard:
                assert heard.recv(1000) == b""
        with pytest.raises(AspectraError, match="ASPECTRA_ENGINE_PORT"):
            Engine(settings).need_ports()
