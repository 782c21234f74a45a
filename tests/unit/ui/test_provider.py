"""Signing in with a provider of identities: a real one, small, over https on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from flask import Flask
from flask.testing import FlaskClient
from joserfc.jwk import RSAKey
from werkzeug.test import TestResponse

from access.accounts import Accounts
from access.audit.entry import Action, Outcome
from access.audit.trail import Trail, Wanted
from access.provider import Provider, need_long
from access.roles import Role
from ingest.ledger import Ledger
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from tests.oidc import CLIENT, SECRET, TestProvider
from tests.unit.ui.test_access import PASSWORD, SITE, browser, get, post
from ui import arriving
from ui.app import create_app
from ui.gate import COOKIE

GOOD = {"preferred_username": "Dr.Lee", "roles": ["staff", "searcher", "manager"]}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestProvider]:
    made = TestProvider(tmp_path_factory.mktemp("provider"))
    with made.running():
        yield made


@pytest.fixture
def provider(running: TestProvider) -> TestProvider:
    running.people = {"lee": dict(GOOD)}
    running.changed, running.algorithm, running.called, running.down = {}, "RS256", "", False
    running.elsewhere, running.followed = "", 0
    running.asked.clear()
    return running


def settings_for(folder: Path, provider: TestProvider, **more: Any) -> Settings:
    options = {"data_dir": folder, "engine_port": 1, "reranker_bundle": "", "onnx_threads": 1, "onnx_provider": "cpu"}
    oidc = {
        "oidc_issuer": provider.issuer,
        "oidc_client_id": CLIENT,
        "oidc_client_secret": SECRET,
        "oidc_ca_file": provider.certificate,
    }
    return Settings(**{**options, "accounts": True, "web_requests_per_minute": 0, **oidc, **more})


@pytest.fixture
def app(tmp_path: Path, provider: TestProvider) -> Flask:
    return create_app(settings_for(tmp_path, provider))


@pytest.fixture
def accounts(app: Flask) -> Accounts:
    return Accounts(ledger_of(app).engine)


def ledger_of(app: Flask) -> Ledger:
    found: Ledger = app.extensions["aspectra"].ledger
    return found


def left(client: FlaskClient, provider: TestProvider, who: str = "lee") -> str:
    """The address at which the provider sends ``who`` back."""
    gone = get(client, "/sign-in/provider")
    assert gone.status_code == 303
    page = requests.get(gone.headers["Location"], verify=provider.certificate, timeout=10)
    assert "Who are you?" in page.text
    chosen = f"{provider.issuer}/chosen?who={who}&{gone.headers['Location'].split('?')[1]}"
    sent = requests.get(chosen, verify=provider.certificate, timeout=10, allow_redirects=False)
    where = sent.headers["Location"]
    assert where.startswith(f"{SITE}/sign-in/back?")
    return where.removeprefix(SITE)


def came(client: FlaskClient, where: str) -> TestResponse:
    """As a browser does that another site sends here."""
    sent = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    return client.get(where, base_url=SITE, headers=sent)


def refused(answer: TestResponse, words: str, status: int = 401) -> None:
    assert (answer.status_code, words in answer.text) == (status, True), answer.text
    assert COOKIE not in "".join(answer.headers.getlist("Set-Cookie"))


def test_somebody_signs_in_there_and_is_known_here(app: Flask, accounts: Accounts, provider: TestProvider) -> None:
    client = browser(app)
    assert "Sign in with localhost" in get(client, "/sign-in").text
    answer = came(client, left(client, provider))
    assert answer.status_code == 200
    assert 'http-equiv="refresh"' in answer.text
    assert get(client, "/").headers["Location"] == "/purpose"
    account = accounts.named("dr.lee")
    assert (account.role, account.elsewhere, account.must_change) == (Role.MANAGER, True, False)
    (asked,) = provider.asked
    assert (asked["scope"], asked["response_type"], asked["code_challenge_method"]) == (
        "openid profile",
        "code",
        "S256",
    )
    trail = Trail(ledger_of(app).engine, Path(app.extensions["aspectra"].settings.data_dir))
    (kept,) = trail.entries(Wanted(action=Action.SIGN_IN), 9)
    assert (kept.entry.person, kept.entry.outcome) == ("dr.lee", Outcome.DONE)
    assert kept.entry.about == {"by": "provider"}
    assert min(len(asked["nonce"]), len(asked["state"])) >= 22  # 128 bits in letters and digits
    post(client, "/sign-out", form_key=form_key_of(client))
    assert get(client, "/").status_code == 303


def form_key_of(client: FlaskClient) -> str:
    return get(client, "/purpose").text.split('data-form-key="')[1].split('"')[0]


def test_the_next_time_it_is_the_same_account_with_the_role_of_then(
    app: Flask, accounts: Accounts, provider: TestProvider
) -> None:
    for role in ("searcher", "auditor"):
        provider.people["lee"] = {"preferred_username": f"lee{role}", "roles": role}
        client = browser(app)
        assert came(client, left(client, provider)).status_code == 200
    (account,) = accounts.all()
    assert (account.name, account.role) == ("leesearcher", Role.AUDITOR)
    accounts.disable("leesearcher")
    client = browser(app)
    refused(came(client, left(client, provider)), "This account is closed")


def test_nobody_takes_an_account_over_by_its_name(app: Flask, accounts: Accounts, provider: TestProvider) -> None:
    accounts.add("dr.lee", Role.ADMIN)
    client = browser(app)
    refused(came(client, left(client, provider)), "There is an account dr.lee already")
    provider.people = {"one": {**GOOD, "preferred_username": "kim"}, "two": {**GOOD, "preferred_username": "kim"}}
    assert came(client, left(client, provider, "one")).status_code == 200
    refused(came(client, left(client, provider, "two")), "There is an account kim already")


def test_without_a_password_here_none_opens_the_account(app: Flask, accounts: Accounts, provider: TestProvider) -> None:
    client = browser(app)
    came(client, left(client, provider))
    assert "kept by the provider" in get(client, "/password").text
    for password in ("", " ", "x" * 20):
        assert accounts.authenticate("dr.lee", password) is None
        assert post(browser(app), "/sign-in", name="dr.lee", password=password).status_code == 401
    with pytest.raises(AspectraError, match="provider signs"):
        accounts.renew("dr.lee")
    sent = {
        "form_key": form_key_of(client),
        "old": "",
        "new": PASSWORD,
        "again": PASSWORD,
    }
    assert post(client, "/password", **sent).status_code == 401


def test_who_has_no_role_or_no_name_stays_outside(app: Flask, accounts: Accounts, provider: TestProvider) -> None:
    for claims, words in (
        ({"roles": ["staff"]}, "gives you no role here"),
        ({"roles": {"searcher": True}}, "gives you no role here"),
        ({"roles": None}, "gives you no role here"),
        ({"preferred_username": None}, "does not say what you are called"),
        ({"preferred_username": "Dr Lee <b>"}, "cannot be the name"),
    ):
        provider.people["lee"] = {**GOOD, **claims}
        client = browser(app)
        refused(came(client, left(client, provider)), words)
    assert accounts.all() == []


@pytest.mark.parametrize(
    "changed",
    [
        {"iss": "https://elsewhere.example"},
        {"aud": "another-client"},
        {"nonce": "another"},
        {"exp": 1_700_000_000},
        {"nonce": None},
    ],
)
def test_an_identity_for_somebody_else_opens_nothing(
    app: Flask, accounts: Accounts, provider: TestProvider, changed: dict[str, Any]
) -> None:
    provider.changed = changed
    client = browser(app)
    refused(came(client, left(client, provider)), "did not sign you in")
    assert accounts.all() == []


@pytest.mark.parametrize("algorithm", ["none", "HS256", "other key"])
def test_an_identity_that_nobody_signed_opens_nothing(
    app: Flask, accounts: Accounts, provider: TestProvider, algorithm: str
) -> None:
    client = browser(app)
    where = left(client, provider)
    requests.get(f"{provider.issuer}/keys", verify=provider.certificate, timeout=10)
    key = provider.key
    try:
        if algorithm == "other key":
            app.extensions["aspectra"].provider._known().fetch_jwk_set()
            provider.key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
        else:
            provider.algorithm = algorithm
        refused(came(client, where), "did not sign you in")
    finally:
        provider.key = key
    assert accounts.all() == []


def test_only_the_browser_that_left_comes_back_and_once(
    app: Flask, accounts: Accounts, provider: TestProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = "was not begun here"
    client = browser(app)
    where = left(client, provider)
    refused(came(browser(app), where), begun)  # somebody is sent another's address (login CSRF)
    refused(came(client, where.replace("state=", "state=x")), begun)
    refused(came(client, where), begun)  # it was tried once
    where = left(client, provider)
    assert came(client, where).status_code == 200
    refused(came(client, where), begun)
    where = left(client, provider)
    refused(came(client, where.replace("code=", "code=x")), "did not sign you in")
    where = left(client, provider)
    state = where.split("state=")[1]
    refused(came(client, f"/sign-in/back?error=access_denied&state={state}"), "did not sign you in")
    where = left(client, provider)
    monkeypatch.setattr(arriving, "LONGEST", -1)
    refused(came(client, where), begun)


def test_the_cookie_on_the_way_is_for_this_site_and_goes_with_the_return(app: Flask, provider: TestProvider) -> None:
    client = browser(app)
    said = get(client, "/sign-in/provider").headers["Set-Cookie"]
    assert said.startswith("__Host-aspectra-leaving=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(said.split("; "))
    came(client, left(client, provider))
    assert client.get_cookie("__Host-aspectra-leaving") is None


def test_a_provider_that_is_away_or_another_is_said(app: Flask, accounts: Accounts, provider: TestProvider) -> None:
    client = browser(app)
    provider.down = True
    refused(get(client, "/sign-in/provider"), "does not answer as a sign-in provider", 503)
    provider.down, provider.called = False, "https://elsewhere.example"
    refused(get(client, "/sign-in/provider"), "calls itself another issuer", 503)
    provider.called = ""
    where = left(client, provider)
    provider.down = True
    refused(came(client, where), "does not answer as a sign-in provider", 503)
    assert accounts.all() == []


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/token", "/keys"])
def test_no_code_or_secret_follows_a_provider_that_sends_it_on(
    app: Flask, accounts: Accounts, provider: TestProvider, path: str
) -> None:
    client = browser(app)
    provider.elsewhere = path
    gone = get(client, "/sign-in/provider") if "well-known" in path else came(client, left(client, provider))
    refused(gone, "does not answer as a sign-in provider", 503)
    assert provider.followed == 0
    assert accounts.all() == []


def test_another_site_has_nobody_signed_in_unasked(app: Flask, provider: TestProvider) -> None:
    client = browser(app)
    answer = came(client, "/sign-in/provider")
    assert (answer.status_code, "Sign in with localhost" in answer.text) == (200, True)
    assert "Set-Cookie" not in answer.headers
    assert provider.asked == []


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"amr": ["pwd", "mfa"]}, ""),
        ({"acr": "gold"}, ""),
        ({"amr": ["pwd"], "acr": "silver"}, "second proof"),
        ({"amr": "mfa"}, "did not sign you in"),
        ({"acr": ["gold"]}, "second proof"),
        ({"amr": [["mfa"], None]}, "second proof"),
        ({}, "second proof"),
    ],
)
def test_a_second_proof_is_asked_for_where_the_settings_do(
    tmp_path: Path, provider: TestProvider, said: dict[str, Any], words: str
) -> None:
    app = create_app(settings_for(tmp_path, provider, oidc_strength="gold, mfa", passwords=False))
    provider.people["lee"] = {**GOOD, **said}
    client = browser(app)
    answer = came(client, left(client, provider))
    assert provider.asked[0]["acr_values"] == "gold mfa"
    if not words:
        assert answer.status_code == 200
    else:
        refused(answer, words)
        assert Accounts(ledger_of(app).engine).all() == []


@pytest.mark.filterwarnings("ignore:Key size should be")
@pytest.mark.parametrize(
    ("has", "wanted", "taken"),
    [(1024, 2048, False), (2048, 2048, True), (2048, None, False), (3072, None, True)],
)
def test_short_keys_of_the_provider_open_nothing(
    tmp_path: Path, provider: TestProvider, has: int, wanted: int | None, taken: bool
) -> None:
    app = create_app(settings_for(tmp_path, provider, **({"oidc_key_bits": wanted} if wanted else {})))
    client, key = browser(app), provider.key
    provider.key = RSAKey.generate_key(has, {"kid": "one", "use": "sig"})
    try:
        answer = came(client, left(client, provider))
    finally:
        provider.key = key
    if taken:
        assert answer.status_code == 200
    else:
        refused(answer, f"signs with an RSA key of {has:,} bits", 503)
        assert Accounts(ledger_of(app).engine).all() == []


def test_keys_that_sign_nothing_by_rsa_may_be_as_they_like(tmp_path: Path, provider: TestProvider) -> None:
    need_long(
        {"keys": [{"kty": "EC", "crv": "P-256"}, {"kty": "RSA", "use": "enc", "n": "AQAB"}]},
        settings_for(tmp_path, provider),
    )
    need_long({}, settings_for(tmp_path, provider))


def test_where_the_provider_alone_signs_in_no_password_does(tmp_path: Path, provider: TestProvider) -> None:
    app = create_app(settings_for(tmp_path, provider, passwords=False))
    accounts = Accounts(ledger_of(app).engine)
    once = accounts.add("kim", Role.SEARCHER)
    assert 'type="password"' not in get(browser(app), "/sign-in").text
    answer = post(browser(app), "/sign-in", name="kim", password=once)
    assert (answer.status_code, COOKIE in "".join(answer.headers.getlist("Set-Cookie"))) == (404, False)
    with pytest.raises(AspectraError, match="Nobody could sign in"):
        create_app(settings_for(tmp_path, provider, passwords=False, oidc_issuer=""))


def test_a_certificate_that_nobody_trusts_is_refused(tmp_path: Path, provider: TestProvider) -> None:
    client = browser(create_app(settings_for(tmp_path, provider, oidc_ca_file=None)))
    refused(get(client, "/sign-in/provider"), "does not answer as a sign-in provider", 503)


def test_settings_that_cannot_work_are_said_at_the_start(tmp_path: Path, provider: TestProvider) -> None:
    for wrong, words in (
        ({"accounts": False}, "ASPECTRA_ACCOUNTS"),
        ({"oidc_client_id": ""}, "ASPECTRA_OIDC_CLIENT_ID"),
        ({"oidc_roles": '{"doctors": "doctor"}'}, "doctor is no role"),
        ({"oidc_scope": "profile"}, "lacks openid"),
    ):
        with pytest.raises(AspectraError, match=words):
            Provider(settings_for(tmp_path, provider, **wrong))
    for roles in ("doctors", '["doctor"]', '{"doctors": 1}'):
        with pytest.raises(ValueError, match="JSON object"):
            settings_for(tmp_path, provider, oidc_roles=roles)
    with pytest.raises(ValueError, match="https://"):
        settings_for(tmp_path, provider, oidc_issuer="http://localhost:1")


def test_without_a_provider_there_is_no_such_way(tmp_path: Path, provider: TestProvider) -> None:
    client = browser(create_app(settings_for(tmp_path, provider, oidc_issuer="")))
    assert "Sign in with" not in get(client, "/sign-in").text
    assert [get(client, f"/sign-in/{part}").status_code for part in ("provider", "back")] == [404, 404]
