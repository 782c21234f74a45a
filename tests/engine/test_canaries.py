"""Words that stand in notes, queries, reviews, purposes and names of cohorts, and nowhere that others read: no log, no
message of the broker, no address, no metric, no entry of the audit trail, and no file but those that hold text."""

from __future__ import annotations

import base64
import io
import logging
import re
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from redis import Redis
from sqlalchemy import text
from werkzeug.test import TestResponse

from access.accounts import Accounts
from access.audit.trail import Trail, Wanted
from access.purposes import Purposes
from access.roles import RIGHTS, Role
from access.tokens import Tokens
from ingest.cohorts.store import Store
from ingest.handover.export import FORMS
from ingest.handover.jobs import Jobs
from ingest.ledger.ledger import now
from ingest.review.store import Reviews
from search_stack.core.logs import OURS, JsonLines, TextLines
from search_stack.core.settings import Settings
from search_stack.retrieval.searcher import Searcher
from tests.engine.conftest import Place
from tests.unit.ui.test_access import PASSWORD, SITE, form_key, get, post, sign_in
from ui.app import create_app

pytestmark = pytest.mark.engine
STEM = "kanari2749"
NOTE, QUERY, REVIEW, PURPOSE, COHORT, NAME = (f"{STEM}{kind}" for kind in "nqrpcx")
CODE = "CANARIES-1"
PEOPLE = 12
HOLD_TEXT = ("ledger.sqlite3", "engine/", "engine-snapshots/", "exports/")
"""What of the data folder holds text by design: docs/security.md."""
_ADDRESS = re.compile(r"(?:href|action|formaction|src|data-[\w-]+)=\"([^\"]*)\"")


def named(role: str) -> str:
    """The account of a test that others share a ledger with."""
    return f"canary-{role}"


class Watched:
    """Somebody who has signed in, every address of whose pages is looked at."""

    def __init__(self, app: Flask, name: str) -> None:
        self.client = sign_in(app, named(name), purpose=CODE)
        self.key = form_key(self.client)

    def get(self, path: str) -> TestResponse:
        return self._seen(get(self.client, path))

    def post(self, path: str, **fields: Any) -> TestResponse:
        return self._seen(post(self.client, path, form_key=self.key, **fields))

    def follow(self, path: str, **fields: Any) -> TestResponse:
        made = self.post(path, **fields)
        assert made.status_code == 303, (path, made.status_code, re.sub(r"<[^>]+>|\s+", " ", made.text)[:2000])
        return self.get(made.headers["Location"])

    def follow_to(self, path: str) -> TestResponse:
        sent = self.get(path)
        assert sent.status_code == 303, path
        return self.get(sent.headers["Location"])

    def _seen(self, answer: TestResponse) -> TestResponse:
        told = [answer.request.url, *map(str, answer.headers.to_wsgi_list())]
        if "text/html" in answer.headers.get("Content-Type", ""):
            told += _ADDRESS.findall(answer.text)
        assert [one for one in told if STEM in one.casefold()] == []
        return answer


@pytest.fixture
def logged() -> Iterator[list[io.StringIO]]:
    """All that our own code would log, at its most talkative, in both forms."""
    root, streams, handlers = logging.getLogger(), [], []
    for formatter in (TextLines(), JsonLines()):
        handler = logging.StreamHandler(io.StringIO())
        handler.setFormatter(formatter)
        streams.append(handler.stream)
        handlers.append(handler)
        root.addHandler(handler)
    levels = {name: logging.getLogger(name).level for name in OURS}
    for name in OURS:
        logging.getLogger(name).setLevel(logging.DEBUG)
    yield streams
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
    for handler in handlers:
        root.removeHandler(handler)


class Listener:
    """All that lies in the broker, looked at again and again: what a worker has taken stays there until it is done."""

    def __init__(self, settings: Settings) -> None:
        self._socket = str(settings.broker_socket)
        self._seen: set[str] = set()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        client = Redis(unix_socket_path=self._socket)
        while not self._over.wait(0.01):
            for key in client.keys("*"):
                kind = client.type(key)
                found = {
                    b"list": lambda key: client.lrange(key, 0, -1),
                    b"hash": lambda key: [*client.hgetall(key).items()],
                    b"string": lambda key: [client.get(key)],
                    b"set": lambda key: [*client.smembers(key)],
                    b"zset": lambda key: client.zrange(key, 0, -1),
                }.get(kind, lambda _: [])(key)
                self._seen.update(str(one) for one in (key, *found))

    def all(self) -> str:
        """With the bodies of the messages, which are encoded, read."""
        self._over.set()
        self._thread.join(30)
        whole = "\n".join(self._seen)
        bodies = set(re.findall(r'body\\*": ?\\*"([A-Za-z0-9+/=]+)', whole))
        assert bodies, "no message was seen"
        return whole + "\n".join(base64.b64decode(body).decode() for body in bodies)


