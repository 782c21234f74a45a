"""Pages that need no engine: the start page, every error page, and the headers of all of them."""

from __future__ import annotations

import io
import logging
import re
from datetime import date

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ingest.ledger import Ledger
from search_stack.criteria import FIELDS, parse
from search_stack.logs import TextLines
from search_stack.schema import Note
from search_stack.settings import Settings
from ui.app import create_app
from ui.home_page import EXAMPLES, SYNTAX
from ui.request_ids import HEADER
from ui.security import CONTENT_SECURITY_POLICY, LARGEST_BODY

SECRET = "xanthochromia"


@pytest.fixture(scope="module")
def note_key(ledger: Ledger) -> int:
    text = f"FINDINGS: <b>{SECRET}</b> & effusion.\n\n  IMPRESSION: none.\n"
    ledger.put(
        [Note("demo-0001", text, "P-1", "clinic letter", date(2021, 2, 3), "", "demo")], ledger.start_run("x", "x")
    )
    return 1


def _hardened(response: TestResponse) -> bool:
    return (
        response.headers.getlist("Content-Security-Policy") == [CONTENT_SECURITY_POLICY]
        and response.headers["X-Content-Type-Options"] == "nosniff"
        and response.headers["Referrer-Policy"] == "same-origin"
        and "Set-Cookie" not in response.headers
    )


def test_the_start_page_teaches_fields_and_ingestion(client: FlaskClient) -> None:
    response = client.get("/")
    page = response.get_data(as_text=True)
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"
    assert "There are no notes to search yet." in page
    assert "aspectra ingest PATH" in page
    for name in FIELDS:
        assert f"<code>{name}:" in page


@pytest.mark.parametrize("line", [line for line, _ in EXAMPLES])
def test_every_example_can_be_asked(client: FlaskClient, line: str) -> None:
    assert line in client.get("/").get_data(as_text=True).replace("&#34;", '"')
    assert client.post("/search", data={"line": line}).status_code == 303


def test_the_syntax_that_is_taught_is_the_parser_s() -> None:
    read = {line: parse(f"a {line}") for line, _ in SYNTAX}
    assert read["cough -fever"].excluded[0].text == "fever"
    assert len(read["embolism OR thrombosis"].clauses[1]) == 2
    assert read['"chest pain"'].clauses[1][0].phrase


@pytest.mark.parametrize("path", ["/", "/nowhere", "/results/unknown", "/static/aspectra.css", "/notes/7"])
def test_every_response_is_hardened(client: FlaskClient, path: str) -> None:
    assert _hardened(client.get(path))


@pytest.mark.parametrize("path", ["/", "/nowhere", "/results/unknown"])
def test_no_page_holds_inline_script_style_or_foreign_addresses(client: FlaskClient, path: str) -> None:
    page = client.get(path).get_data(as_text=True)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script>", page)
    assert not re.search(r"""(?:href|src|action)="(?:https?:)?//""", page)


def test_the_shell_around_the_policy_has_no_hole() -> None:
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert CONTENT_SECURITY_POLICY.startswith("default-src 'none'")


@pytest.mark.parametrize("host", ["localhost", "localhost:8600", "LOCALHOST:1", "127.0.0.1:9", "[::1]:8600", "[::1]"])
def test_names_of_this_machine_are_answered(client: FlaskClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example:80", "127.0.0.1.nip.io", "[::2]", "x@localhost"]
)
def test_foreign_names_are_refused(client: FlaskClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 400


def test_a_search_moves_the_line_out_of_the_address(client: FlaskClient) -> None:
    response = client.post("/search", data={"line": SECRET, "scope": ["passage", "patient"]})
    assert response.status_code == 303
    assert re.fullmatch(r"/results/[\w-]{22}\?scope=patient", response.headers["Location"])


def test_a_link_with_a_query_does_the_same(client: FlaskClient) -> None:
    response = client.get("/", query_string={"q": SECRET})
    assert response.status_code == 303
    assert SECRET not in response.headers["Location"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('"chest pain', "A quote (&#34;) is not closed."),
        ("", "The query is empty."),
        ("sectoin:impression", "There is no field sectoin."),
        ("after:soon", "after:soon is not a date."),
    ],
)
def test_a_line_that_cannot_be_read_is_explained_and_kept(client: FlaskClient, line: str, message: str) -> None:
    response = client.post("/search", data={"line": line})
    page = response.get_data(as_text=True)
    assert response.status_code == 400
    assert message in page
    assert f'value="{line.replace(chr(34), "&#34;")}"' in page
    assert FIELDS["section"] in page


