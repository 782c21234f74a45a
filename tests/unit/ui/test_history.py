"""One's own searches and views, and the first steps, put away; no engine is asked."""

from __future__ import annotations

import pytest
from flask import Flask

from access.audit.entry import Action, Entry
from access.purposes import Purposes
from access.roles import Right, Role
from ingest.cohorts.lists import given_list
from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from ingest.ledger.tables import INDEXED, notes
from search_stack.core.schema import Note
from search_stack.core.settings import Settings
from tests.unit.ui.test_access import PASSWORD, SITE, form_key, get, post, sign_in
from tests.unit.ui.test_audit import Place
from ui import history
from ui.app import create_app


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("history"))


def did(place: Place, person: str, line: str = "", action: Action = Action.SEARCH, **about: str | int) -> None:
    sealed = place.trail.seal.sealed(line)
    place.trail.add(Entry(person, action, query=sealed, about={"purpose": "STUDY-1", **about}))


def test_one_sees_what_one_did_oneself_and_nothing_of_others(place: Place) -> None:
    did(place, "searcher", "own question", found=1_204, of="passage")
    did(place, "searcher", "of another study", purpose="STUDY-9")
    did(place, "searcher", "by a program", by="token")
    did(place, "searcher", "half a wo", Action.COUNT, typing=1)
    did(place, "reviewer", "of somebody else")
    did(place, "searcher", action=Action.SIGN_IN)
    client = sign_in(place.app, "searcher")
    key = place.ledger.listing.notes(0, 1)[0].key
    get(client, f"/notes/{key}")
    before = place.trail.head()
    page = get(client, "/history").text
    assert place.trail.head() == before
    assert 'value="own question"' in page
    assert "1,204 passages" in page
    assert "of another study" in page
    assert 'value="of another study"' not in page
    assert "by a program" in page
    assert 'value="by a program"' not in page
    assert f'<a href="/notes/{key}">note' in page
    assert "1 note shown, 1 patient shown" in page
    for absent in ("half a wo", "somebody else", "<td>sign-in"):
        assert absent not in page
    assert "own question" not in get(sign_in(place.app, "reviewer"), "/history").text
    assert place.by_token(Right.FIND).get("/history", base_url=SITE).status_code == 404


def test_older_ones_are_on_the_next_page(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "SHOWN", 2)
    monkeypatch.setattr(history, "AT_ONCE", 3)
    for n in range(5):
        did(place, "manager", f"question-{n}")
        did(place, "manager", "half", Action.COUNT, typing=1)
    client, address, seen = sign_in(place.app, "manager"), "/history", []
    for _ in range(3):
        page = get(client, address).text
        seen.append([n for n in range(5) if f"question-{n}" in page])
        address = page.partition('rel="next" href="')[2].partition('"')[0]
    assert (seen, address) == ([[3, 4], [1, 2], [0]], "")


def test_questions_alone_are_listed_where_one_wants(place: Place) -> None:
    client = sign_in(place.app, "searcher")
    did(place, "searcher", "a question")
    key = place.ledger.listing.notes(0, 1)[0].key
    opened = get(client, "/history").text.count(">note")
    assert get(client, f"/notes/{key}/beside").status_code == 200
    assert get(client, "/history").text.count(">note") == opened  # it came with the search
    get(client, f"/notes/{key}")
    assert '<td class="kind">search' in (page := get(client, "/history?only=questions").text)
    assert 'value="a question"' in page
    assert ">note" not in page
    assert get(client, "/history").text.count(">note") == opened + 1


def test_older_questions_are_on_the_next_page_too(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "SHOWN", 1)
    client = sign_in(place.app, "searcher")
    did(place, "searcher", "the one before")
    did(place, "searcher", "the last one")
    page = get(client, "/history?only=questions").text
    address = page.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")
    assert "the one before" in get(client, address).text
    assert "only=questions" in address


def test_a_cohort_is_told_by_its_name(place: Place) -> None:
    cohort = (
        Store(place.ledger.engine, place.purpose.id)
        .save("copd", given_list(["p0"], "0" * 64, place.ledger).found, "manager")
        .cohort_id
    )
    did(place, "manager", action=Action.COHORT, cohort=cohort)
    did(place, "manager", action=Action.COHORT, cohort=cohort + 1)
    page = get(sign_in(place.app, "manager"), "/history").text
    assert page.count('<span class="quiet">copd</span>') == 1


def test_there_is_none_where_nobody_signs_in(app: Flask) -> None:
    assert app.test_client().get("/history").status_code == 404


STEPS = "The first three steps"


def test_the_first_steps_stay_away_for_the_account(place: Place) -> None:
    with place.ledger.engine.begin() as c:
        c.execute(notes.update().values(state=INDEXED))
    for name in ("new-one", "new-two"):
        once = place.accounts.add(name, Role.SEARCHER)
        place.accounts.change_password(place.accounts.named(name), once, PASSWORD)
        Purposes(place.ledger.engine).add(place.purpose, name)
    client = sign_in(place.app, "new-one")
    assert STEPS in get(client, "/").text
    assert post(client, "/tour").status_code == 403
    assert post(client, "/tour", form_key=form_key(client)).headers["Location"] == "/"
    assert STEPS not in get(client, "/").text
    assert STEPS not in get(sign_in(place.app, "new-one"), "/").text
    assert STEPS in get(sign_in(place.app, "new-two"), "/").text


def test_nobody_is_led_to_what_they_may_not_do(place: Place) -> None:
    with place.ledger.engine.begin() as c:
        c.execute(notes.update().values(state=INDEXED))
    for name, role, keeps in (("new-searcher", Role.SEARCHER, False), ("new-manager", Role.MANAGER, True)):
        once = place.accounts.add(name, role)
        place.accounts.change_password(place.accounts.named(name), once, PASSWORD)
        Purposes(place.ledger.engine).add(place.purpose, name)
        page = get(sign_in(place.app, name), "/").text
        assert STEPS in page
        assert ("Save cohort" in page) is keeps
        assert "aspectra ingest" not in page


def test_and_in_the_browser_where_nobody_signs_in(settings: Settings, ledger: Ledger) -> None:
    ledger.put([Note("n", "Cough.", "p")], ledger.start_run("x", "x"))
    with ledger.engine.begin() as c:
        c.execute(notes.update().values(state=INDEXED))
    client = create_app(settings, ledger=ledger).test_client()
    client.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
    assert STEPS in client.get("/").text
    cookie = client.post("/tour").headers["Set-Cookie"]
    assert cookie.startswith("aspectra-toured=1;")
    assert "HttpOnly" in cookie
    assert STEPS not in client.get("/").text
