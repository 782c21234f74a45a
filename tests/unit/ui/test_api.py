"""The API without an engine: its shapes, its errors, its pages of records, and its description."""

from __future__ import annotations

import html
import json
import re
import shlex
from datetime import date
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ingest.ledger import Ledger
from search_stack.core.schema import Merge, Note, Patient, Person
from search_stack.core.settings import Settings
from ui.api import answers
from ui.api.problems import CONTENT_TYPE, PREFIX
from ui.app import create_app

SECRET = "gossamer"


@pytest.fixture(scope="module")
def app(settings: Settings, ledger: Ledger) -> Flask:
    notes = [
        Note(f"n{n}", f"FINDINGS: {SECRET} {n}.", f"P-{n % 3}", "letter", date(2020, 1, 1 + n), collection=f"c{n % 2}")
        for n in range(7)
    ]
    ledger.put(notes, ledger.start_run("x", "csv"))
    ledger.learn([Patient("P-1", Person("female", date(1950, 2, 3)))])
    return create_app(settings, ledger=ledger)


def problem(response: Any, status: int) -> dict[str, Any]:
    assert (response.status_code, response.content_type) == (status, CONTENT_TYPE)
    assert SECRET not in response.get_data(as_text=True)
    body = json.loads(response.data)
    assert body["status"] == status
    assert body["title"]
    return dict(body)


def test_a_line_is_understood(client: FlaskClient) -> None:
    found = client.post(f"{PREFIX}/understand", json={"line": "no fever"})
    assert found.status_code == 200
    assert found.json == {
        "line": "no fever",
        "query": {"finding": "fever", "assertion": "absent"},
        "aside": [],
        "notices": [],
    }


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("understand", {}, "/line"),
        ("understand", {"line": SECRET, "lines": SECRET}, "/lines"),
        ("understand", {"line": "x" * 2001}, "/line"),
        ("understand", [SECRET], ""),
        ("search", {"line": SECRET, "scope": SECRET}, "/scope"),
        ("search", {"line": SECRET, "size": SECRET}, "/size"),
        ("search", {"line": SECRET, "size": 101}, "/size"),
        ("search", {"line": SECRET, "page": 0}, "/page"),
        ("search", {"line": SECRET, "query": {"words": SECRET}}, ""),
        ("search", {"scope": "note"}, ""),
        ("cohorts/run", {"line": SECRET, "unit": "passage"}, "/unit"),
        ("patients/find", {"patient_ids": []}, "/patient_ids"),
        ("patients/find", {"patient_ids": [{"a": SECRET}]}, "/patient_ids/0"),
        ("patients/find", {"patient_ids": ["P-1", f"{SECRET}\0"]}, "/patient_ids/1"),
        ("patients/find", {"patient_ids": ["P-1", f"{SECRET}\ud800"]}, "/patient_ids/1"),
    ],
)
def test_a_body_of_another_shape_is_a_problem_that_names_the_place_and_not_what_was_sent(
    client: FlaskClient, path: str, body: object, pointer: str
) -> None:
    found = problem(client.post(f"{PREFIX}/{path}", json=body), 422)
    assert pointer in [e["pointer"] for e in found["errors"]]


@pytest.mark.parametrize("body", ["", "{", "[" * 100_000, f'"{SECRET}"', "null", "\xff"])
def test_a_body_that_is_no_object_is_a_problem(client: FlaskClient, body: str) -> None:
    problem(client.post(f"{PREFIX}/understand", data=body, content_type="application/json"), 422)


def test_a_form_is_not_taken_for_json(client: FlaskClient) -> None:
    problem(client.post(f"{PREFIX}/understand", data={"line": "fever"}), 422)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "nothing", 404),
        ("GET", "patients/99", 404),
        ("GET", "patients/99/notes", 404),
        ("GET", "notes/99", 404),
        ("GET", "notes/99999999999999999999", 422),
        ("GET", "notes?limit=0", 422),
        ("GET", "notes?after=-1", 422),
        ("GET", "notes?collection=%00", 422),
        ("GET", "search", 405),
        ("DELETE", "notes/1", 405),
    ],
)
def test_what_is_not_there_is_a_problem(client: FlaskClient, method: str, path: str, status: int) -> None:
    problem(client.open(f"{PREFIX}/{path}", method=method), status)


