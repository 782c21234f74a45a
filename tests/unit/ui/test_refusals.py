"""What the log tells of refusals."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from flask import Flask

from tests.unit.ui.test_access import SITE, app, browser, get, post, sign_in
from ui import refusals
from ui.refusals import MOST, Telling

__all__ = ["app"]


def told(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    return [record.__dict__["fields"] for record in caplog.records if record.message == "Refused"]


def test_each_kind_of_refusal_is_told_without_what_was_asked(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    client = sign_in(app, "searcher")
    caplog.set_level(logging.WARNING)
    get(client, "/audit")
    post(client, "/search", line="gossamer", form_key="0" * 64)
    client.post("/search", base_url=SITE, headers={"Sec-Fetch-Site": "cross-site"}, data={"line": "gossamer"})
    browser(app).get("/notes/1?from=gossamer", base_url="https://evil.example")
    browser(app).get("/api/v1/notes", base_url=SITE)
    assert get(client, "/").status_code == 200
    assert told(caplog) == [
        {"status": 403, "page": "audit.show", "account": "searcher"},
        {"status": 403, "page": "search.submit", "account": "searcher"},
        {"status": 403, "page": "search.submit", "account": ""},
        {"status": 400, "page": "notes.note", "account": ""},
        {"status": 401, "page": "api_records.notes", "account": ""},
    ]
    assert "gossamer" not in caplog.text


def test_a_flood_of_them_is_counted_and_not_told(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = 0.0
    monkeypatch.setattr(refusals.time, "monotonic", lambda: at)
    telling = Telling()
    for _ in range(MOST + 7):
        telling.tell(429, "search.results", "")
    assert len(told(caplog)) == MOST
    at = 61.0
    telling.tell(429, "search.results", "")
    assert [record.getMessage() for record in caplog.records[MOST:]] == [
        "7 refusals before this were left out.",
        "Refused",
    ]
