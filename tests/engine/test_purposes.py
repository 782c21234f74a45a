"""What a purpose does not cover is nowhere: thousands of requests by every role, over a real engine, in which every
note outside has a word that no answer may hold."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from access.accounts import Accounts
from access.audit.entry import Action, Outcome
from access.audit.trail import Trail, Wanted
from access.purposes import Purposes
from access.roles import FOR_A_PURPOSE, RIGHTS, Role
from access.tokens import Tokens
from ingest.cohorts.finding import Finder
from ingest.cohorts.store import Store
from ingest.handover.jobs import Jobs
from search_stack.retrieval.searcher import Searcher
from tests.engine.conftest import Place
from tests.engine.test_fuzz import _api
from tests.people import a_purpose
from tests.unit.ui.test_access import PASSWORD, form_key, get, post, sign_in
from ui.app import create_app

pytestmark = pytest.mark.engine
COUNT = int(os.environ.get("FUZZ", "600"))
CANARY = "kanari8317"
OPEN, SHUT = "north", "south"
WORDS = ["pneumothorax", "fever", "cough", "no", "possible", "without", "or", "and", "treatment", "sex:f", "age:>50"]
WORDS += [
    "type:letter",
    "within 30 days after",
    "section:impression",
    f"collection:{SHUT}",
    f"collection:{OPEN}",
    "fact:icd10:I48",
]
TEXTS = ("Impression: Left pneumothorax.", "Fever. No cough.", "Plan: treatment of cough. No pneumothorax.")


@pytest.fixture(scope="module")
def options() -> dict[str, Any]:
    return {"accounts": True, "web_requests_per_minute": 0, "onnx_threads": 1}


def filled(place: Place, make_csv: Callable[..., Path], tmp_path: Path) -> None:
    """Two collections: patients of one, of the other, and of both."""
    for name, word, people in ((OPEN, "", (1, 2, 3)), (SHUT, CANARY, (3, 4, 5))):
        rows = [
            {
                "note_id": f"{word}{name}-{person}-{n}",
                # A patient of both is known by an id that both know.
                "patient_id": f"P-{person}" if person <= 3 else f"{word}-{person}",
                "text": f"{text} {word}",
                "type": f"{word} letter".strip(),
                "title": word,
                "date": f"20{10 + n}-01-0{person}",
            }
            for person in people
            for n, text in enumerate(TEXTS)
        ]
        status, _, errors = place.run("ingest", make_csv(rows, f"{name}.csv"))
        assert status == 0, errors
        codes = tmp_path / f"{name}-facts.csv"
        lines = [f"{row['patient_id']},icd10,I48,2012-01-01,{word}" for row in rows[:: len(TEXTS)]]
        codes.write_text("\n".join(("patient_id,system,code,date,name", *lines, "")))
        status, _, errors = place.run("ingest", codes, "--format", "facts", "--collection", name)
        assert status == 0, errors


def line(r: random.Random) -> str:
    return " ".join(r.choices(WORDS, k=r.randrange(1, 6)))


def asked(r: random.Random, client: FlaskClient, key: str) -> Iterator[TestResponse]:
    """The answers to something that somebody might try."""
    form = r.randrange(10)
    if form < 3:
        scope, order = r.choice(("passage", "note", "patient")), r.choice(("", "first"))
        sent = post(client, "/search", line=line(r), scope=scope, order=order, form_key=key)
        yield sent
        if sent.status_code == 303:
            found = sent.headers["Location"].partition("?")[0]
            yield get(client, f"{found}?scope={scope}&order={order}&page={r.randrange(1, 4)}")
            if order:
                yield get(client, f"{found}/reordered?scope={scope}")
            token, no = re.split(r"[/?]", sent.headers["Location"])[2], r.randrange(1, 7)
            yield get(client, f"/patients/{no}{r.choice(('', '/passages/1', '/passages/2'))}?from={token}")
    elif form == 3:
        address = r.choice(("/notes/{}", "/patients/{}", "/notes/{}/passages/0/similar"))
        yield get(client, address.format(r.randrange(1, 22)))
    elif form == 4:
        start = r.choice((r.choice(WORDS)[: r.randrange(1, 9)], "type:", "collection:", "section:"))
        yield client.post("/complete", base_url="https://localhost", json={"start": start}, headers={"X-Form-Key": key})
    elif form == 5:
        addresses = ("/", "/purpose", "/purposes", "/audit", "/history", "/metrics", "/healthz", "/nowhere", "/admin")
        yield get(client, r.choice(addresses))
    elif form == 6:
        yield post(client, "/build", line=line(r), form_key=key)
        yield post(client, "/build/preview", field="add:top", shown=line(r), **{"add:top": line(r)}, form_key=key)
    elif form == 7:
        cohort, page = r.randrange(1, 4), r.choice(("", "/versions/1", "/versions/1/patients", "/changes", "/review"))
        yield get(client, r.choice(("/cohorts", f"/cohorts/{cohort}{page}", "/cohorts/compare?a=1.1&b=2.1")))
    else:
        yield from _api(r, client)


def test_no_answer_holds_anything_of_a_collection_outside(
    empty_stack: Place, make_csv: Callable[..., Path], tmp_path: Path, options: dict[str, Any]
) -> None:
    place = empty_stack
    filled(place, make_csv, tmp_path)
    app, engine = create_app(place.settings.model_copy(update=options), ledger=place.ledger), place.ledger.engine
    accounts = Accounts(engine)
    for role in Role:
        once = accounts.add(role, role)
        accounts.change_password(accounts.named(role), once, PASSWORD)
    purpose = a_purpose(engine, *Role, collections=[OPEN])
    clients: list[tuple[Role, FlaskClient, str]] = []
    for role in Role:
        client = sign_in(app, role)
        clients.append((role, client, form_key(client)))
        if rights := FOR_A_PURPOSE & RIGHTS[role]:
            program = app.test_client()
            made = Tokens(engine).make(accounts.named(role), "test", rights, 1, Purposes(engine).named("STUDY-1"))
            program.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {made}"
            clients.append((role, program, ""))
    searcher = Searcher.from_settings(place.settings, place.ledger)
    finder = Finder(searcher, place.ledger, place.settings).within(purpose.reach)
    for number, asks in enumerate(("pneumothorax", "fever or cough"), 1):
        found = finder.find(searcher.understand(asks).query, "patient", asks)
        Store(engine, purpose.id).save(f"kept-{number}", found, "tests")
    leaked, codes = [], set()
    for number in range(COUNT):
        r = random.Random(number)
        role, client, key = r.choice(clients)
        for answer in asked(r, client, key):
            codes.add(answer.status_code)
            if CANARY in answer.get_data(as_text=True) or CANARY in str(answer.headers):
                leaked.append((number, role, answer.request.path))
            assert answer.status_code < 500, (number, answer.request.path)
            answer.close()
    assert leaked == []
    assert {200, 303, 400, 403, 404} <= codes
    exact(app, place)
    kept_and_exported(app, place)


def exact(app: Flask, place: Place) -> None:
    """What is there of a note outside is told as of one that is not: the same status, the same words."""
    client = sign_in(app, Role.MANAGER)
    keys = {n.note_id: n.key for n in place.ledger.listing.notes(0, 99)}
    outside, inside = (next(k for i, k in keys.items() if name in i) for name in (SHUT, OPEN))
    like_it(app, place, inside, outside)
    gone = get(client, "/notes/9999").text
    assert get(client, f"/notes/{outside}").text == gone
    assert get(client, f"/notes/{inside}").status_code == 200
    numbers = place.ledger.people.numbers(["P-1", f"{CANARY}-4"])
    assert [get(client, f"/patients/{n}").status_code for n in numbers.values()] == [200, 404]
    page = get(client, f"/patients/{place.ledger.people.numbers(['P-3'])['P-3']}").text
    assert OPEN in page or "letter" in page
    assert CANARY not in page
    whole = place.ledger.counts()["indexed"]
    assert f"{whole // 2} notes to search" in get(client, "/").text


def like_it(app: Flask, place: Place, inside: int, outside: int) -> None:
    """What is like a passage, in what the purpose covers; the trail has the notes that were shown, and no text."""
    client, engine = sign_in(app, Role.SEARCHER), place.ledger.engine
    page = get(client, f"/notes/{inside}/passages/0/similar")
    assert page.status_code == 200
    assert "In other notes of this patient" in page.text
    assert CANARY not in page.text
    shown = set(re.findall(rf"{OPEN}-\d-\d", page.text))
    assert len(shown) > 3
    kept = Trail(engine, place.settings.data_dir).entries(Wanted(person=Role.SEARCHER), 1)[0].entry
    assert (kept.action, kept.outcome, kept.query) == (Action.SEARCH, Outcome.DONE, "")
    assert set(kept.notes) >= shown
    assert {"key": inside, "ordinal": 0}.items() <= dict(kept.about).items()
    gone = get(client, "/notes/9999/passages/0/similar")
    for key, ordinal in ((outside, 0), (inside, 999), (2**70, 0), (inside, 2**70)):
        answer = get(client, f"/notes/{key}/passages/{ordinal}/similar")
        assert (answer.status_code, answer.text) == (404, gone.text)
    assert get(sign_in(app, Role.VIEWER), f"/notes/{inside}/passages/0/similar").status_code == 403


def kept_and_exported(app: Flask, place: Place) -> None:
    """Cohorts and exports hold what their purpose covers, and nothing more is shown of them once it has ended."""
    engine = place.ledger.engine
    purpose = Purposes(engine).named("STUDY-1")
    client = app.test_client()
    manager = Accounts(engine).named(Role.MANAGER)
    made = Tokens(engine).make(manager, "test", FOR_A_PURPOSE & manager.rights, 1, purpose)
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {made}"
    site = {"base_url": "https://localhost"}
    answer = client.post("/api/v1/cohorts", json={"name": "own", "line": "pneumothorax or fact:icd10:I48"}, **site)
    assert answer.json["patients"] == 3, answer.json
    number = answer.json["cohort"]
    listed = client.get(f"/api/v1/cohorts/{number}/versions/1/patients", **site).json["items"]
    assert [one["patient_id"] for one in listed] == ["P-1", "P-2", "P-3"]
    assert (
        client.post("/api/v1/cohorts", json={"name": "list", "patient_ids": [f"{CANARY}-4"]}, **site).status_code == 400
    )
    export = client.post("/api/v1/exports", json={"cohort": number, "format": "csv"}, **site).json["export"]
    jobs = Jobs(engine, purpose.id)
    place.wait(lambda: jobs.job(export).state in ("done", "failed"))
    files = client.get(f"/api/v1/exports/{export}", **site).json["files"]
    for name in files:
        assert CANARY not in client.get(f"/api/v1/exports/{export}/files/{name}", **site).text
    assert "P-3" in client.get(f"/api/v1/exports/{export}/files/cohort.csv", **site).text
    status, out, _ = place.run("cohort", "--purpose", "study-1", "run", "pneumothorax", "--json")
    assert (status, json.loads(out)["patients"]) == (0, 3)
    status, out, _ = place.run("cohort", "run", "pneumothorax", "--json")
    assert json.loads(out)["patients"] == 5
    status, _, errors = place.run("cohort", "show", "own")
    assert (status, "no cohort" in errors) == (1, True)
    trail = Trail(engine, place.settings.data_dir)
    assert {one.entry.about["purpose"] for one in trail.entries(Wanted(purpose="STUDY-1"), 50)} == {"STUDY-1"}
    Purposes(engine).close("STUDY-1")
    assert client.get("/api/v1/cohorts", **site).status_code == 403
    status, _, errors = place.run("cohort", "--purpose", "study-1", "run", "pneumothorax")
    assert (status, "has ended" in errors) == (1, True)
    assert Store(engine, purpose.id).cohort("own").id == number