def test_a_query_that_cannot_be_read_says_why(client: FlaskClient) -> None:
    assert "bracket" in problem(client.post(f"{PREFIX}/search", json={"line": "(fever"}), 400)["title"]
    assert problem(client.post(f"{PREFIX}/cohorts/run", json={"query": {"all": []}}), 400)["detail"]


def test_an_engine_that_is_away_is_a_problem_that_passes(client: FlaskClient) -> None:
    for path in ("search", "cohorts/run"):
        assert problem(client.post(f"{PREFIX}/{path}", json={"line": "fever"}), 503)["request_id"]


def test_another_site_may_not_ask(client: FlaskClient) -> None:
    found = client.post(f"{PREFIX}/understand", json={"line": "fever"}, headers={"Origin": "https://elsewhere.example"})
    assert found.status_code == 403
    assert client.get(f"{PREFIX}/patients", headers={"Host": "elsewhere.example"}).status_code == 400


def items(client: FlaskClient, path: str, limit: int) -> list[dict[str, Any]]:
    """All items, page by page."""
    out: list[dict[str, Any]] = []
    after = 0
    while after is not None:
        joined = "&" if "?" in path else "?"
        page = client.get(f"{PREFIX}/{path}{joined}after={after}&limit={limit}").json
        assert page is not None
        assert len(page["items"]) <= limit
        out += page["items"]
        after = page["next"]
    return out


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
def test_pages_hold_everything_once(client: FlaskClient, limit: int) -> None:
    assert [n["note_id"] for n in items(client, "notes", limit)] == [f"n{n}" for n in range(7)]
    assert [n["note_id"] for n in items(client, "notes?collection=c1", limit)] == ["n1", "n3", "n5"]
    assert [(p["patient_id"], p["notes"]) for p in items(client, "patients", limit)] == [
        ("P-0", 3),
        ("P-1", 2),
        ("P-2", 2),
    ]
    assert [n["note_id"] for n in items(client, "patients/1/notes", limit)] == ["n0", "n3", "n6"]


def test_a_page_goes_on_where_it_was_though_a_note_went(client: FlaskClient, ledger: Ledger) -> None:
    first = client.get(f"{PREFIX}/notes?limit=2").json
    assert first is not None
    ledger.put([Note("gone", "x", "P-9")], ledger.start_run("x", "csv"))
    last = items(client, "notes", 100)[-1]
    assert last["note_id"] == "gone"
    ledger.mark_deleting(["gone"])
    assert [n["note_id"] for n in items(client, "notes", 100)] == [f"n{n}" for n in range(7)]
    assert client.get(f"{PREFIX}/notes/{last['key']}").status_code == 404
    rest = client.get(f"{PREFIX}/notes?after={first['next']}").json
    assert rest is not None
    assert rest["items"][0]["note_id"] == "n2"


def test_a_note_and_a_patient(client: FlaskClient) -> None:
    note = client.get(f"{PREFIX}/notes/2").json
    answers.WholeNote.model_validate(note)
    assert note is not None
    assert (note["text"], note["date"], note["age"]) == (f"FINDINGS: {SECRET} 1.", "2020-01-02", 69)
    assert [s["heading"] for s in note["sections"]] == ["FINDINGS:"]
    assert note["findings"] == []  # it waits to be indexed
    found = client.post(f"{PREFIX}/patients/find", json={"patient_ids": ["P-1", "nobody"]}).json
    assert found is not None
    assert [(p["patient_id"], p["sex"], p["birth_date"]) for p in found["items"]] == [("P-1", "female", "1950-02-03")]
    assert client.get(f"{PREFIX}/patients/2").json == found["items"][0]