@pytest.fixture
def listener(empty_stack: Place) -> Listener:
    return Listener(empty_stack.settings)


@pytest.fixture
def app(empty_stack: Place, listener: Listener, make_csv: Callable[..., Path]) -> Flask:
    rows = [
        {
            "note_id": f"id-{n}",
            "patient_id": f"P-{n}",
            "text": f"{NOTE} History: {NOTE} was seen with fever on day {n}. No cough. {NOTE}",
            "type": "letter",
            "title": f"Letter of {NOTE}",
            "date": f"2020-01-{n + 10}",
        }
        for n in range(PEOPLE)
    ]
    status, out, errors = empty_stack.run("ingest", make_csv(rows))
    assert status == 0, errors
    assert STEM not in (out + errors).casefold()
    own = {"accounts": True, "web_requests_per_minute": 0, "onnx_threads": 1, "log_level": "debug"}
    given = {**own, "reranker_bundle": Settings().reranker_bundle}
    app = create_app(empty_stack.settings.model_copy(update=given), ledger=empty_stack.ledger)
    accounts = Accounts(empty_stack.ledger.engine)
    for name, role in (*((role, role) for role in Role), ("second", Role.REVIEWER)):
        once = accounts.add(named(name), role)
        accounts.change_password(accounts.named(named(name)), once, PASSWORD)
    return app


