"""The page of who runs the installation, over a real ledger with runs and notes that failed."""

from __future__ import annotations

import os
import re
import time
from html import unescape
from pathlib import Path

import pytest

from access.accounts import Accounts
from access.audit.entry import Action
from access.audit.trail import Trail, Wanted
from access.roles import Role
from ingest.ledger import Ledger
from ingest.ledger.queue import Queue
from ingest.work.ready import ready_file
from search_stack.core.schema import Note
from search_stack.core.settings import Settings
from search_stack.inference.bundle import read_manifest
from tests.people import a_purpose
from tests.unit.ui.test_access import PASSWORD, form_key, get, post, sign_in
from ui.app import create_app

CANARY = "canary8317"


class Place:
    """Three failed notes of two collections, one that waits, and no service but the page."""

    def __init__(self, folder: Path, accounts: bool) -> None:
        options = {"data_dir": folder, "engine_port": 1, "reranker_bundle": "", "onnx_threads": 1}
        self.settings = Settings(**options, onnx_provider="cpu", accounts=accounts, web_requests_per_minute=0)
        self.ledger = Ledger.from_settings(self.settings)
        if accounts:
            made = Accounts(self.ledger.engine)
            once = made.add("admin", Role.ADMIN)
            made.change_password(made.named("admin"), once, PASSWORD)
        run = self.ledger.start_run(f"/ward/{CANARY}.csv", "csv")
        notes = [
            Note(f"{CANARY}-{n}", f"{CANARY} {n}", f"P-{CANARY}", title=CANARY, collection=("ward", "<clinic>")[n % 2])
            for n in range(4)
        ]
        self.ledger.put(notes, run)
        self.ledger.finish_run(run, {"new": 4, "rejected": 1234})
        self.ledger.put([], self.ledger.start_run(f"/ward/{CANARY}.txt", "text"))
        queue = Queue(self.ledger, full=4, seconds=60, max_attempts=1)
        taken = queue.begin(queue.claim() or "")
        for stored, error in zip(taken, ("ValueError", "KeyError", "RefusedDocument 400 x"), strict=False):
            queue.fail(stored, error)
        rejects = folder / "rejects" / "run-1.jsonl"
        rejects.parent.mkdir()
        rejects.write_text(f'{{"source": "{CANARY}"}}\n')
        self.app = create_app(self.settings, ledger=self.ledger)

    def counts(self) -> tuple[int, int]:
        found = self.ledger.counts()
        return found["pending"], found["failed"]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path, accounts=True)


def cells(page: str) -> list[list[str]]:
    """Of all rows, without marks."""
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    found = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows)
    return [[" ".join(re.sub(r"<[^>]*>", " ", one).split()) for one in row] for row in found]


def test_an_admin_who_states_no_purpose_sees_numbers_of_all_collections(place: Place) -> None:
    answer = get(sign_in(place.app, "admin", purpose=""), "/admin")
    assert answer.status_code == 200
    rows = cells(answer.text)
    assert ["1", "0", "3", "0", "1"] in [row[:5] for row in rows]  # pending, indexed, failed, deleting, claims
    alike = [row[:3] for row in rows if "Try them again" in row[-1]]
    assert alike == [["&lt;clinic&gt;", "KeyError", "1"], ["ward", "RefusedDocument 400 x", "1"]]
    reading, finished = (next(row for row in rows if row[:2] == run) for run in (["2", "text"], ["1", "csv"]))
    assert "not read to its end; 0 notes came in so far" in reading
    assert finished[4:10] == ["4", "0", "0", "1,234", "1", "3"]
    assert finished[10] == str(place.settings.data_dir / "rejects" / "run-1.jsonl")
    assert [row for row in rows if row and row[0].endswith(("read", "settled"))] == [
        ["0 of 0 settled, and more is read"],
        ["3 of 4 settled"],  # three failed, and wait no more
    ]
    told = get(sign_in(place.app, "admin", purpose=""), "/admin/runs").json
    assert told == {
        "over": False,
        "runs": [
            {"number": 2, "percent": 0, "words": "0 of 0 settled, and more is read"},
            {"number": 1, "percent": 75, "words": "3 of 4 settled"},
        ],
    }
    assert ["admin", "admin", "open"] in [row[:3] for row in rows]
    assert PASSWORD not in answer.text
    assert 'href="/admin" aria-current="page"' in answer.text
    assert "How it does" not in answer.text  # the way there is at the account


RUNS = {
    "": ["2", "1"],
    "format=csv": ["1"],
    "format=text": ["2"],
    "standing=records were rejected": ["1"],
    "standing=not read to its end": ["2"],
    "standing=notes have failed": ["1"],
    "standing=notes wait": ["1"],
    "format=text&standing=notes have failed": [],
    "since=2020-01-01&until=9999-12-31": ["2", "1"],
    "until=2020-01-01": [],
    "since=9999-12-31": [],
}


@pytest.mark.parametrize(("asked", "expected"), RUNS.items())
def test_runs_are_filtered_by_what_the_address_says(place: Place, asked: str, expected: list[str]) -> None:
    client = sign_in(place.app, "admin", purpose="")
    page = get(client, f"/admin?{asked}").text
    assert [row[0] for row in cells(page) if len(row) in (7, 11) and row[0].isdigit()] == expected
    assert ("No run fits." in page) == (not expected)
    # What the script looks at is what stands there: a run that is left out would have it load the page for ever.
    going = get(client, f"/admin/runs?{asked}").json
    assert going is not None
    assert [str(run["number"]) for run in going["runs"]] == expected
    if asked and expected:
        assert unescape(re.findall(r'data-url="([^"]*)"', page)[0]).startswith("/admin/runs?")


