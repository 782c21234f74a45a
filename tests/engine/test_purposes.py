"""What a purpose does not cover is nowhere: thousands of requests by every role, over a real engine, in which every
note outside has a word that no answer may hold."""

from __future__ import annotations

import json
import os
import random
import re
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pydantic import SecretStr
from pyroaring import BitMap
from sqlalchemy import Engine, select
from werkzeug.test import TestResponse

from access.accounts import Account, Accounts
from access.audit.entry import Action, Outcome
from access.audit.trail import Trail, Wanted
from access.purposes import Purposes
from access.roles import FOR_A_PURPOSE, RIGHTS, Role
from access.tokens import Tokens
from aspectra.stack import up
from ingest.cohorts.finding import Finder
from ingest.cohorts.store import Store
from ingest.handover.jobs import Jobs
from ingest.ledger.tables import answers
from search_stack.retrieval.searcher import Searcher
from tests.engine.conftest import SERVICES, Place
from tests.engine.test_fuzz import _api
from tests.people import a_purpose
from tests.unit.search_stack.disclosure.test_differencing import reckoned
from tests.unit.ui.test_access import PASSWORD, form_key, get, post, sign_in
from ui.app import create_app

pytestmark = pytest.mark.engine
COUNT = int(os.environ.get("FUZZ", "600"))
CANARY, CROWDED = "kanari8317", "kanari8318"
OPEN, SHUT, CROWD = "north", "south", "east"
FIRST, SECOND = "STUDY-1", "STUDY-2"
OUTSIDE = {FIRST: rf"{CANARY}|{CROWDED}", SECOND: rf"{CANARY}|{OPEN}-\d", "": CANARY}
"""By purpose, what no answer may hold; nobody reads what is shut."""
WORDS = ["pneumothorax", "fever", "cough", "no", "possible", "without", "or", "and", "treatment", "sex:f", "age:>50"]
WORDS += [
    "type:letter",
    "within 30 days after",
    "section:impression",
    f"collection:{SHUT}",
    f"collection:{OPEN}",
    f"collection:{CROWD}",
    "fact:icd10:I48",
]
PATIENTS, NOTES = 31, 46
"""Numbers below which all there are lie."""
SLOWER, PAIRS, TIMES = 3.0, 25, 4
"""How much longer one kind of answer may take than another, at the median of so many pairs; so many times over, since
a busy machine makes one of them seem so."""
TEXTS = ("Impression: Left pneumothorax.", "Fever. No cough.", "Plan: treatment of cough. No pneumothorax.")


@pytest.fixture(scope="module")
def options() -> dict[str, Any]:
    return {"accounts": True, "web_requests_per_minute": 0, "onnx_threads": 1}


def filled(place: Place, make_csv: Callable[..., Path], tmp_path: Path) -> None:
    """Two collections: patients of one, of the other, and of both. Of a third viewers are told numbers."""
    rows = [
        {
            "note_id": f"{CROWD}-{n}",
            "patient_id": f"E-{n}",
            "text": " ".join(("Fever." if n % 9 else "No fever.", "Cough." * (n < 17), "Asthma." * (n > 5), CROWDED)),
            "type": "letter" if n % 3 else "report",
            "title": CROWDED,
            "date": "2014-01-01",
        }
        for n in range(24)
    ]
    sexes = ["female"] * 11 + ["male"] * 10 + [""] * 3
    table = tmp_path / "patients.csv"
    table.write_text("patient_id,sex\n" + "".join(f"E-{n},{sex}\n" for n, sex in enumerate(sexes)))
    for arguments in ((make_csv(rows, f"{CROWD}.csv"),), (table, "--format", "patients")):
        status, _, errors = place.run("ingest", *arguments)
        assert status == 0, errors
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


def of_groups(r: random.Random) -> str:
    """A line of which viewers are likely to be told a number."""
    words = ("fever", "cough", "asthma", "no fever", "sex:female", "sex:male", "type:letter", "type:report")
    return " ".join(r.sample(words, r.randrange(1, 4))) if r.random() < 0.8 else line(r)


