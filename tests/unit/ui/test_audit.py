"""What page and API leave in the audit trail, and that nothing is shown which it could not take."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from access.accounts import Accounts
from access.audit.entry import Action, Entry, Outcome
from access.audit.trail import Trail, Wanted
from access.audit.witness import WITNESS
from access.roles import RIGHTS, Right, Role
from access.tokens import Tokens
from ingest.cohorts.store import Store
from ingest.handover.jobs import Jobs
from ingest.ledger import Ledger
from search_stack.core.schema import Note
from search_stack.core.settings import Settings
from tests.people import a_purpose
from tests.unit.aspectra.test_cohort_commands import found
from tests.unit.ui.test_access import PASSWORD, SITE, browser, for_a_purpose, form_key, get, post, routes, sign_in
from ui.app import create_app
from ui.rights import NEEDED, action_of

CANARY = "canary8317"
BY_TOKEN = {"by": "token", "purpose": "STUDY-1"}


class Place:
    """A page where people sign in, over a ledger with three notes of two patients and no engine."""

    def __init__(self, folder: Path) -> None:
        options = {"data_dir": folder, "engine_port": 1, "reranker_bundle": "", "onnx_threads": 1}
        settings = Settings(**options, onnx_provider="cpu", accounts=True, web_requests_per_minute=0)
        self.folder = folder
        self.ledger = Ledger.from_settings(settings)
        self.accounts = Accounts(self.ledger.engine)
        for role in Role:
            once = self.accounts.add(role, role)
            self.accounts.change_password(self.accounts.named(role), once, PASSWORD)
        notes = [Note(f"n{n}", f"Text with {CANARY}.", f"p{n % 2}") for n in range(3)]
        self.ledger.put(notes, self.ledger.start_run("x", "csv"))
        a_purpose(self.ledger.engine, code="ENDED-BY-A-TEST")  # the addresses of all routes name it
        self.purpose = a_purpose(self.ledger.engine, *Role)
        self.app = create_app(settings, ledger=self.ledger)
        self.trail = Trail(self.ledger.engine, folder)

    def entries(self, **wanted: Any) -> list[Entry]:
        """The oldest first."""
        return [one.entry for one in self.trail.all_entries(Wanted(**wanted))][::-1]

    def last(self) -> Entry:
        return self.trail.entries(Wanted(), 1)[0].entry

    def by_token(self, right: Right) -> FlaskClient:
        role = next(role for role in Role if right in RIGHTS[role])
        purpose = for_a_purpose(self.ledger.engine, right)
        made = Tokens(self.ledger.engine).make(self.accounts.named(role), "test", [right], 1, purpose)
        client = self.app.test_client()
        client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {made}"
        return client


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("audit"))


@pytest.mark.parametrize("role", Role)
def test_every_request_that_the_table_names_leaves_one_entry(place: Place, role: Role) -> None:
    client = sign_in(place.app, role)
    key = form_key(client)
    for endpoint, method, path in routes(place.app):
        action = action_of(endpoint)
        if endpoint.startswith("signing.") or endpoint == "purposes.state":
            continue
        before = place.trail.head().number
        answer = client.open(path, method=method, base_url=SITE, headers={"X-Form-Key": key}, json={})
        assert place.trail.head().number - before == (action is not None), (role, method, path)
        if action:
            kept = place.last()
            assert (kept.person, kept.action) == (role, action), path
            refused = NEEDED[endpoint].right not in RIGHTS[role]
            assert (kept.outcome is Outcome.REFUSED) == refused == (answer.status_code == 403), path
            assert (kept.outcome is Outcome.DONE) == (answer.status_code < 400), path
    assert place.trail.problems()[1] == []


def test_signing_in_and_out_is_kept_and_what_is_no_name_is_not(place: Place) -> None:
    before = place.trail.head().number
    client = sign_in(place.app, "searcher", purpose="")
    post(client, "/sign-in", name="Searcher", password="no")
    post(client, "/sign-in", name=PASSWORD, password="searcher")  # typed into the wrong field
    key = form_key(client)
    post(client, "/password", form_key=key, old="no", new="a" * 20, again="a" * 20)
    post(client, "/sign-out", form_key=key)
    post(browser(place.app), "/sign-out")
    kept = place.trail.entries(Wanted(), place.trail.head().number - before)[::-1]
    assert [(e.entry.person, e.entry.action.value, e.entry.outcome.value) for e in kept] == [
        ("searcher", "sign-in", "done"),
        ("searcher", "sign-in", "refused"),
        ("", "sign-in", "refused"),
        ("searcher", "password", "refused"),
        ("searcher", "sign-out", "done"),
    ]


def test_who_saw_this_patient(place: Place) -> None:
    client = sign_in(place.app, "searcher")
    key = place.ledger.listing.notes(0, 1)[0].key
    assert get(client, f"/notes/{key}").status_code == 200
    note = place.last()
    assert (note.action, note.patients, note.notes) == (Action.NOTE, ("p0",), ("n0",))
    assert "beside" not in note.about
    assert get(client, f"/notes/{key}/beside").status_code == 200  # beside the results it is looked at too
    note = place.last()
    assert (note.action, note.patients, note.notes, note.about["beside"]) == (Action.NOTE, ("p0",), ("n0",), 1)
    assert get(client, "/patients/1").status_code == 200
    assert (place.last().action, place.last().patients) == (Action.PATIENT, ("p0",))
    assert get(client, "/patients/9").status_code == 404
    find = place.by_token(Right.FIND)
    for path, patients in (("patients", ("p0", "p1")), ("patients/2", ("p1",)), ("patients/2/notes", ("p1",))):
        assert find.get(f"/api/v1/{path}", base_url=SITE).status_code == 200
        assert place.last().patients == patients, path
    assert find.get("/api/v1/notes?limit=1", base_url=SITE).status_code == 200
    assert place.last().patients == ("p0",)
    assert find.post("/api/v1/patients/find", base_url=SITE, json={"patient_ids": ["p1", "p9"]}).status_code == 200
    assert place.last().patients == ("p1",)
    assert find.get(f"/api/v1/notes/{key}", base_url=SITE).status_code == 200
    assert (place.last().patients, place.last().about) == (("p0",), {"key": key, **BY_TOKEN})
    page = post(auditor := sign_in(place.app, "auditor"), "/audit", form_key=form_key(auditor), patient="p1").text
    assert '<td data-name="Patients">p1</td>' in page
    assert place.last().patients == ("p1",)  # the auditor asked for them


def test_a_cohort_is_followed_from_its_making_to_its_files(place: Place) -> None:
    client = place.by_token(Right.KEEP)
    made = client.post("/api/v1/cohorts", base_url=SITE, json={"name": CANARY, "patient_ids": ["p1"]}).json
    assert made is not None
    assert (place.last().action, place.last().about) == (
        Action.KEEP,
        {"cohort": made["cohort"], "number": 1, **BY_TOKEN},
    )
    seeing = place.by_token(Right.COHORTS)
    for part in ("patients", "evidence"):
        answer = seeing.get(f"/api/v1/cohorts/{made['cohort']}/versions/1/{part}", base_url=SITE)
        assert answer.status_code == 200
        shown = ("p1",) if part == "patients" else ()  # a list of ids has no evidence
        assert (place.last().action, place.last().patients) == (Action.COHORT, shown)
    exporting = place.by_token(Right.EXPORT)
    ordered = exporting.post("/api/v1/exports", base_url=SITE, json={"cohort": made["cohort"], "format": "csv"}).json
    assert ordered is not None
    about = {"export": ordered["export"], "cohort": made["cohort"], "number": 1, **BY_TOKEN}
    assert (place.last().patients, place.last().about) == (("p1",), about)
    claimed = Jobs(place.ledger.engine, place.purpose.id).claim()
    assert claimed
    claimed[1].output.write_text("rows")
    Jobs(place.ledger.engine, place.purpose.id).finish(claimed[0])
    file = exporting.get(f"/api/v1/exports/{ordered['export']}/files/cohort.csv", base_url=SITE)
    assert file.text == "rows"
    assert (place.last().patients, place.last().about["file"]) == (("p1",), "cohort.csv")
    assert client.delete(f"/api/v1/cohorts/{made['cohort']}", base_url=SITE).status_code == 204
    assert place.last().about == {"cohort": made["cohort"], **BY_TOKEN}
    file = exporting.get(f"/api/v1/exports/{ordered['export']}/files/cohort.csv", base_url=SITE)
    assert (file.text, place.last().patients) == ("rows", ())
    assert CANARY not in "".join(map(str, place.entries()))


def test_pages_of_cohorts_leave_whom_they_showed(place: Place) -> None:
    client = sign_in(place.app, "manager")
    key = form_key(client)
    store = Store(place.ledger.engine, place.purpose.id)
    first = store.save(CANARY, found(1, 2), "mo")
    store.save(CANARY, found(2), "mo")
    path = f"/cohorts/{first.cohort_id}"
    shown = {
        "/cohorts": (),
        path: (),
        f"{path}/versions/1/patients": ("p0", "p1"),
        f"{path}/changes?old=1&new=2": ("p0",),
        f"{path}/delete": (),
        f"{path}/versions/1/export": (),
    }
    for address, patients in shown.items():
        assert get(client, address).status_code == 200
        assert place.last().patients == patients, address
    assert get(client, f"{path}/versions/1/patients").status_code == 200
    assert place.last().notes == ("n0", "n1")
    exported = post(client, f"{path}/versions/1/export", form_key=key, format="csv").headers["Location"]
    assert (place.last().action, place.last().patients) == (Action.EXPORT, ("p0", "p1"))
    before = place.trail.head().number
    assert get(client, f"{exported}/state").status_code == 200
    assert place.trail.head().number == before  # it is asked every other second, and tells of nobody
    both = {"a": f"{first.cohort_id}.1", "b": f"{first.cohort_id}.2", "operation": "union", "name": f"{CANARY}-b"}
    assert post(client, "/cohorts/combine", form_key=key, **both).status_code == 303
    assert (place.last().action, place.last().about["number"]) == (Action.KEEP, 1)
    assert CANARY not in "".join(map(str, place.entries()))


def test_what_is_offered_is_what_a_role_may(place: Place) -> None:
    store = Store(place.ledger.engine, place.purpose.id)
    kept = store.save("offered", found(1), "mo")
    manager, reviewer, searcher = (sign_in(place.app, role) for role in ("manager", "reviewer", "searcher"))
    page = f"/cohorts/{kept.cohort_id}"
    for words in ("Delete this cohort", "Save what it finds now", ">Export</a>", "Run it every"):
        assert words in get(manager, page).text
        assert words not in get(reviewer, page).text
    for client, there in ((manager, True), (reviewer, True), (searcher, False)):
        assert ('href="/cohorts"' in get(client, "/").text) == there


def test_what_was_asked_is_sealed_and_an_auditor_reads_it(place: Place) -> None:
    client = sign_in(place.app, "searcher")
    found = post(client, "/search", line=f"no fever {CANARY}", form_key=form_key(client)).headers["Location"]
    assert get(client, found).status_code == 503  # no engine answers here
    kept = place.last()
    assert (kept.action, kept.outcome) == (Action.SEARCH, Outcome.FAILED)
    assert CANARY not in str(kept)
    assert CANARY in get(sign_in(place.app, "auditor"), "/audit").text
    for file in place.folder.glob("ledger.sqlite3*"):
        assert b"no fever" not in file.read_bytes()


def test_the_start_page_offers_what_oneself_asked_there_and_nobody_else(place: Place) -> None:
    client = sign_in(place.app, "reviewer")
    key = form_key(client)
    lines = [f"cough {n}" for n in range(8)]
    for line in (*lines, "cough 5"):
        get(client, post(client, "/search", line=line, form_key=key).headers["Location"])
    purpose = for_a_purpose(place.ledger.engine, Right.FIND)
    made = Tokens(place.ledger.engine).make(place.accounts.named("reviewer"), "test", [Right.FIND], 1, purpose)
    program = {"Authorization": f"Bearer {made}"}
    place.app.test_client().post("/api/v1/search", base_url=SITE, headers=program, json={"line": "by program"})
    assert place.last().about == BY_TOKEN
    offered = get(client, "/").text.split("What you asked last")[1].split("Try one")[0]
    shown = [part.split('"')[0] for part in offered.split('name="line" value="')[1:]]
    assert shown == ["cough 5", "cough 7", "cough 6", "cough 4", "cough 3", "cough 2"]
    for other in ("manager", "auditor"):
        assert "What you asked last" not in get(sign_in(place.app, other), "/").text
    a_purpose(place.ledger.engine, "reviewer", code="ELSEWHERE")
    assert "What you asked last" not in get(sign_in(place.app, "reviewer", purpose="ELSEWHERE"), "/").text


def test_the_page_shows_and_exports_what_is_wanted(place: Place) -> None:
    for _ in range(60):
        place.trail.add(Entry("many", Action.NOTE, patients=("p<b>1",)))
    client = sign_in(place.app, "auditor")
    key = form_key(client)
    whole = get(client, "/audit").text
    assert "p&lt;b&gt;1" in whole
    assert whole.count("<tr>") == 51
    wanted = {"person": " Many ", "form_key": key}
    first = post(client, "/audit", **wanted).text
    assert (
        first.count('<td class="named" data-name="Person">many</td>'),
        "Older entries" in first,
        "The newest" in first,
    ) == (
        50,
        True,
        False,
    )
    before = first.split('name="before" value="')[1].split('"')[0]
    second = post(client, "/audit", **wanted, before=before).text
    assert (
        second.count('<td class="named" data-name="Person">many</td>'),
        "Older entries" in second,
        "The newest" in second,
    ) == (
        10,
        False,
        True,
    )
    rows = list(csv.DictReader(io.StringIO(post(client, "/audit/export", **wanted).text)))
    assert [row["person"] for row in rows] == ["many"] * 60
    assert "No entry fits." in post(client, "/audit", person="none", form_key=key).text
    for wrong in ({"since": "1.1.2027"}, {"action": "all"}):
        for path in ("/audit", "/audit/export"):
            answer = post(client, path, form_key=key, **wrong)
            assert (answer.status_code, "This cannot be looked for" in answer.text) == (400, True)


def test_nothing_is_shown_that_the_trail_cannot_take(tmp_path: Path) -> None:
    place = Place(tmp_path)
    client = sign_in(place.app, "searcher")
    key = place.ledger.listing.notes(0, 1)[0].key
    assert CANARY in get(client, f"/notes/{key}").text
    (tmp_path / WITNESS).write_text("damaged")
    answer = get(client, f"/notes/{key}")
    assert (answer.status_code, CANARY in answer.text, "audit trail" in answer.text) == (503, False, True)
    assert place.by_token(Right.FIND).get(f"/api/v1/notes/{key}", base_url=SITE).status_code == 503
    signing = browser(place.app)
    assert post(signing, "/sign-in", name="searcher", password=PASSWORD).status_code == 503
    assert get(signing, "/").headers["Location"] == "/sign-in"
    assert get(client, "/").status_code == 200  # nothing of a note is on it
    (tmp_path / WITNESS).unlink()
    assert CANARY in get(client, f"/notes/{key}").text


def test_answers_too_many_are_not_kept(tmp_path: Path) -> None:
    place = Place(tmp_path)
    for _ in range(15):
        post(browser(place.app), "/sign-in", name="searcher", password="no")
    assert len(place.entries(action=Action.SIGN_IN)) == 10
