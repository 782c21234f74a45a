"""The page behind a proxy with TLS: by which names, over what, and whose address counts."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
import requests
from flask import Flask

from access.accounts import Accounts
from access.audit.entry import Action
from access.audit.trail import Trail, Wanted
from access.roles import Role
from ingest.ledger import Ledger
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from tests.conftest import free_port
from tests.unit.ui.test_access import PASSWORD, browser
from ui.app import create_app
from ui.server import make_server
from ui.signing import TRIES_FROM

NAME = "aspectra.hospital.example"
SITE = f"https://{NAME}"


def settings_for(folder: Path, **more: object) -> Settings:
    options = {"data_dir": folder, "engine_port": 1, "reranker_bundle": "", "onnx_threads": 1, "onnx_provider": "cpu"}
    own = {"accounts": True, "web_requests_per_minute": 0, "web_names": f"{NAME}, other.example"}
    return Settings(**{**options, **own, **more})  # type: ignore[arg-type]  # by name


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    settings = settings_for(tmp_path)
    ledger = Ledger.from_settings(settings)
    accounts = Accounts(ledger.engine)
    once = accounts.add("lee", Role.SEARCHER)
    accounts.change_password(accounts.named("lee"), once, PASSWORD)
    return create_app(settings, ledger=ledger)


@pytest.mark.parametrize(
    ("address", "status"),
    [
        (SITE, 200),
        (f"{SITE}:8443", 200),
        ("https://OTHER.example", 200),
        (f"http://{NAME}", 400),
        ("https://evil.example", 400),
        (f"https://{NAME}.evil.example", 400),
        (f"https://sub.{NAME}", 400),
        ("http://localhost:8600", 200),
        ("http://127.0.0.1:8600", 200),
    ],
)
def test_it_answers_to_its_names_over_https_only(app: Flask, address: str, status: int) -> None:
    answer = browser(app).get("/sign-in", base_url=address)
    assert answer.status_code == status
    named = status == 200 and "example" in address.lower()
    assert ("Strict-Transport-Security" in answer.headers) == named


def test_without_names_it_answers_to_none(tmp_path: Path) -> None:
    app = create_app(settings_for(tmp_path, web_names=""))
    assert browser(app).get("/sign-in", base_url=SITE).status_code == 400


def test_names_want_accounts_and_are_names(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match="ASPECTRA_ACCOUNTS"):
        create_app(settings_for(tmp_path, accounts=False))
    for wrong in ("https://a.example", "a.example:8443", "a b", "localhost", "*", "a/b"):
        with pytest.raises(ValueError, match="host"):
            settings_for(tmp_path, web_names=wrong)


def test_wrong_passwords_are_slowed_down_by_address_where_a_proxy_tells_it(app: Flask) -> None:
    most = int(TRIES_FROM.split()[0])
    client = browser(app)

    def tried(n: int, address: str, site: str = SITE) -> int:
        fields = {"name": f"nobody{n}", "password": "no"}
        environ = {"REMOTE_ADDR": address}
        return client.post("/sign-in", base_url=site, data=fields, environ_overrides=environ).status_code

    assert {tried(n, "10.0.0.7") for n in range(most)} == {401}
    assert tried(most, "10.0.0.7") == 429
    right = {"name": "lee", "password": PASSWORD}
    there, elsewhere = ({"REMOTE_ADDR": f"10.0.0.{n}"} for n in (7, 8))
    assert client.post("/sign-in", base_url=SITE, data=right, environ_overrides=there).status_code == 429
    assert client.post("/sign-in", base_url=SITE, data=right, environ_overrides=elsewhere).status_code == 303
    local = "http://localhost"
    assert {tried(n, "127.0.0.1", local) for n in range(100, 100 + most + 2)} == {401}


def test_the_trail_tells_the_address_of_who_signs_in(app: Flask) -> None:
    right = {"name": "lee", "password": PASSWORD}
    for site, address in ((SITE, "10.0.0.7"), ("http://localhost", "127.0.0.1")):
        answer = browser(app).post("/sign-in", base_url=site, data=right, environ_overrides={"REMOTE_ADDR": address})
        assert answer.status_code == 303
    services = app.extensions["aspectra"]
    local, named = Trail(services.ledger.engine, services.settings.data_dir).entries(Wanted(action=Action.SIGN_IN), 9)
    assert named.entry.about == {"address": "10.0.0.7"}
    assert local.entry.about == {}


@contextmanager
def served(folder: Path, **more: object) -> Iterator[int]:
    settings = settings_for(folder, web_port=free_port(), **more)
    server = make_server(create_app(settings), settings)
    thread = Thread(target=server.run)
    thread.start()
    try:
        yield settings.web_port
    finally:
        server.stop()
        thread.join()


@pytest.mark.parametrize(
    ("lengths", "statuses"),
    [
        ("Transfer-Encoding: chunked\r\nContent-Length: 60\r\n", [b"401", b"200"]),  # chunks count: RFC 9112, 6.3
        ("Content-Length: 60\r\nContent-Length: 5\r\n", [b"400"]),
        ("Content-Length: +5\r\n", [b"400"]),
        ("Transfer-Encoding: xchunked\r\nContent-Length: 60\r\n", [b"501"]),
    ],
)
def test_a_request_ends_where_one_rule_says_so(tmp_path: Path, lengths: str, statuses: list[bytes]) -> None:
    head = f"POST /api/v1/understand HTTP/1.1\r\nHost: localhost\r\n{lengths}\r\n0\r\n\r\n"
    sent = f"{head}GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with served(tmp_path) as port, socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(sent.encode())
        came = b""
        while more := connection.recv(65536):
            came += more
    assert re.findall(rb"HTTP/1\.1 (\d+)", came) == statuses


def test_the_word_of_a_proxy_counts_only_where_one_is_named(tmp_path: Path) -> None:
    said = {"Host": NAME, "X-Forwarded-Proto": "https", "X-Forwarded-For": "10.0.0.7"}
    with served(tmp_path / "named") as port:
        answer = requests.get(f"http://127.0.0.1:{port}/sign-in", headers=said, timeout=60)
        assert (answer.status_code, "Strict-Transport-Security" in answer.headers) == (200, True)
        without = {"Host": NAME}
        assert requests.get(f"http://127.0.0.1:{port}/sign-in", headers=without, timeout=60).status_code == 400
        # What passes on a name of another kind is not passed on by us.
        other = {**said, "Host": "evil.example", "X-Forwarded-Host": NAME}
        assert requests.get(f"http://127.0.0.1:{port}/sign-in", headers=other, timeout=60).status_code == 400
    with served(tmp_path / "none", web_names="") as port:
        local = {**said, "Host": "localhost"}
        answer = requests.get(f"http://127.0.0.1:{port}/", headers=local, timeout=60, allow_redirects=False)
        assert (answer.status_code, answer.headers["Location"]) == (303, "/sign-in")
        assert "Strict-Transport-Security" not in answer.headers