def test_a_patient_who_was_merged_is_the_one_who_stays(client: FlaskClient, ledger: Ledger) -> None:
    ledger.put([Note("old", "x", "P-old"), Note("new", "x", "P-new")], ledger.start_run("x", "csv"))
    own = ledger.people.numbers(["P-old", "P-new"])
    ledger.merges.put([Merge("P-old", "P-new")])
    stays = client.get(f"{PREFIX}/patients/{own['P-new']}").json
    assert stays is not None
    assert (stays["patient_id"], stays["notes"]) == ("P-new", 2)
    assert client.get(f"{PREFIX}/patients/{own['P-old']}").json == stays
    found = client.post(f"{PREFIX}/patients/find", json={"patient_ids": ["P-old"]}).json
    assert found is not None
    assert found["items"] == [stays]
    for number in own.values():
        listed = items(client, f"patients/{number}/notes", 100)
        assert [(n["note_id"], n["patient_no"]) for n in listed] == [("old", own["P-new"]), ("new", own["P-new"])]
        page = client.get(f"/patients/{number}").get_data(as_text=True)
        assert all(text in page for text in ("P-new", "old", "new"))
        assert "P-old" not in page
    assert "P-old" not in [p["patient_id"] for p in items(client, "patients", 100)]
    ledger.mark_deleting(["old", "new"])


def test_the_page_of_the_api_shows_every_request_with_an_example_that_is_taken(app: Flask, client: FlaskClient) -> None:
    told = client.get("/api").text
    shown = [html.unescape(one) for one in re.findall(r'<pre class="api-example"[^>]*><code>(.*?)</code>', told, re.S)]
    said = client.get(f"{PREFIX}/openapi.json").json
    assert said is not None
    wanted = {(method.upper(), path) for path, methods in said["paths"].items() for method in methods}
    assert {(m, p) for m, p in re.findall(r'<span class="api-method">(\w+)</span> (/api/v1/[^<]+)<', told)} == wanted
    assert len(shown) == len(wanted)
    for example in shown:
        words = shlex.split(example.replace("\\\n", ""))
        address = next(word for word in words if word.startswith("http"))
        method = words[words.index("-X") + 1] if "-X" in words else "POST" if "-d" in words else "GET"
        body = words[words.index("-d") + 1] if "-d" in words else None
        answer = client.open(address, method=method, data=body, content_type="application/json")
        assert answer.status_code not in (400, 405, 422), (example, answer.text)  # an engine and cohorts are not there
        assert "Authorization" not in example


def test_the_description_names_every_request_and_refers_to_nothing_that_is_not_in_it(
    app: Flask, client: FlaskClient
) -> None:
    said = client.get(f"{PREFIX}/openapi.json").json
    assert said is not None
    assert said["openapi"].startswith("3.1.")
    served = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(rule)), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if str(rule).startswith(PREFIX)
    }
    described = {(path, method) for path, methods in said["paths"].items() for method in methods}
    assert described == served - {(f"{PREFIX}/openapi.json", "get")}
    referred = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(said)))
    assert referred <= set(said["components"]["schemas"])
    operations = [o for path in said["paths"].values() for o in path.values()]
    assert all(o["summary"] for o in operations)
    for answers_of in (o["responses"] for o in operations):
        (success,) = (status for status in answers_of if status.startswith("2"))
        assert success == "204" or all(shape["schema"] for shape in answers_of[success]["content"].values())
    assert len({o["operationId"] for o in operations}) == len(operations)
    saving = said["paths"][f"{PREFIX}/cohorts"]["post"]
    assert set(saving["responses"]["201"]["headers"]) == {"ETag", "Location", "Idempotent-Replayed"}
    assert [p["name"] for p in saving["parameters"]] == ["Idempotency-Key"]
    assert "422" in said["paths"][f"{PREFIX}/search"]["post"]["responses"]
