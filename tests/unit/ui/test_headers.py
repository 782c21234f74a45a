"""What every answer carries, whichever route gives it, and methods that none takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

import ui
from tests.unit.ui.test_access import SITE, app, browser, form_key, get, post, routes, sign_in
from tests.unit.ui.test_proxied import SITE as NAMED
from tests.unit.ui.test_proxied import app as proxied
from ui.browser import COOKIE
from ui.gate import COOKIE as SESSION
from ui.security import CONTENT_SECURITY_POLICY, HEADERS

__all__ = ["app", "proxied"]
NO_TEXT = ("application/json", "application/problem+json")
"""UTF-8 always (RFC 8259): their types have no charset."""


def answers(app: Flask) -> list[tuple[str, TestResponse]]:
    """Of every route by every method, as whoever may most, and of refusals before any route."""
    client = sign_in(app, "manager")
    key = form_key(client)
    found = []
    for endpoint, method, path in [*routes(app), ("none", "GET", "/no/such/page"), ("none", "GET", "/api/v1/none")]:
        if endpoint not in ("signing.sign_out", "signing.change"):
            answer = client.open(path, method=method, base_url=SITE, headers={"X-Form-Key": key}, json={})
            found.append((f"{method} {path}", answer))
    found.append(("foreign name", browser(app).get("/", base_url="https://evil.example")))
    found.append(("foreign site", client.post("/search", base_url=SITE, headers={"Sec-Fetch-Site": "cross-site"})))
    return found


def test_every_answer_has_the_headers_and_says_its_type_and_charset(app: Flask) -> None:
    for asked, answer in answers(app):
        for name, value in HEADERS.items():
            assert answer.headers.getlist(name) == [value], (asked, name)
        assert not any(name.lower().startswith("access-control-") for name, _ in answer.headers), asked
        assert "/static/" in asked or answer.headers["Cache-Control"] == "no-store", asked
        if answer.data:
            kind = answer.headers["Content-Type"]
            assert kind in NO_TEXT or "charset=utf-8" in kind, (asked, kind)


def test_no_folder_is_listed(app: Flask) -> None:
    for path in ("/static/", "/static", "/static/../", "/static/%2e%2e/security.py", "/bootstrap/static/"):
        assert get(sign_in(app, "searcher"), path).status_code == 404, path


def test_no_script_stores_anything_or_makes_code_of_text() -> None:
    scripts = list((Path(ui.__file__).parent / "static").glob("*.js"))
    said = "\n".join(path.read_text() for path in scripts)
    assert scripts
    for word in ("localStorage", "sessionStorage", "indexedDB", "document.cookie", "innerHTML", "outerHTML", "eval("):
        assert word not in said
    assert not re.search(r"insertAdjacentHTML|document\.write|new Function|window\.postMessage", said)


def test_the_policy_names_what_may_not_be_loaded_at_all() -> None:
    assert {"default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} <= {
        *CONTENT_SECURITY_POLICY.split("; ")
    }


def test_a_name_of_its_own_is_https_for_a_year_with_all_below_it(proxied: Flask) -> None:
    for path in ("/sign-in", "/no/such/page", "/static/aspectra.css", "/api/v1/notes"):
        answer = browser(proxied).get(path, base_url=NAMED)
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains", path


@pytest.mark.parametrize("method", ["TRACE", "TRACK", "CONNECT", "PATCH"])
def test_methods_that_no_route_takes_are_refused(app: Flask, method: str) -> None:
    client = sign_in(app, "searcher")
    key = form_key(client)
    for path in ("/", "/search", "/notes/1", "/api/v1/notes", "/static/aspectra.css", "/livez"):
        answer = client.open(path, method=method, base_url=SITE, headers={"X-Form-Key": key, "X-Probe": "echo-me"})
        assert answer.status_code == 405, path
        assert "echo-me" not in answer.text


def test_signing_out_has_the_browser_forget_what_it_showed(app: Flask) -> None:
    client = sign_in(app, "searcher")
    answer = post(client, "/sign-out", form_key=form_key(client))
    assert answer.headers["Clear-Site-Data"] == '"cache", "storage"'


def test_who_has_signed_in_gets_no_cookie_but_the_session(app: Flask) -> None:
    client = sign_in(app, "searcher")
    found = post(client, "/search", line="fever", form_key=form_key(client))
    assert found.status_code == 303
    get(client, found.headers["Location"])
    assert client.get_cookie(SESSION)
    assert client.get_cookie(COOKIE) is None
