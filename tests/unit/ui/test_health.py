"""Live, ready, and what is counted; with a real ledger that is broken while the page runs."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from ingest.ledger import Ledger
from search_stack.core.schema import Note
from search_stack.core.settings import Settings
from ui.app import create_app

SECRET = "gossamer"


@pytest.fixture
def place(tmp_path: Path) -> Iterator[tuple[Flask, Path]]:
    """A page of its own over 200 notes, and the ledger's file."""
    settings = Settings(data_dir=tmp_path, engine_port=1, reranker_bundle="", onnx_threads=1, onnx_provider="cpu")
    ledger = Ledger.from_settings(settings)
    run = ledger.start_run("x", "x")
    ledger.put([Note(f"{SECRET}-{n}", f"{SECRET} {n} " * 300, f"P-{SECRET}") for n in range(200)], run)
    yield create_app(settings, ledger=ledger), tmp_path / "ledger.sqlite3"
    ledger.engine.dispose()


def _settled(file: Path) -> None:
    """Everything into the one file, so that what is broken there is what would be read."""
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def _overwrite(file: Path) -> None:
    _settled(file)
    size = file.stat().st_size
    with file.open("r+b") as f:
        f.write(random.Random(1).randbytes(size))


def _spoil_pages(file: Path) -> None:
    """Break inner pages; header, schema and counts stay readable."""
    _settled(file)
    with file.open("r+b") as f:
        pages = f.seek(0, 2) // 4096
        for page in range(pages // 2, pages // 2 + 20):
            f.seek(page * 4096)
            f.write(b"\xff" * 4096)


def _remove(file: Path) -> None:
    file.rename(file.with_suffix(".moved"))


def test_a_page_without_an_engine_lives_and_is_not_ready(client: FlaskClient) -> None:
    assert client.get("/livez").get_json() == {"status": "ok"}
    response = client.get("/healthz")
    assert response.status_code == 503
    said = response.get_json()
    assert (said["status"], said["engine"], said["ledger"]) == ("unavailable", "down", "ok")
    assert said["notes"]["failed"] == 0


@pytest.mark.parametrize(
    ("spoil", "state"),
    [(_overwrite, "damaged"), (_spoil_pages, "damaged"), (_remove, "down")],
    ids=["damaged", "spoilt", "removed"],
)
def test_a_ledger_that_breaks_while_the_page_runs_is_said(place: tuple[Flask, Path], spoil, state: str) -> None:  # type: ignore[no-untyped-def]
    app, file = place
    client = app.test_client()
    spoil(file)
    for _ in range(2):
        response = client.get("/healthz")
        assert response.status_code == 503
        assert response.get_json()["ledger"] == state
    assert client.get("/livez").status_code == 200
    assert 'aspectra_up{part="ledger"} 0.0' in client.get("/metrics").get_data(as_text=True)


def test_pages_over_a_broken_ledger_say_what_to_do(place: tuple[Flask, Path]) -> None:
    app, file = place
    client = app.test_client()
    _overwrite(file)
    app.extensions["aspectra"].ledger.engine.dispose()
    for path in ("/", "/notes/1"):
        response = client.get(path)
        page = response.get_data(as_text=True)
        assert response.status_code == 503
        assert "is damaged." in page
        assert "restore the last backup" in page
    assert client.get("/results/x").status_code == 410


def _samples(client: FlaskClient) -> dict[str, list[Sample]]:
    families = text_string_to_metric_families(client.get("/metrics").get_data(as_text=True))
    return {family.name: family.samples for family in families}


def test_metrics_tell_the_queue_and_what_was_asked(place: tuple[Flask, Path]) -> None:
    client = place[0].test_client()
    client.post("/search", data={"line": SECRET})
    client.get(f"/{SECRET}")
    found = _samples(client)
    assert {s.labels["state"]: s.value for s in found["aspectra_notes"]}["pending"] == 200
    assert found["aspectra_oldest_pending_seconds"][0].value > 0
    assert found["aspectra_claims"][0].value == 0
    asked = {(s.labels["endpoint"], s.labels["status"]) for s in found["aspectra_requests"]}
    assert {("search.submit", "3xx"), ("none", "4xx")} <= asked
    assert found["aspectra_build_info"][0].labels["version"]


def test_metrics_hold_no_text_and_no_id(place: tuple[Flask, Path]) -> None:
    client = place[0].test_client()
    at = client.post("/search", data={"line": SECRET}).headers["Location"]
    client.get(at)
    client.get(f"/notes/1?{SECRET}")
    text = client.get("/metrics").get_data(as_text=True)
    assert "aspectra_errors_total{kind=" in text
    assert SECRET not in text
    assert at.rsplit("/")[-1] not in text


def test_metrics_answer_to_names_of_this_machine_only(client: FlaskClient) -> None:
    assert client.get("/metrics", headers={"Host": "evil.example"}).status_code == 400