def asked(r: random.Random, client: FlaskClient, key: str) -> Iterator[TestResponse]:
    """The answers to something that somebody might try."""
    form = r.randrange(14)
    if form < 3:
        scope, order = r.choice(("passage", "note", "patient")), r.choice(("", "first"))
        sent = post(client, "/search", line=line(r), scope=scope, order=order, form_key=key)
        yield sent
        if sent.status_code == 303:
            found = sent.headers["Location"].partition("?")[0]
            sort = r.choice(("", "newest", "oldest"))
            yield get(client, f"{found}?scope={scope}&order={order}&sort={sort}&page={r.randrange(1, 4)}")
            if order:
                yield get(client, f"{found}/reordered?scope={scope}")
            token, no = re.split(r"[/?]", sent.headers["Location"])[2], r.randrange(1, PATIENTS)
            yield get(client, f"/patients/{no}{r.choice(('', '/passages/1', '/passages/2'))}?from={token}")
    elif form == 3:
        address = r.choice(("/notes/{}", "/notes/{}/beside", "/patients/{}", "/notes/{}/passages/0/similar"))
        yield get(client, address.format(r.randrange(1, NOTES)))
    elif form == 4:
        start = r.choice((r.choice(WORDS)[: r.randrange(1, 9)], "type:", "collection:", "section:"))
        yield client.post("/complete", base_url="https://localhost", json={"start": start}, headers={"X-Form-Key": key})
    elif form == 5:
        addresses = ("/", "/purpose", "/purposes", "/audit", "/history", "/metrics", "/healthz", "/nowhere", "/admin")
        yield get(client, r.choice(addresses))
    elif form == 6:
        yield post(client, "/build", line=line(r), form_key=key)
        yield post(client, "/build/counts", shown=line(r), place=r.choice(("top", "0", "1", "0.0")), form_key=key)
        yield post(client, "/build/preview", field="add:top", shown=line(r), **{"add:top": line(r)}, form_key=key)
    elif form == 7:
        page = f"/cohorts/{r.randrange(1, 7)}{r.choice(PAGES)}"
        shared = f"/cohorts/compare?a={r.randrange(1, 7)}.1&b={r.randrange(1, 7)}.1"
        yield get(client, r.choice(("/cohorts", page, page, shared, f"/exports/{r.randrange(1, 9)}")))
    elif form == 8:
        yield from changed(r, client, key)
    elif form < 11:
        yield post(client, "/view", line=of_groups(r), form_key=key)
    elif form == 11:
        wanted = {"patient": r.choice(("", "P-1", "P-3", "E-4")), "person": r.choice(("", *Role))}
        wanted |= {"purpose": r.choice(("", FIRST, SECOND)), "action": r.choice(("", *Action, "nothing"))}
        yield post(client, r.choice(("/audit", "/audit/export")), **wanted, form_key=key)
    else:
        yield from _api(r, client)


PAGES = ["", "/versions/1", "/versions/1/patients", "/versions/1/export", "/changes", "/delete", "/adjudicate"]
PAGES += ["/review", "/review/1", "/review/4", "/review/20", "/review/agreement", "/review/fields", "/adjudicate/1"]
VERDICTS = ("include", "exclude", "doubt", "perhaps")


def changed(r: random.Random, client: FlaskClient, key: str) -> Iterator[TestResponse]:
    """The answers to a form that keeps something of a cohort: it is followed where it leads."""
    cohort, patient, other = r.randrange(1, 7), r.randrange(1, PATIENTS), r.randrange(1, 7)
    at, said = f"/cohorts/{cohort}", {"verdict": r.choice(VERDICTS), "version": "1", "reason": "seen"}
    path, fields = r.choice(
        (
            (f"{at}/review/{patient}", said),
            (f"{at}/review/{patient}", said),
            (f"{at}/review/{patient}/mark", {"mark": f"{r.randrange(9)} right", "version": "1"}),
            (f"{at}/review/undo", {"decision": str(r.randrange(9))}),
            (f"{at}/adjudicate/{patient}", said),
            (f"{at}/adjudicate/undo", {"decision": str(r.randrange(9))}),
            (f"{at}/review/fields", {"name": f"Field {r.randrange(5)}", "kind": "text", "choices": ""}),
            (f"{at}/review/fields/{r.randrange(1, 5)}/retire", {}),
            (f"{at}/versions/1/export", {"format": r.choice(("csv", "json", "fhir", "xls")), "text": "yes"}),
            (f"{at}/again", {}),
            (f"{at}/schedule", {"number": "2", "unit": "w"}),
            (
                "/cohorts/combine",
                {"a": f"{cohort}.1", "b": f"{other}.1", "operation": "union", "name": f"both-{cohort}"},
            ),
        )
    )
    answer = post(client, path, **fields, form_key=key)
    yield answer
    if answer.status_code == 303:
        yield get(client, answer.headers["Location"])


def numbers(page: str) -> set[int]:
    """Those of patients that a viewer is told: in the headline and the tables."""
    told = re.findall(r"(?:<td[^>]*>|headline\">)([\d,]+)(?:</td>| patient)", page)
    return {int(number.replace(",", "")) for number in told}


