"""Who may do what on the page and through the API, where people sign in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from access.accounts import Accounts
from access.audit.entry import Outcome
from access.audit.trail import Trail, Wanted
from access.browsers import MOST, noted, number_of
from access.purposes import Purposes
from access.roles import FOR_A_PURPOSE, RIGHTS, Right, Role
from access.sessions import Sessions
from access.tokens import Tokens
from ingest.ledger import Ledger
from ingest.ledger.purposes import Purpose
from search_stack.core.settings import Settings
from tests.people import a_purpose
from ui.app import create_app
from ui.gate import COOKIE
from ui.rights import NEEDED, OPEN, SIGNED_IN
from ui.signing import BROWSER, BROWSER_SECONDS, TRIES

PASSWORD = "lantern ochre bicycle"
SITE = "https://localhost"
FILLED = {"int": "1", "path": "file", "default": "x"}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    folder: Path = tmp_path_factory.mktemp("accounts")
    settings = Settings(
        **{"data_dir": folder, "engine_port": 1, "reranker_bundle": "", "onnx_threads": 1, "onnx_provider": "cpu"},
        accounts=True,
        web_requests_per_minute=0,
    )
    ledger = Ledger.from_settings(settings)
    made = Accounts(ledger.engine)
    for role in Role:
        once = made.add(role, role)
        made.change_password(made.named(role), once, PASSWORD)
    made.add("new", Role.MANAGER)
    a_purpose(ledger.engine, code="ENDED-BY-A-TEST")  # the addresses of all routes name it
    a_purpose(ledger.engine, *Role, "new")
    return create_app(settings, ledger=ledger)


@pytest.fixture
def accounts(app: Flask) -> Accounts:
    return Accounts(app.extensions["aspectra"].ledger.engine)


def browser(app: Flask) -> FlaskClient:
    client = app.test_client()
    client.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
    return client


def sign_in(app: Flask, name: str, password: str = PASSWORD, purpose: str = "STUDY-1") -> FlaskClient:
    """As ``name``, who has stated the purpose, where one is given and ``name`` is of it."""
    client = browser(app)
    answer = post(client, "/sign-in", name=name, password=password)
    assert answer.status_code == 303
    engine = app.extensions["aspectra"].ledger.engine
    if purpose and (own := [p for p in Purposes(engine).of(Accounts(engine).named(name)) if p.code == purpose]):
        post(client, "/purpose", form_key=form_key(client), purpose=str(own[0].id))
    return client


def for_a_purpose(engine: Engine, right: Right) -> Purpose | None:
    """What a token with ``right`` is made for."""
    return Purposes(engine).named("STUDY-1") if right in FOR_A_PURPOSE else None


def get(client: FlaskClient, path: str) -> TestResponse:
    return client.get(path, base_url=SITE)


def post(client: FlaskClient, path: str, **fields: str) -> TestResponse:
    return client.post(path, base_url=SITE, data=fields)


def form_key(client: FlaskClient) -> str:
    found = re.search(r'name="form_key" value="(\w+)"', get(client, "/password").text)
    assert found
    return found[1]


def routes(app: Flask) -> list[tuple[str, str, str]]:
    """Endpoint, method and address of each, its parts filled."""
    out = []
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:(\w+):)?\w+>", lambda m: FILLED[m[1] or "default"], rule.rule)
        out += [(rule.endpoint, method, path) for method in sorted(rule.methods or ()) if method != "OPTIONS"]
    return out


@pytest.mark.parametrize("role", Role)
def test_every_route_answers_a_role_as_the_table_says(app: Flask, role: Role) -> None:
    client = sign_in(app, role)
    key = form_key(client)
    for endpoint, method, path in routes(app):
        # They end the session, count a wrong password, or say that no purpose is stated.
        if endpoint in ("signing.sign_out", "signing.change", "purposes.state"):
            continue
        answer = client.open(path, method=method, base_url=SITE, headers={"X-Form-Key": key}, json={})
        may = endpoint in OPEN | SIGNED_IN or NEEDED[endpoint].right in RIGHTS[role]
        assert (answer.status_code == 403) == (not may), (role, method, path, answer.status_code)
        assert answer.status_code != 401 or endpoint == "signing.sign_in"


def test_nobody_gets_past_the_door(app: Flask) -> None:
    for endpoint, method, path in [*routes(app), ("none", "GET", "/no/such/page"), ("none", "GET", "/api/v1/none")]:
        if endpoint in OPEN:
            continue
        client = browser(app)
        answer = client.open(path, method=method, base_url=SITE, json={})
        if path.startswith("/api/") or method not in ("GET", "HEAD"):
            assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer"), (method, path)
        else:
            assert (answer.status_code, answer.headers["Location"]) == (303, "/sign-in"), (method, path)


@pytest.mark.parametrize("right", Right)
def test_a_token_opens_its_own_rights_only(app: Flask, accounts: Accounts, right: Right) -> None:
    role = next(role for role in Role if right in RIGHTS[role])
    engine = app.extensions["aspectra"].ledger.engine
    made = Tokens(engine).make(accounts.named(role), "test", [right], 1, for_a_purpose(engine, right))
    client = app.test_client()  # a program: it says nothing of where it comes from
    for endpoint, method, path in routes(app):
        if endpoint in OPEN | SIGNED_IN:
            continue
        sent = {"Authorization": f"Bearer {made}"}
        answer = client.open(path, method=method, base_url=SITE, headers=sent, json={})
        assert (answer.status_code == 403) == (NEEDED[endpoint].right != right), (method, path, answer.status_code)
    changing = {"old": PASSWORD, "new": "another ochre bicycle", "again": "another ochre bicycle"}
    sent = {"Authorization": f"Bearer {made}"}
    assert client.post("/password", base_url=SITE, headers=sent, data=changing).status_code == 403
    for wrong in (f"Bearer {made}x", f"Basic {made}", "Bearer", "Bearer \u00e9"):
        answer = client.get("/api/v1/notes", base_url=SITE, headers={"Authorization": wrong})
        assert answer.status_code == 401
        assert made not in answer.text


def test_a_link_with_a_query_asks_for_the_right_to_search(app: Flask) -> None:
    assert get(sign_in(app, "searcher"), "/?q=fever").status_code == 303
    client = sign_in(app, "admin")
    assert (get(client, "/").status_code, get(client, "/?q=fever").status_code) == (200, 403)


def test_refusals_are_counted_too(tmp_path: Path) -> None:
    options = {"data_dir": tmp_path, "engine_port": 1, "reranker_bundle": "", "onnx_threads": 1, "onnx_provider": "cpu"}
    client = browser(create_app(Settings(**options, accounts=True, web_requests_per_minute=3)))
    assert [get(client, "/").status_code for _ in range(5)] == [303] * 3 + [429] * 2
    assert [post(client, "/search").status_code for _ in range(5)] == [401] * 3 + [429] * 2


def test_a_sign_in_ends_the_session_before_it(app: Flask) -> None:
    client = sign_in(app, "searcher")
    before = client.get_cookie(COOKIE)
    assert before
    assert post(client, "/sign-in", name="searcher", password=PASSWORD).status_code == 303
    assert Sessions(app.extensions["aspectra"].ledger.engine).find(before.value) is None


def test_a_form_of_another_hand_does_nothing(app: Flask) -> None:
    client = sign_in(app, "searcher")
    for sent in ({}, {"form_key": "0" * 64}, {"form_key": form_key(sign_in(app, "manager"))}):
        assert post(client, "/search", line="fever", **sent).status_code == 403
        assert post(client, "/sign-out", **sent).status_code == 403
    assert post(client, "/sign-out", form_key=form_key(client)).status_code == 303
    assert get(client, "/").headers["Location"] == "/sign-in"


def test_the_cookie_is_for_this_site_over_https_and_not_for_scripts(app: Flask) -> None:
    client = browser(app)
    answer = post(client, "/sign-in", name="searcher", password=PASSWORD)
    said = next(c for c in answer.headers.getlist("Set-Cookie") if c.startswith(COOKIE))
    assert COOKIE.startswith("__Host-")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Strict"} <= set(said.split("; "))
    assert "Domain" not in said
    before = client.get_cookie(COOKIE)
    post(client, "/sign-in", name="searcher", password=PASSWORD)
    after = client.get_cookie(COOKIE)
    assert before
    assert after
    assert before.value != after.value  # a session that somebody else planted is not gone on with


def test_a_one_time_password_opens_its_change_only(app: Flask, accounts: Accounts) -> None:
    once = accounts.renew("new")
    client = sign_in(app, "new", once)
    key = form_key(client)
    for endpoint, method, path in routes(app):
        if endpoint in OPEN or endpoint.startswith("signing."):
            continue
        answer = client.open(path, method=method, base_url=SITE, headers={"X-Form-Key": key}, json={})
        assert (answer.status_code, answer.headers.get("Location")) in ((303, "/password"), (403, None)), path
    fields = {"form_key": key, "old": once}
    wrong = post(client, "/password", **fields, new=PASSWORD, again="another one")
    assert (wrong.status_code, "are not the same" in wrong.text) == (400, True)
    weak = post(client, "/password", **fields, new="password1234", again="password1234")
    assert (weak.status_code, "guessed first" in weak.text) == (400, True)
    assert post(client, "/password", **fields, new=PASSWORD, again=PASSWORD).status_code == 303
    assert get(client, "/").headers["Location"] == "/purpose"


def test_people_see_where_they_are_signed_in_and_end_it(app: Flask, accounts: Accounts) -> None:
    once = accounts.add("seer", Role.SEARCHER)
    accounts.change_password(accounts.named("seer"), once, PASSWORD)
    here, there, third = (sign_in(app, "seer") for _ in range(3))
    key = form_key(here)
    page = get(here, "/password").text
    numbers = re.findall(r'name="session" value="([0-9a-f]{64})"', page)
    assert (page.count("Here, since"), page.count("Elsewhere, since"), len(numbers)) == (1, 2, 2)
    assert post(here, "/sessions/end", session=numbers[0]).status_code == 403  # by our own form only
    assert post(sign_in(app, "viewer"), "/sessions/end", form_key=key, session=numbers[0]).status_code == 403
    wrong = post(here, "/sessions/end", form_key=key, session=numbers[0], password="no")
    assert (wrong.status_code, "Your password is another one" in wrong.text) == (401, True)
    assert {get(client, "/password").status_code for client in (there, third)} == {200}
    said = {"form_key": key, "password": PASSWORD}
    assert post(here, "/sessions/end", **said, session=numbers[0]).headers["Location"] == "/password"
    left = [client for client in (there, third) if get(client, "/password").status_code == 200]
    assert len(left) == 1
    assert post(here, "/sessions/end", **said).status_code == 303  # nothing was named: nothing ends
    assert get(left[0], "/password").status_code == 200
    post(here, "/sessions/end", **said, others="all")
    assert get(left[0], "/password").headers["Location"] == "/sign-in"
    alone = get(here, "/password")
    assert (alone.status_code, "End all others" in alone.text) == (200, False)
    services = app.extensions["aspectra"]
    kept = Trail(services.ledger.engine, services.settings.data_dir).entries(Wanted(person="seer"), 4)
    assert [(row.entry.outcome, row.entry.about.get("ended")) for row in kept] == [
        *((Outcome.DONE, 1), (Outcome.DONE, None), (Outcome.DONE, 1), (Outcome.REFUSED, None))
    ]


def test_examples_of_the_api_carry_a_token(app: Flask) -> None:
    told = sign_in(app, "searcher").get("/api").text
    assert told.count("Authorization: Bearer TOKEN&#39;") == told.count('<pre class="api-example"') > 20


def test_a_search_is_its_own_account_s(app: Flask) -> None:
    client = sign_in(app, "searcher")
    found = post(client, "/search", line="fever", form_key=form_key(client)).headers["Location"]
    assert get(client, found).status_code == 503  # no engine answers here
    assert get(sign_in(app, "reviewer"), found).status_code == 410


def test_wrong_passwords_are_slowed_down_for_the_account_and_right_ones_are_not(app: Flask) -> None:
    most = int(TRIES.split()[0])
    for _ in range(2 * most):
        sign_in(app, "reviewer")
    client = browser(app)
    codes = [post(client, "/sign-in", name="Admin", password="no").status_code for _ in range(most + 2)]
    assert codes == [401] * most + [429] * 2
    refused = post(client, "/sign-in", name="admin ", password=PASSWORD)
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 60
    assert post(client, "/sign-in", name="searcher", password=PASSWORD).status_code == 303


def test_who_locks_an_account_does_not_lock_its_owner_out(app: Flask, accounts: Accounts) -> None:
    most = int(TRIES.split()[0])
    once = accounts.add("locked", Role.SEARCHER)
    accounts.change_password(accounts.named("locked"), once, PASSWORD)
    own = sign_in(app, "locked")
    held = own.get_cookie(BROWSER)
    assert held
    assert (held.secure, held.http_only, held.same_site, held.max_age) == (True, True, "Strict", BROWSER_SECONDS)
    assert post(own, "/sign-out", form_key=form_key(own)).status_code == 303

    def tried(client: FlaskClient, password: str = "no", name: str = "locked") -> int:
        return post(client, "/sign-in", name=name, password=password).status_code

    assert [tried(browser(app)) for _ in range(most + 1)] == [401] * most + [429]
    assert tried(browser(app), PASSWORD) == 429
    forged = browser(app)
    forged.set_cookie(BROWSER, held.value[:-1] + ("0" if held.value[-1] != "0" else "1"), domain="localhost")
    assert tried(forged, PASSWORD) == 429
    # Another's browser is no help.
    assert tried(sign_in(app, "searcher"), PASSWORD) == 429
    # Its own is, for as many tries as anybody has.
    assert [tried(own) for _ in range(most + 1)] == [401] * most + [429]
    second = browser(app)
    second.set_cookie(BROWSER, held.value, domain="localhost")
    assert tried(second, PASSWORD) == 429  # it is the same browser by what it holds


def test_a_browser_that_several_share_knows_them_all_until_their_passwords_change(accounts: Accounts) -> None:
    names = [f"shared{n}" for n in range(MOST + 1)]
    held = ""
    for name in names:
        accounts.add(name, Role.VIEWER)
        held = noted(noted(held, accounts.named(name)), accounts.named(name))
    assert len(held.split(".")) == MOST
    assert [bool(number_of(held, accounts.named(name))) for name in names] == [False] + [True] * MOST
    assert len({number_of(held, accounts.named(name)) for name in names}) == MOST + 1
    accounts.renew("shared5")
    assert number_of(held, accounts.named("shared5")) == ""
    assert all(number_of(wrong, accounts.named("shared6")) == "" for wrong in ("", ".", "x" * 96, "é" * 40))


def test_wrong_and_unknown_names_are_told_alike(app: Flask, accounts: Accounts) -> None:
    accounts.add("shut", Role.SEARCHER)
    accounts.disable("shut")
    pages = {
        post(browser(app), "/sign-in", name=name, password="no").text.replace(name, "NAME")
        for name in ("manager", "nobody", "shut")
    }
    assert len(pages) == 1