def test_people_are_filtered_beside_runs(place: Place) -> None:
    made = Accounts(place.ledger.engine)
    for name, role in (("dr.lee", Role.REVIEWER), ("dr.lea", Role.MANAGER)):
        made.add(name, role)
    client = sign_in(place.app, "admin", purpose="")

    def names(asked: str) -> list[str]:
        rows = cells(get(client, f"/admin?{asked}").text)
        return [row[0] for row in rows if len(row) == 4 and row[0] in ("admin", "dr.lea", "dr.lee")]

    assert names("") == ["admin", "dr.lea", "dr.lee"]
    assert names("name=DR.") == ["dr.lea", "dr.lee"]
    assert names("role=reviewer") == ["dr.lee"]
    assert names("state=open") == ["admin"]
    assert names("name=dr.&state=one-time password&role=manager") == ["dr.lea"]
    assert "Nobody fits." in get(client, "/admin?name=nobody").text
    page = get(client, "/admin?name=dr.&format=csv").text
    assert '<input type="hidden" name="name" value="dr.">' in page  # stays where runs are asked for
    assert 'href="/admin?name=dr.#runs-at">All<' in page
    assert 'href="/admin?format=csv#people-at">All<' in page


@pytest.mark.parametrize("asked", ["since=yesterday", "standing=well", "role=king"])
def test_what_cannot_be_looked_for_is_said(place: Place, asked: str) -> None:
    answer = get(sign_in(place.app, "admin", purpose=""), f"/admin?{asked}")
    assert answer.status_code == 400
    assert "This cannot be looked for." in answer.text
    assert "Ingest runs" in answer.text


def test_models_tell_the_figures_of_their_cards_and_no_others(place: Place) -> None:
    rows = {row[0]: row[1:] for row in cells(get(sign_in(place.app, "admin", purpose=""), "/admin").text) if row}
    card = read_manifest(place.settings.encoder_bundle)
    which, figures, measured = rows["Encoder"]
    assert (which, unescape(measured)) == (card.identity, card.figures["data"])
    assert f"nDCG@10 {card.figures['nDCG@10']:.3f}" in figures
    assert "bm25" not in figures
    assert rows["Reranker"] == ["none", "", ""]
    assert rows["Reader of mentions"][1:] == ["none in its card", ""]


def test_it_leads_to_purposes_and_says_who_reads_the_trail(place: Place) -> None:
    a_purpose(place.ledger.engine, code="OPEN-ONE")
    page = get(sign_in(place.app, "admin", purpose=""), "/admin").text
    assert 'purpose open, 0 ended: <a href="/purposes">' in page
    assert "read by auditors" in page


def test_no_text_and_no_id_is_on_the_page(place: Place) -> None:
    client = sign_in(place.app, "admin", purpose="")
    tried = post(client, "/admin/failed", form_key=form_key(client), collection="ward")
    assert tried.status_code == 200
    for answer in (get(client, "/admin"), tried):
        assert CANARY not in answer.text
        assert "argon2" not in answer.text


def test_failed_notes_of_a_collection_are_tried_again_and_that_is_kept(place: Place) -> None:
    client = sign_in(place.app, "admin", purpose="")
    key, trail = form_key(client), Trail(place.ledger.engine, place.settings.data_dir)
    assert get(client, "/admin").status_code == 200
    assert trail.entries(Wanted(action=Action.OPERATE), 9) == []  # to read numbers is no entry
    assert post(client, "/admin/failed", collection="ward").status_code == 403
    assert place.counts() == (1, 3)
    answer = post(client, "/admin/failed", form_key=key, collection="ward")
    assert "2 notes of ward are tried again." in answer.text
    assert place.counts() == (3, 1)
    kept = trail.entries(Wanted(action=Action.OPERATE), 1)[0].entry
    assert (kept.person, kept.about) == ("admin", {"what": "try again", "collection": "ward", "number": 2})
    answer = post(client, "/admin/failed", form_key=key, collection=CANARY)
    assert "No note of that collection has failed." in answer.text
    assert CANARY not in str(trail.entries(Wanted(action=Action.OPERATE), 1)[0].entry)
    assert place.counts() == (3, 1)


def test_health_tells_what_is_away(place: Place) -> None:
    client = sign_in(place.app, "admin", purpose="")

    def health() -> dict[str, str]:
        return {row[0]: row[1] for row in cells(get(client, "/admin").text) if len(row) == 3}

    before = health()
    assert {name: before[name] for name in ("Engine", "Index", "Ledger", "Broker")} == {
        "Engine": "down",
        "Index": "unknown",
        "Ledger": "ok",
        "Broker": "down",
    }
    assert before["Worker"] == "not seen from here"
    ready = ready_file(place.settings)
    ready.parent.mkdir()
    ready.write_text("1")
    assert health()["Worker"] == "ok"
    os.utime(ready, (time.time() - 3600, time.time() - 3600))
    assert health()["Worker"] == "silent"


def test_where_nobody_signs_in_the_page_is_open_and_lists_nobody(tmp_path: Path) -> None:
    place = Place(tmp_path, accounts=False)
    client = place.app.test_client()
    answer = client.get("/admin")
    assert (answer.status_code, "Last sign-in" in answer.text) == (200, False)
    assert client.post("/admin/failed", data={"collection": "<clinic>"}).status_code == 200
    assert place.counts() == (2, 2)


def test_a_ledger_that_breaks_leaves_the_health_to_read(tmp_path: Path) -> None:
    place = Place(tmp_path, accounts=False)
    place.ledger.engine.dispose()
    (tmp_path / "ledger.sqlite3").rename(tmp_path / "away")
    answer = place.app.test_client().get("/admin")
    assert answer.status_code == 200
    assert ["Ledger", "down", "It does not answer."] in cells(answer.text)
    assert "Ingest runs" not in answer.text