def walk(app: Flask, place: Place) -> None:
    """Each page that somebody types into or reads text on, by who may."""
    engine = place.ledger.engine
    until = (now().date() + timedelta(days=30)).isoformat()
    opened = {"code": CODE, "kind": "study", "title": PURPOSE, "approval": f"Board of {PURPOSE}", "until": until}
    manager = Watched(app, Role.MANAGER)
    assert manager.post("/purposes", **opened, all="1").status_code < 400
    number = Purposes(engine).named(CODE).id
    for name in (Role.VIEWER, Role.SEARCHER, Role.REVIEWER, "second"):
        assert manager.post(f"/purposes/{number}/people", name=named(name), add="1").status_code < 400
    assert PURPOSE in manager.get("/purposes").text
    manager = Watched(app, Role.MANAGER)  # who states the purpose now
    assert PURPOSE in manager.get("/").text

    # Searching, building, reading.
    for order in ("", "first"):
        sent = manager.post("/search", line=f"fever {NOTE}", order=order)
        found = manager.get(sent.headers["Location"])
        assert NOTE in found.text
        token = sent.headers["Location"].split("/")[2].partition("?")[0]
        assert manager.get(f"/results/{token}/reordered").status_code == 200
        manager.get(f"/results/{token}?scope=patient&page=2")
    manager.post("/search", line=f'"{QUERY}')  # a quote that is not closed
    assert QUERY in manager.follow("/search", line=f"{QUERY} or fever without {QUERY}s").text
    for path in re.findall(r'href="(/(?:notes|patients)/[^"#]+)', found.text)[:4]:
        assert NOTE in manager.get(path.replace("&amp;", "&")).text
    typed = manager.client.post("/complete", base_url=SITE, json={"start": QUERY}, headers={"X-Form-Key": manager.key})
    assert typed.status_code == 200
    assert QUERY in manager.post("/build", line=f"fever or {QUERY}").text
    assert manager.post("/build", shown="fever", do="add", **{"add:top": QUERY}).status_code == 200
    assert manager.post("/build", line=f"section:{QUERY}").status_code in (200, 400)
    assert manager.post("/build/counts", shown=f"fever, {QUERY}", place="0").status_code == 200
    assert manager.post("/build/preview", shown="fever", field="line", line=QUERY).status_code == 200
    assert QUERY in manager.get("/history").text
    manager.get(f"/?q={'fever'}")

    # Cohorts: kept, told, compared, combined, handed over.
    first = manager.follow("/search", line="fever")
    token = first.request.path.rsplit("/", 1)[-1]
    kept = manager.follow("/cohorts", token=token, name=COHORT, description=f"About {COHORT}", unit="patient")
    assert COHORT in kept.text
    cohort = int(kept.request.path.split("/")[2])
    assert manager.post("/cohorts", token=token, name=COHORT).status_code == 200  # it is there already
    assert manager.post("/cohorts", token=token, name=f"{COHORT} and blanks").status_code == 400
    assert manager.follow(f"/cohorts/{cohort}/again").status_code == 200
    here = f"/cohorts/{cohort}"
    for path in ("", "/versions/1", "/versions/1/patients", "/changes", "/versions/1/export", "/delete"):
        assert COHORT in manager.get(here + path).text, path
    assert NOTE in manager.get(f"{here}/versions/1/patients").text
    both = {"a": f"{cohort}.1", "b": f"{cohort}.2"}
    assert COHORT in manager.get(f"/cohorts/compare?a={both['a']}&b={both['b']}").text
    manager.follow("/cohorts/combine", **both, operation="union", name=f"{COHORT}-2", description=COHORT)
    manager.follow(f"{here}/schedule", number="2", unit="w")
    for form in FORMS:
        show = manager.follow(f"{here}/versions/1/export", format=form, text="on")
        manager.get(f"{show.request.path}/state")
    jobs = Jobs(engine, number)
    place.wait(lambda: {job.state for job in jobs.all()} == {"done"}, pause=0.5)
    for job in jobs.all():
        for path in re.findall(r'href="(/exports/\d+/files/[^"]+)"', manager.get(f"/exports/{job.id}").text):
            manager.get(path).close()

    # Review, by two, and what a third settles.
    manager.follow(f"{here}/review/fields", name=REVIEW, kind="text")
    manager.follow(f"{here}/review/fields", name=f"{REVIEW} choice", kind="choice", choices=f"{REVIEW} a\n{REVIEW} b")
    one, other = Reviews(engine, cohort).fields()
    for name, verdict in ((Role.REVIEWER, "include"), ("second", "exclude")):
        reader = Watched(app, name)
        shown = reader.follow_to(f"{here}/review")
        assert NOTE in shown.text
        no = int(shown.request.path.rsplit("/", 1)[-1])
        filled = {f"field-{one.id}": REVIEW, f"quote-{one.id}": NOTE, f"field-{other.id}": f"{REVIEW} a"}
        given = {"version": "2", "verdict": verdict, "reason": REVIEW, "comment": f"{REVIEW} {NOTE}", **filled}
        reader.follow(f"{here}/review/{no}", **given)
        wrong = {**given, f"quote-{one.id}": f"{REVIEW} stands nowhere"}
        assert REVIEW in reader.post(f"{here}/review/{no}", **wrong).text
        if mark := re.search(r'name="mark" value="([^"]+)"', reader.get(f"{here}/review/{no}").text):
            reader.post(f"{here}/review/{no}/mark", version="2", mark=mark[1])
        assert REVIEW in reader.get(f"{here}/review/{no}").text
    manager.get(f"{here}/review/agreement")
    settled = manager.follow_to(f"{here}/adjudicate")
    assert REVIEW in settled.text
    manager.follow(settled.request.path, version="2", verdict="exclude", reason=REVIEW, comment=REVIEW)
    assert REVIEW in manager.get(f"{here}/adjudicate").text

    # Viewers, auditors, who runs it, programs, and somebody at the door.
    viewer = Watched(app, Role.VIEWER)
    assert "Fever" in viewer.post("/view", line="fever").text or viewer.post("/view", line="fever").status_code == 200
    assert QUERY in viewer.post("/view", line=f"fever or {QUERY}").text
    auditor = Watched(app, Role.AUDITOR)
    assert QUERY in auditor.get("/audit").text  # for who may open it
    auditor.post("/audit", person=named(Role.MANAGER), patient="P-1")
    auditor.post("/audit/export").close()
    admin = Watched(app, Role.ADMIN)
    assert STEM not in admin.get("/admin").text.casefold()
    assert STEM not in admin.get("/metrics").text.casefold()
    admin.post("/admin/failed", collection=NAME)
    programs(app, place, cohort)
    post(app.test_client(), "/sign-in", name=NAME, password=NAME)
    app.test_client().get(f"/nowhere/{NAME}?{NAME}={NAME}", base_url=SITE)
    app.test_client().get("/api/v1/notes", base_url=SITE, headers={"Authorization": f"Bearer {NAME}"})
    assert manager.post(f"{here}/delete").status_code == 303


