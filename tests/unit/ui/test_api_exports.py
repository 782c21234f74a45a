"""Exports over the API: ordered once by their key, told by number, fetched file by file and no further."""

from __future__ import annotations

import stat
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ingest.cohorts.store import Store
from ingest.handover.export import Order
from ingest.handover.jobs import Job, Jobs
from ingest.ledger import Ledger
from search_stack.cohorts.version import Operand
from search_stack.core.schema import Note
from search_stack.core.settings import Settings
from ui.api import answers
from ui.api.problems import CONTENT_TYPE, PREFIX
from ui.app import create_app

EXPORTS = f"{PREFIX}/exports"


@pytest.fixture(scope="module")
def app(settings: Settings, ledger: Ledger) -> Flask:
    ledger.put([Note(f"n{p}", "Text.", f"p{p}") for p in range(1, 4)], ledger.start_run("x", "csv"))
    return create_app(settings, ledger=ledger)


@pytest.fixture
def cohort(client: FlaskClient, ledger: Ledger) -> Any:
    said = client.post(f"{PREFIX}/cohorts", json={"name": "registry", "patient_ids": ["p1", "p2"]}).json
    assert said is not None
    yield said["cohort"]
    Store(ledger.engine).delete("registry")


def ordered(client: FlaskClient, key: str = "", **body: Any) -> dict[str, Any]:
    response = client.post(EXPORTS, json=body, headers={"Idempotency-Key": key} if key else {})
    assert response.status_code == 201, response.text
    said = dict(response.json or {})
    answers.Export.model_validate(said)
    assert response.location == f"{EXPORTS}/{said['export']}"
    assert client.get(response.location).json == said
    return said


def written(ledger: Ledger, number: int) -> Job:
    """As a worker leaves it, whatever is in the files."""
    jobs = Jobs(ledger.engine)
    while made := jobs.claim():
        claim, job = made
        job.output.write_text("rows")
        job.output.with_name("cohort.csv.provenance.json").write_text("{}")
        job.output.with_name(".cohort.csv.export").mkdir()
        (job.output.with_name(".cohort.csv.export") / "secret").write_text("half")
        jobs.finish(claim)
    return jobs.job(number)


def test_an_export_is_ordered_followed_and_fetched(client: FlaskClient, ledger: Ledger, cohort: int) -> None:
    said = ordered(client, cohort=cohort, format="csv", text=False)
    assert (said["state"], said["files"], said["of"]) == ("waiting", [], {"name": "registry", "version": 1})
    job = written(ledger, said["export"])
    assert stat.S_IMODE(job.output.parent.stat().st_mode) == 0o700
    assert (job.options["text"], job.options["guard"]) == (False, True)
    done = client.get(f"{EXPORTS}/{said['export']}").json
    assert done is not None
    assert (done["state"], done["files"]) == ("done", ["cohort.csv", "cohort.csv.provenance.json"])
    assert str(job.output.parent) not in str(done)
    fetched = client.get(f"{EXPORTS}/{said['export']}/files/cohort.csv")
    assert (fetched.status_code, fetched.data) == (200, b"rows")
    assert fetched.headers["Cache-Control"] == "no-store"
    for name in ("other.csv", ".cohort.csv.export/secret", "../../ledger.sqlite3", "%2e%2e/%2e%2e/ledger.sqlite3"):
        refused = client.get(f"{EXPORTS}/{said['export']}/files/{name}")
        assert refused.status_code == 404, name


def test_what_was_written_elsewhere_cannot_be_fetched(client: FlaskClient, ledger: Ledger, tmp_path: Any) -> None:
    number = Jobs(ledger.engine).add(Operand("x", 1, 1), Order("csv", tmp_path / "cohort.csv"), True, None, "mo")
    written(ledger, number)
    said = client.get(f"{EXPORTS}/{number}").json
    assert said is not None
    assert (said["state"], said["files"]) == ("done", [])
    assert client.get(f"{EXPORTS}/{number}/files/cohort.csv").status_code == 404


def test_the_same_request_orders_one_export(client: FlaskClient, cohort: int) -> None:
    body = {"cohort": cohort, "format": "fhir"}
    first = ordered(client, "k1", **body)
    again = client.post(EXPORTS, json=body, headers={"Idempotency-Key": "k1"})
    assert (again.json, again.headers["Idempotent-Replayed"]) == (first, "true")
    other = client.post(EXPORTS, json={**body, "format": "csv"}, headers={"Idempotency-Key": "k1"})
    assert (other.status_code, other.content_type) == (422, CONTENT_TYPE)
    assert ordered(client, "k2", **body)["export"] != first["export"]


def test_pages_hold_every_export_once(client: FlaskClient, cohort: int) -> None:
    for _ in range(3):
        ordered(client, cohort=cohort, format="parquet")
    found, after = [], 0
    while after is not None:
        page = client.get(f"{EXPORTS}?limit=2&after={after}").json
        assert page is not None
        answers.ExportPage.model_validate(page)
        found += [e["export"] for e in page["items"]]
        after = page["next"]
    assert found == sorted(set(found))
    assert len(found) >= 3


@pytest.mark.parametrize(
    ("body", "status"),
    [({"cohort": 999, "format": "csv"}, 404), ({"cohort": 1, "format": "xls"}, 422), ({"format": "csv"}, 422)],
)
def test_what_cannot_be_ordered_is_a_problem(client: FlaskClient, body: dict[str, Any], status: int) -> None:
    response = client.post(EXPORTS, json=body)
    assert (response.status_code, response.content_type) == (status, CONTENT_TYPE)
    assert client.get(f"{EXPORTS}/9999").status_code == 404
