"""Kept cohorts by the API, without an engine: saved once, read in pages, compared with a later version."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pydantic import BaseModel
from werkzeug.test import TestResponse

from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from search_stack.cohorts.rows import NO_NOTE, UNDATED, Rows
from search_stack.core.account import present_user
from search_stack.core.schema import Note
from search_stack.core.settings import Settings
from tests.unit.aspectra.test_cohort_commands import found
from tests.unit.ui.test_api import SECRET, items, problem
from ui.api import answers
from ui.api.problems import PREFIX
from ui.app import create_app

COHORTS = f"{PREFIX}/cohorts"


@pytest.fixture(scope="module")
def app(settings: Settings, ledger: Ledger) -> Flask:
    """Patients p1 to p5 with the notes n1 to n5, by the numbers and keys 1 to 5."""
    ledger.put([Note(f"n{p}", "Text.", f"p{p}") for p in range(1, 6)], ledger.start_run("x", "csv"))
    return create_app(settings, ledger=ledger)


@pytest.fixture
def store(ledger: Ledger) -> Iterator[Store]:
    store = Store(ledger.engine)
    yield store
    for kept in store.cohorts():
        store.delete(kept.id)


def saved(client: FlaskClient, key: str = "", **body: Any) -> TestResponse:
    headers = {"Idempotency-Key": key} if key else {}
    response = client.post(COHORTS, json=body, headers=headers)
    assert response.status_code == 201, response.text
    checked(response.json, answers.SavedVersion)
    return response


def checked(body: Any, shape: type[BaseModel]) -> Any:
    """An answer, no key of which is without a description, and none of which is missing."""
    assert set(body) <= {field.alias or name for name, field in shape.model_fields.items()}
    shape.model_validate(body)
    return body


def columns(rows: list[dict[str, Any]], shape: type[BaseModel]) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in shape.model_fields) for row in rows]


@pytest.mark.usefixtures("store")
def test_a_list_of_ids_is_saved_and_read_again(client: FlaskClient) -> None:
    ids = ["p2", SECRET, "p3", "p2", "\t"]
    response = saved(client, name="registry", description="Of 2027.", patient_ids=ids)
    assert SECRET not in response.text
    said = response.json
    assert said is not None
    assert (said["name"], said["version"], said["patients"], said["by"]) == ("registry", 1, 2, present_user())
    counts = said["origin"]["import"]
    assert (counts["ids"], counts["unknown"], counts["duplicate"]) == (4, 1, 1)
    assert said.pop("left_out") == [
        {"position": 2, "reason": "no patient has this id"},
        {"position": 4, "reason": "position 1 has this id already"},
        {"position": 5, "reason": "empty"},
    ]
    at, tag = response.location, response.headers["ETag"]
    assert at == f"{COHORTS}/{said['cohort']}/versions/1"
    assert tag == f'"{said["digest"]}"'
    again = client.get(at)
    assert checked(again.json, answers.KeptVersion) == said
    assert again.headers["ETag"] == tag
    for known in (tag, f'"other", {tag}', f"W/{tag}", "*"):
        unchanged = client.get(at, headers={"If-None-Match": known})
        assert (unchanged.status_code, unchanged.data, unchanged.headers["ETag"]) == (304, b"", tag)
    assert client.get(at, headers={"If-None-Match": '"other"'}).status_code == 200


def test_the_same_request_again_makes_no_other_version(client: FlaskClient, store: Store) -> None:
    body = {"name": "a", "patient_ids": ["p1", "nobody", "p1"]}
    first = saved(client, "key-1", **body)
    assert "Idempotent-Replayed" not in first.headers
    again = saved(client, "key-1", **body)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (again.json, again.location, again.headers["ETag"]) == (first.json, first.location, first.headers["ETag"])
    other = client.post(COHORTS, json={**body, "name": "b"}, headers={"Idempotency-Key": "key-1"})
    assert "came before, with another request" in problem(other, 422)["title"]
    assert [(c.name, c.newest.number) for c in store.cohorts()] == [("a", 1)]
    assert (saved(client, "key-2", **body).json or {})["version"] == 2
    assert (saved(client, **body).json or {})["version"] == 3
    # A request that failed made nothing: its key is free.
    problem(client.post(COHORTS, json={"name": "a", "patient_ids": ["x"]}, headers={"Idempotency-Key": "k"}), 400)
    saved(client, "k", **body)
    # Keys go with the cohort.
    assert client.delete(f"{COHORTS}/{store.cohort('a').id}").status_code == 204
    assert "Idempotent-Replayed" not in saved(client, "key-1", **body).headers


@pytest.mark.parametrize("key", ["", "a b", "x" * 256, "\xe9", "a\tb"])
def test_what_is_no_key(client: FlaskClient, store: Store, key: str) -> None:
    body = {"name": "a", "patient_ids": ["p1"]}
    response = client.post(COHORTS, json=body, headers={"Idempotency-Key": key})
    assert problem(response, 422)["errors"][0]["pointer"] == "/Idempotency-Key"
    assert store.cohorts() == []


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_pages_hold_everything_once(client: FlaskClient, store: Store, limit: int) -> None:
    rows = Rows.of([1, 1, 1, 2, 3, 5], [18_262, 18_265, 18_265, UNDATED, 18_262, 18_262], [1, 1, 9, 2, NO_NOTE, 5])
    kept = store.save("a", replace(found(1, 2, 3, 4, 5), rows=rows), "mo")
    for name in "bc":
        store.save(name, found(1), "mo")
    assert [c["name"] for c in items(client, "cohorts", limit)] == ["a", "b", "c"]
    at = f"cohorts/{kept.cohort_id}/versions/1"
    assert columns(items(client, f"{at}/patients", limit), answers.Member) == [
        (1, "p1", "2020-01-01", "2020-01-04", 2),
        (2, "p2", None, None, 1),
        (3, "p3", "2020-01-01", "2020-01-01", 0),
        (4, "p4", None, None, 0),
        (5, "p5", "2020-01-01", "2020-01-01", 1),
    ]
    assert columns(items(client, f"{at}/evidence", limit), answers.EvidenceRow) == [
        (1, "2020-01-01", 1),
        (1, "2020-01-04", 1),
        (1, "2020-01-04", 9),
        (2, None, 2),
        (3, "2020-01-01", None),
        (5, "2020-01-01", 5),
    ]
    for path, shape in (("", answers.KeptCohortPage), (f"/{kept.cohort_id}", answers.CohortWithVersions)):
        checked(client.get(f"{COHORTS}{path}").json, shape)
    checked(client.get(f"{PREFIX}/{at}/patients").json, answers.MemberPage)
    checked(client.get(f"{PREFIX}/{at}/evidence").json, answers.EvidencePage)


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_what_has_changed_between_two_versions(client: FlaskClient, store: Store, limit: int) -> None:
    key = store.save("a", found(1, 2, 4), "mo").cohort_id
    store.save("a", found(2, 3, 4, 5, version=2), "mo")
    body = {"from": {"cohort": key, "version": 1}, "to": {"cohort": key}, "limit": limit}
    listed: dict[str, list[str]] = {"new": [], "gone": [], "changed": []}
    after: int | None = 0
    while after is not None:
        said = checked(client.post(f"{COHORTS}/changes", json={**body, "after": after}).json, answers.Changes)
        assert (said["from"], said["to"], said["counts"]) == ("a@1", "a@2", {"new": 2, "gone": 1, "changed": 2})
        assert sum(len(said[kind]) for kind in listed) <= limit
        for kind, seen in listed.items():
            seen += [p["patient"] for p in said[kind]]
        after = said["next"]
    assert listed == {"new": ["p3", "p5"], "gone": ["p1"], "changed": ["p2", "p4"]}


def test_made_of_two_versions(client: FlaskClient, store: Store) -> None:
    a, b = (store.save(name, found(*who), "mo").cohort_id for name, who in (("a", (1, 2)), ("b", (2, 3))))
    store.save("a", found(2), "mo")
    of = [{"cohort": a, "version": 1}, {"cohort": b}]
    made = saved(client, name="c", combine={"operation": "union", "of": of}).json
    assert made is not None
    assert (made["patients"], made["origin"]["combine"]) == (3, "union")
    assert [(o["cohort"], o["number"]) for o in made["origin"]["of"]] == [("a", 1), ("b", 1)]


def test_a_schedule(client: FlaskClient, store: Store) -> None:
    at = f"{COHORTS}/{store.save('a', found(1), 'mo').cohort_id}/schedule"
    on = checked(client.put(at, json={"every": 3600}).json, answers.KeptCohort)
    assert on["schedule"]["every"] == 3600
    assert on["schedule"]["due"]
    assert (client.put(at, json={"every": None}).json or {})["schedule"]["due"] is None
    for body in ({}, {"every": 59}, {"every": 10**10}):
        problem(client.put(at, json=body), 422)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"name": SECRET}, 422),
        ({"patient_ids": ["p1"]}, 422),
        ({"name": SECRET, "patient_ids": []}, 422),
        ({"name": SECRET, "patient_ids": ["p1"], "again": True}, 422),
        ({"name": SECRET, "patient_ids": ["p1"], "unit": "note"}, 422),
        ({"name": SECRET, "line": "fever", "query": {"words": "fever"}}, 422),
        ({"name": SECRET, "line": "x" * 2001}, 422),
        ({"name": "a", "patient_ids": [f"{SECRET}\ud800"]}, 422),
        ({"name": SECRET, "patient_ids": ["p1"], "description": "x" * 2001}, 422),
        ({"name": SECRET, "combine": {"operation": "xor", "of": [{"cohort": 1}, {"cohort": 1}]}}, 422),
        ({"name": SECRET, "combine": {"operation": "union", "of": [{"cohort": 1}]}}, 422),
        ({"name": f"{SECRET} 1", "patient_ids": ["p1"]}, 400),
        ({"name": "a", "description": "\0", "patient_ids": ["p1"]}, 400),
        ({"name": "a", "query": {"all": []}}, 400),
        ({"name": "a", "patient_ids": ["x"]}, 400),
        ({"name": "nobody", "again": True}, 404),
        ({"name": "a", "combine": {"operation": "union", "of": [{"cohort": 1, "version": 9}, {"cohort": 10**9}]}}, 404),
        ({"name": "list", "again": True}, 409),
        ({"name": "a", "line": "fever"}, 503),
        ({"name": "a", "again": True}, 503),
    ],
)
def test_what_cannot_be_saved(client: FlaskClient, store: Store, body: dict[str, Any], status: int) -> None:
    store.save("a", found(1), "mo")
    saved(client, name="list", patient_ids=["p1"])
    problem(client.post(COHORTS, json=body), status)
    assert [(c.name, c.newest.number) for c in store.cohorts()] == [("a", 1), ("list", 1)]


def test_what_is_not_there_or_makes_no_sense(client: FlaskClient, store: Store) -> None:
    a, b = (store.save(name, found(1), "mo").cohort_id for name in "ab")
    store.save("a", found(1), "mo")
    ids = saved(client, name="list", patient_ids=["p1"]).json or {}
    none, one = {"cohort": b + 99}, {"cohort": a, "version": 1}
    for method, path, body, status in (
        ("GET", f"/{b + 99}", None, 404),
        ("DELETE", f"/{b + 99}", None, 404),
        ("PUT", f"/{b + 99}/schedule", {"every": None}, 404),
        ("PUT", f"/{ids['cohort']}/schedule", {"every": 60}, 409),
        ("GET", f"/{a}/versions/3", None, 404),
        ("GET", f"/{a}/versions/3/patients", None, 404),
        ("GET", f"/{b + 99}/versions/1/evidence", None, 404),
        ("GET", f"/{a}/versions/{2**31}", None, 422),
        ("GET", "/a", None, 404),
        ("POST", "/changes", {"from": none}, 404),
        ("POST", "/changes", {"from": one, "to": {"cohort": b}}, 400),
        ("POST", "/changes", {"from": {"cohort": a, "version": 2}, "to": one}, 400),
        ("POST", "/changes", {"from": {"cohort": ids["cohort"]}}, 409),
        ("POST", "/changes", {"from": one}, 503),
        ("POST", "/changes", {"from": {"cohort": "a"}}, 422),
        ("POST", "/compare", {"first": one, "second": none}, 404),
        ("POST", "/compare", {"first": one, "second": {"cohort": b}}, 503),
    ):
        problem(client.open(f"{COHORTS}{path}", method=method, json=body), status)
