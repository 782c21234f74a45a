"""`aspectra user`: accounts and tokens from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from access.accounts import Accounts
from access.roles import Right, Role
from access.tokens import Tokens
from aspectra.cli import main
from ingest.ledger import Ledger
from search_stack.core.settings import Settings
from tests.people import a_purpose

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("ASPECTRA_DATA_DIR", str(tmp_path))
    return lambda *arguments: CliRunner().invoke(main, ["user", *map(str, arguments)])


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger.from_settings(Settings(data_dir=tmp_path))


def done(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(result: Result) -> str:
    assert result.exit_code == 1
    assert result.stdout == ""
    return result.stderr


def test_only_the_password_is_printed_and_it_opens_the_account(run: Run, ledger: Ledger) -> None:
    made = run("add", "Dr.Lee", "--role", "searcher")
    opened = Accounts(ledger.engine).authenticate("dr.lee", done(made).strip())
    assert opened
    assert opened.must_change
    assert "ASPECTRA_ACCOUNTS=1" in made.stderr
    again = done(run("password", "dr.lee")).strip()
    assert Accounts(ledger.engine).authenticate("dr.lee", again)
    assert "already" in refused(run("add", "dr.lee", "--role", "admin"))
    assert "no account kim" in refused(run("password", "kim"))


def test_the_list_tells_what_there_is(run: Run, ledger: Ledger) -> None:
    assert "aspectra user add NAME" in done(run("list"))
    done(run("add", "lee", "--role", "searcher"))
    done(run("add", "kim", "--role", "admin"))
    done(run("role", "lee", "manager"))
    done(run("disable", "kim"))
    a_purpose(ledger.engine, "lee")
    asked = ("token", "lee", "--label", "nightly", "--right", "find", "--right", "export", "--days", 5)
    assert "for a purpose" in refused(run(*asked))
    key = done(run(*asked, "--purpose", "study-1")).strip()
    told = done(run("list"))
    assert "nightly" in told
    assert "disabled" in told
    kim, lee = json.loads(done(run("list", "--json")))
    assert (kim["name"], kim["role"], kim["disabled"]) == ("kim", "admin", True)
    assert (lee["role"], lee["disabled"], lee["one_time_password"], lee["signed_in"]) == ("manager", False, True, None)
    assert [(t["label"], t["rights"]) for t in lee["tokens"]] == [("nightly", ["export", "find"])]
    assert key not in told + json.dumps(lee)
    done(run("enable", "kim"))
    assert Accounts(ledger.engine).named("kim").disabled is False


def test_a_token_opens_until_it_is_revoked(run: Run, ledger: Ledger) -> None:
    accounts = Accounts(ledger.engine)
    once = done(run("add", "lee", "--role", "searcher")).strip()
    accounts.change_password(accounts.named("lee"), once, "lantern ochre bicycle")
    purpose = a_purpose(ledger.engine, "lee")
    key = done(run("token", "lee", "--label", "etl", "--right", "find", "--purpose", purpose.code)).strip()
    found = Tokens(ledger.engine).find(key)
    assert found
    assert (found[0].role, found[1].rights, found[1].purpose) == (Role.SEARCHER, {Right.FIND}, purpose.id)
    assert "no right to export" in refused(run("token", "lee", "--label", "etl", "--right", "export"))
    assert "needs a right" in refused(run("token", "lee", "--label", "etl"))
    number = json.loads(done(run("list", "--json")))[0]["tokens"][0]["id"]
    done(run("token", "lee", "--revoke", number))
    assert Tokens(ledger.engine).find(key) is None
    assert "no token" in refused(run("token", "lee", "--revoke", number))