def test_no_answer_holds_anything_of_a_collection_outside(
    place_of: Callable[..., Place], make_csv: Callable[..., Path], tmp_path: Path, options: dict[str, Any]
) -> None:
    # In a ledger of its own everything has the numbers that are asked for, whichever tests came before.
    place = place_of(ledger_url=SecretStr(f"sqlite:///{tmp_path / 'ledger.sqlite3'}"), index_prefix="purposes")
    up(place.settings, SERVICES)
    filled(place, make_csv, tmp_path)
    app, engine = create_app(place.settings.model_copy(update=options), ledger=place.ledger), place.ledger.engine
    accounts = Accounts(engine)
    for role in Role:
        once = accounts.add(role, role)
        accounts.change_password(accounts.named(role), once, PASSWORD)
    purposes = [
        a_purpose(engine, *Role, code=FIRST, collections=[OPEN]),
        a_purpose(engine, *Role, code=SECOND, collections=[CROWD]),
    ]
    clients: list[tuple[Role, FlaskClient, str, str]] = []
    for role, purpose in product(Role, purposes):
        rights = FOR_A_PURPOSE & RIGHTS[role]
        client = sign_in(app, role, purpose=purpose.code)
        clients.append((role, client, form_key(client), OUTSIDE[purpose.code if rights else ""]))
        if rights:
            program = app.test_client()
            made = Tokens(engine).make(accounts.named(role), "test", rights, 1, purpose)
            program.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {made}"
            clients.append((role, program, "", OUTSIDE[purpose.code]))
    clients += 2 * [one for one in clients if one[0] is Role.VIEWER]  # who are told least, and have one page only
    searcher = Searcher.from_settings(place.settings, place.ledger)
    for purpose in purposes:
        finder = Finder(searcher, place.ledger, place.settings).within(purpose.reach)
        for number, asks in enumerate(("pneumothorax or asthma", "fever or cough"), 1):
            found = finder.find(searcher.understand(asks).query, "patient", asks)
            Store(engine, purpose.id).save(f"kept-{number}", found, "tests")
    leaked, codes, told = [], set(), set[int]()
    for number in range(COUNT):
        r = random.Random(number)
        role, client, key, outside = r.choice(clients)
        for answer in asked(r, client, key):
            codes.add(answer.status_code)
            if re.search(outside, f"{answer.headers}{answer.get_data(as_text=True)}"):
                leaked.append((number, role, answer.request.path))
            if answer.request.path == "/view":
                told |= numbers(answer.get_data(as_text=True))
            assert answer.status_code < 500, (number, answer.request.path)
            answer.close()
    assert leaked == []
    assert {200, 303, 400, 403, 404} <= codes
    assert told
    assert not told & {1, 2, 3, 4}
    no_few_are_reckoned(engine, accounts.named(Role.VIEWER))
    takes_as_long(app, place)
    exact(app, place)
    kept_and_exported(app, place)


def no_few_are_reckoned(engine: Engine, viewer: Account) -> None:
    """From all that a viewer was told for a purpose no set of few patients follows, by exact fractions."""
    with engine.connect() as c:
        rows = c.execute(select(answers.c.purpose, answers.c.patients).where(answers.c.account == viewer.id))
        groups: dict[int, list[frozenset[int]]] = {}
        for purpose, held in rows:
            groups.setdefault(purpose, []).append(frozenset(BitMap.deserialize(held)))
    assert groups
    for told in groups.values():
        assert reckoned(told) == []


def takes_as_long(app: Flask, place: Place) -> None:
    """No gross difference in time between what is not there and what is outside, nor by what somebody is refused; that
    404 and 403 differ tells nothing that their status does not."""
    keys = {n.note_id: n.key for n in place.ledger.listing.notes(0, 99)}
    inside, outside = (next(k for i, k in keys.items() if name in i) for name in (OPEN, SHUT))
    numbers = place.ledger.people.numbers(["P-1", f"{CANARY}-4"])
    reads, views = sign_in(app, Role.MANAGER), sign_in(app, Role.VIEWER)
    compared = [
        (reads, 404, "/notes/9999", f"/notes/{outside}"),
        (reads, 404, "/patients/9999", f"/patients/{numbers[f'{CANARY}-4']}"),
        (reads, 404, "/cohorts/9999", "/cohorts/3"),
        (views, 403, "/notes/9999", f"/notes/{inside}"),
        (views, 403, "/notes/9999", f"/notes/{outside}"),
        (views, 403, "/cohorts/9999", "/cohorts/1"),
    ]
    for client, status, *paths in compared:
        ratios = []
        for _ in range(TIMES):
            taken: tuple[list[float], list[float]] = ([], [])
            for _ in range(PAIRS):
                for path, times in zip(paths, taken, strict=True):
                    begun = time.perf_counter()
                    answer = get(client, path)
                    times.append(time.perf_counter() - begun)
                    assert answer.status_code == status, path
            ratios.append(median(taken[1]) / median(taken[0]))
            if 1 / SLOWER < ratios[-1] < SLOWER:
                break
        else:
            raise AssertionError(f"{paths}: {ratios}")
        print(f"{status} {paths[1]} against {paths[0]}: {ratios[-1]:.2f}")  # noqa: T201  # for who asks, by -s


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
    assert f"{3 * len(TEXTS)} notes to search" in get(client, "/").text


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