def test_a_line_far_too_long_gets_its_own_message(client: FlaskClient) -> None:
    response = client.post("/search", data={"line": "a" * 100_000})
    assert response.status_code == 400
    assert "The query has 100,000 characters; at most 2,000 are read." in response.get_data(as_text=True)


def test_a_body_beyond_all_measure_is_refused(client: FlaskClient) -> None:
    response = client.post("/search", data={"line": "a" * LARGEST_BODY})
    assert response.status_code == 413
    assert "This is too much to read" in response.get_data(as_text=True)


def test_an_unknown_token_has_expired(client: FlaskClient) -> None:
    response = client.get("/results/AAAAAAAAAAAAAAAAAAAAAA")
    assert response.status_code == 410
    page = response.get_data(as_text=True)
    assert "This search has expired" in page
    assert 'type="search" value=""' in page


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nowhere", 404), ("GET", "/notes/999", 404), ("GET", f"/notes/{10**30}", 404), ("POST", "/notes/1", 405)],
)
def test_other_errors_are_pages_too(client: FlaskClient, method: str, path: str, status: int) -> None:
    response = client.open(path, method=method)
    assert response.status_code == status
    assert "Aspectra" in response.get_data(as_text=True)
    assert ("Allow" in response.headers) == (status == 405)


def test_a_note_is_shown_whole(client: FlaskClient, note_key: int) -> None:
    response = client.get(f"/notes/{note_key}")
    page = response.get_data(as_text=True)
    assert response.status_code == 200
    assert f"&lt;b&gt;{SECRET}&lt;/b&gt; &amp; effusion.\n\n  " in page
    assert '<time datetime="2021-02-03">' in page


@pytest.mark.parametrize("path", ["/", "/nowhere", "/notes/1", "/results/unknown"])
def test_the_demo_notice_is_on_every_page(client: FlaskClient, note_key: int, path: str) -> None:
    assert "Synthetic demonstration notes – no real patients." in client.get(path).get_data(as_text=True)


@pytest.mark.parametrize("arguments", ["scope=galaxy&page=x", "page=-1", "page=0", f"page={'9' * 5000}", "page=²"])
def test_odd_arguments_do_no_harm(client: FlaskClient, note_key: int, arguments: str) -> None:
    assert client.get(f"/notes/{note_key}?from=x&{arguments}").status_code == 200


def test_an_unforeseen_error_shows_and_logs_no_text(settings: Settings, ledger: Ledger) -> None:
    app = _failing(settings, ledger)
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(TextLines())
    logging.getLogger().addHandler(handler)
    try:
        response = app.test_client().get("/fails", headers={HEADER: "mine"})
    finally:
        logging.getLogger().removeHandler(handler)
    page, log = response.get_data(as_text=True), written.getvalue()
    assert response.status_code == 500
    assert "Something went wrong on our side" in page
    reference = re.search(r"<code>([0-9a-f]{12})</code>", page)
    assert reference
    assert reference[1] == response.headers[HEADER]
    assert f"request={reference[1]}" in log
    assert "RuntimeError" in log
    assert SECRET not in page + log
    assert "Traceback" not in page + log


def test_every_answer_has_an_id_of_its_own(client: FlaskClient) -> None:
    ids = {client.get(path).headers[HEADER] for path in ("/", "/nowhere", "/static/aspectra.css", "/")}
    assert len(ids) == 4


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"start":' * 20_000,
        b"{",
        b"",
        b"null",
        b"[]",
        b'"eff"',
        b'{"start": 1}',
        b'{"start": null}',
        b'{"stop": "eff"}',
        b"\xff\xfe\x00",
    ],
)
def test_a_body_that_is_no_start_of_a_word_is_refused(client: FlaskClient, body: bytes) -> None:
    response = client.post("/complete", data=body, content_type="application/json")
    assert response.status_code == 400


@pytest.mark.parametrize("path", ["/", "/notes/1", "/results/x"])
def test_an_address_of_stray_bytes_is_refused(client: FlaskClient, path: str) -> None:
    assert client.get(path, environ_overrides={"QUERY_STRING": "q=\xa5\xff"}).status_code == 400


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_that_is_not_said_to_be_json_is_refused(client: FlaskClient, content_type: str) -> None:
    response = client.post("/complete", data=b'{"start": "eff"}', content_type=content_type)
    assert response.status_code in (400, 415)


def _failing(settings: Settings, ledger: Ledger) -> Flask:
    app = create_app(settings, ledger=ledger)

    @app.get("/fails")
    def fails() -> str:
        raise RuntimeError(SECRET)

    return app