def programs(app: Flask, place: Place, cohort: int) -> None:
    """The same by the API, with a token that has a canary for its label."""
    account = Accounts(place.ledger.engine).named(named(Role.MANAGER))
    purpose = Purposes(place.ledger.engine).named(CODE)
    reads = RIGHTS[Role.MANAGER] & {right for right in account.rights if right.value != "purposes"}
    made = Tokens(place.ledger.engine).make(account, NAME, reads, 1, purpose)
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {made}"
    asked: list[tuple[str, dict[str, Any], int]] = [
        ("understand", {"line": QUERY}, 200),
        ("suggest", {"start": QUERY}, 200),
        ("search", {"line": f"fever {NOTE}"}, 200),
        ("search", {"line": f'"{QUERY}'}, 400),
        ("cohorts/run", {"line": f"fever or {QUERY}"}, 200),
        ("cohorts", {"name": f"{COHORT}-3", "line": f"fever or {QUERY}", "description": COHORT}, 201),
        ("cohorts", {"name": f"{COHORT}-4", "patient_ids": [NAME]}, 400),
        ("patients/find", {"patient_ids": [NAME]}, 200),
        ("exports", {"cohort": cohort, "version": 1, "format": NAME}, 422),
        ("search", {"line": QUERY, "scope": NAME}, 422),
    ]
    for path, body, status in asked:
        answer = client.post(f"/api/v1/{path}", base_url=SITE, json=body)
        assert answer.status_code == status, (path, answer.status_code, answer.text[:500])
        assert STEM not in answer.headers.get("Location", "").casefold()
    key = place.ledger.listing.notes(0, 1)[0].key
    assert NOTE in client.get(f"/api/v1/notes/{key}", base_url=SITE).text
    for path in ("notes", "patients", "cohorts", f"cohorts/{cohort}/versions/1/patients", "exports"):
        assert client.get(f"/api/v1/{path}", base_url=SITE).status_code == 200, path


def test_no_word_leaves_the_places_that_hold_text(
    app: Flask, empty_stack: Place, listener: Listener, logged: list[io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    place, engine = empty_stack, empty_stack.ledger.engine
    walk(app, place)

    # A failure that nobody foresaw, whose own words are those of a note.
    def broken(*_: Any, **__: Any) -> Any:
        raise ValueError(f"{NOTE} {QUERY} {REVIEW}")

    manager = Watched(app, Role.MANAGER)
    cohort = Store(engine, Purposes(engine).named(CODE).id).cohorts()[0].id
    for whose, name, path in (
        (Searcher, "search", ""),
        (Searcher, "overview", f"/cohorts/{cohort}"),
        (Searcher, "cohort", "/build"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(whose, name, broken)
            if path == "/build":
                answer = manager.post(path, line="fever")
            else:
                answer = manager.get(path or manager.post("/search", line="fever").headers["Location"])
        assert answer.status_code == 500, path
        assert [word for word in (NOTE, QUERY, REVIEW) if word in answer.text] == [], path

    lines = "\n".join(stream.getvalue() for stream in logged)
    assert "ValueError" in lines
    assert STEM not in lines.casefold()
    assert STEM not in listener.all().casefold()
    folder = place.settings.data_dir
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    assert {"logs/worker.log", "audit.head"} <= files.keys()
    held = [
        name
        for name, path in files.items()
        if not name.startswith(HOLD_TEXT) and STEM.encode() in path.read_bytes().lower()
    ]
    assert held == []
    with engine.connect() as c:
        entries = [str(tuple(row)) for row in c.execute(text("select * from audit"))]
    assert len(entries) > 60
    assert [one for one in entries if STEM in one.casefold()] == []
    # They were there to be lost: the key opens what was asked.
    trail = Trail(engine, folder)
    opened = " ".join(trail.seal.opened(one.entry.query) or "" for one in trail.all_entries(Wanted()))
    assert all(word in opened for word in (NOTE, QUERY))
