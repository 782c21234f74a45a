"""What other sites may make a browser ask, whose allowance a query counts against, and how often one may ask."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from search_stack.core.settings import Settings
from ui.app import create_app
from ui.browser import COOKIE

OWN = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
LINK = OWN | {"Sec-Fetch-Site": "cross-site"}
IMAGE = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
FRAME = LINK | {"Sec-Fetch-Dest": "iframe"}


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        (OWN, True),
        (OWN | {"Origin": "null"}, True),
        ({"Sec-Fetch-Site": "none"}, True),
        (LINK, False),
        (LINK | {"Sec-Fetch-Site": "same-site"}, False),
        (IMAGE, False),
        ({"Sec-Fetch-Site": "nonsense"}, False),
        ({"Origin": "http://localhost"}, True),
        ({"Origin": "http://localhost:3000"}, False),
        ({"Origin": "http://localhost.evil.example"}, False),
        ({"Origin": "https://evil.example"}, False),
        ({"Origin": "null"}, False),
        ({"Referer": "http://localhost/"}, True),
        ({"Referer": "https://evil.example/page"}, False),
        ({}, True),
    ],
)
@pytest.mark.parametrize("path", ["/search", "/complete"])
def test_only_our_own_page_may_post(app: Flask, path: str, headers: Mapping[str, str], allowed: bool) -> None:
    body = {"json": {"start": "eff"}} if path == "/complete" else {"data": {"line": "effusion"}}
    response = app.test_client().post(path, headers=headers, **body)
    assert (response.status_code == 403) is not allowed


@pytest.mark.parametrize("path", ["/?q=effusion", "/", "/notes/1", "/results/x"])
def test_another_site_may_link_here_and_nothing_else(app: Flask, path: str) -> None:
    client = app.test_client()
    assert client.get(path, headers=LINK).status_code != 403
    for headers in (IMAGE, FRAME, LINK | {"Sec-Fetch-Dest": "embed"}, LINK | {"Sec-Fetch-Mode": "cors"}):
        assert client.get(path, headers=headers).status_code == 403


def _cookie(client: FlaskClient) -> str:
    found = client.get_cookie(COOKIE)
    return found.value if found else ""


def test_the_first_search_gives_the_browser_a_random_number(app: Flask) -> None:
    client = app.test_client()
    client.get("/", headers=OWN)
    assert _cookie(client) == ""
    response = client.post("/search", data={"line": "gossamer"}, headers=OWN)
    (said,) = response.headers.getlist("Set-Cookie")
    assert re.fullmatch(rf"{COOKIE}=[\w-]{{22}}; HttpOnly; Path=/; SameSite=Strict", said)
    assert "Set-Cookie" not in client.post("/search", data={"line": "cough"}, headers=OWN).headers


def test_a_number_that_we_never_gave_is_replaced(app: Flask) -> None:
    client = app.test_client()
    client.set_cookie(COOKIE, "A" * 22)
    assert client.post("/search", data={"line": "cough"}, headers=OWN).status_code == 303
    assert _cookie(client) != "A" * 22


@pytest.mark.parametrize("headers", [LINK, {}])
def test_what_our_page_did_not_ask_gets_no_number(app: Flask, headers: Mapping[str, str]) -> None:
    client = app.test_client()
    response = client.get("/?q=effusion", headers=headers)
    assert response.status_code == 303
    assert "Set-Cookie" not in response.headers


def test_thousands_of_searches_from_elsewhere_leave_a_reader_s_alone(tmp_path: Path) -> None:
    app = create_app(_unlimited(tmp_path))
    reader = app.test_client()
    mine = reader.post("/search", data={"line": "effusion"}, headers=OWN).headers["Location"]
    for flood in (app.test_client(), app.test_client()):
        for n in range(2100):
            flood.post("/search", data={"line": f"flood {n}"})
    busy = app.test_client()
    for n in range(300):
        busy.post("/search", data={"line": f"busy {n}"}, headers=OWN)
    assert reader.get(mine, headers=OWN).status_code == 503  # known: only the engine is missing here
    assert reader.get(mine).status_code == 503  # a link to it works without the cookie too


def _unlimited(folder: Path, most: int = 0) -> Settings:
    return Settings(
        data_dir=folder,
        engine_port=1,
        reranker_bundle="",
        onnx_threads=1,
        onnx_provider="cpu",
        web_requests_per_minute=most,
    )


def test_whoever_asks_too_often_is_told_to_wait_and_no_other(tmp_path: Path) -> None:
    app = create_app(_unlimited(tmp_path, most=5))
    first, second = app.test_client(), app.test_client()
    for client in (first, second):
        client.post("/search", data={"line": "effusion"}, headers=OWN)
    refused = [first.post("/search", data={"line": "effusion"}, headers=OWN) for _ in range(7)][-1]
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 61
    page = refused.get_data(as_text=True)
    assert "This is faster than anyone reads" in page
    assert f"Go on in {refused.headers['Retry-After']} second" in page
    assert 'value="effusion"' in page
    assert second.post("/search", data={"line": "effusion"}, headers=OWN).status_code == 303
    assert [first.get(path).status_code for path in ("/livez", "/metrics", "/static/aspectra.css") * 10] == [200] * 30
