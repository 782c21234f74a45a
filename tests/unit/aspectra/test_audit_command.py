"""`aspectra audit`: the trail from the command line, which keeps what other commands do to accounts."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from access.audit.entry import Action, Entry
from access.audit.sealing import KEYS, Seal
from access.audit.trail import Trail, Wanted, commander
from access.audit.witness import WITNESS
from aspectra.cli import main
from aspectra.stack.doctor import doctor
from ingest.ledger import Ledger
from ingest.ledger.database import writing
from search_stack.core.settings import Settings

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("ASPECTRA_DATA_DIR", str(tmp_path))
    return lambda *arguments: CliRunner().invoke(main, [*map(str, arguments)])


@pytest.fixture
def trail(tmp_path: Path) -> Trail:
    settings = Settings(data_dir=tmp_path)
    return Trail.from_settings(settings, Ledger.from_settings(settings))


def done(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return result.stdout


def test_every_change_of_an_account_is_kept_and_no_secret(run: Run, trail: Trail) -> None:
    once = done(run("user", "add", "Lee", "--role", "searcher")).strip()
    done(run("user", "role", "lee", "manager"))
    again = done(run("user", "password", "lee")).strip()
    told = ("--title", "t", "--approval", "a", "--until", "2999-01-01", "--all-collections", "--person", "Lee")
    done(run("purpose", "open", "S-1", *told))
    key = done(
        run("user", "token", "lee", "--label", "etl", "--right", "find", "--days", 5, "--purpose", "s-1")
    ).strip()
    done(run("user", "token", "lee", "--revoke", 1))
    done(run("user", "disable", "lee"))
    done(run("user", "enable", "lee"))
    assert run("user", "disable", "kim").exit_code == 1
    kept = [one.entry for one in trail.all_entries(Wanted())][::-1]
    assert [(e.action, e.about) for e in kept if e.action is not Action.PEOPLE] == [
        (Action.PURPOSE, {"what": "open", "opened": "S-1"}),
        (Action.PURPOSE, {"what": "add", "opened": "S-1", "account": "lee"}),
    ]
    kept = [e for e in kept if e.action is Action.PEOPLE]
    assert {(e.person, e.about["account"]) for e in kept} == {(commander(), "lee")}
    assert [{name: value for name, value in e.about.items() if name != "account"} for e in kept] == [
        {"what": "add", "role": "searcher"},
        {"what": "role", "role": "manager"},
        {"what": "password"},
        {"what": "token", "rights": "find", "days": 5, "purpose": "S-1"},
        {"what": "revoke", "token": 1},
        {"what": "disable"},
        {"what": "enable"},
    ]
    assert not any(secret in str(kept) for secret in (once, again, key))


def test_no_password_is_shown_where_nothing_can_be_kept(run: Run, tmp_path: Path, trail: Trail) -> None:
    trail.add(Entry("lee", Action.NOTE))
    (tmp_path / WITNESS).write_text("damaged")
    refused = run("user", "add", "lee", "--role", "searcher")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "audit.head" in refused.stderr


def test_a_new_key_seals_and_the_old_one_still_opens(run: Run, trail: Trail, tmp_path: Path) -> None:
    trail.add(Entry("lee", Action.SEARCH, query=trail.seal.sealed("no fever")))
    old = (tmp_path / KEYS).read_bytes()
    assert "start the page anew" in " ".join(done(run("audit", "renew-key")).split())
    new, *before = (tmp_path / KEYS).read_bytes().splitlines(keepends=True)
    assert b"".join(before) == old
    assert (tmp_path / KEYS).stat().st_mode & 0o777 == 0o600
    sealed = Seal(tmp_path / KEYS).sealed("cough")
    trail.add(Entry("lee", Action.SEARCH, query=sealed))
    assert trail.seal.opened(sealed) is None  # the old one alone
    (tmp_path / "new.key").write_bytes(new)
    assert Seal(tmp_path / "new.key").opened(sealed) == "cough"
    listed = done(run("audit", "list", "--action", "search"))
    assert "no fever" in listed
    assert "cough" in listed
    assert [one.entry.about for one in trail.entries(Wanted(action=Action.OPERATE), 9)] == [{"what": "renew-key"}]


def test_the_trail_is_listed_and_written_out(run: Run, trail: Trail, tmp_path: Path) -> None:
    trail.add(Entry("lee", Action.SEARCH, patients=("P-1",), query=trail.seal.sealed("no fever")))
    trail.add(Entry("kim", Action.NOTE, patients=("P-2",)))
    listed = done(run("audit", "list", "--patient", "P-1"))
    assert "lee" in listed
    assert "no fever" in listed
    assert "kim" not in listed
    as_json = done(run("audit", "list", "--action", "note", "--json")).splitlines()
    assert [json.loads(line)["person"] for line in as_json] == ["kim"]
    assert "no such entry" in done(run("audit", "list", "--person", "nobody"))
    assert done(run("audit", "export", tmp_path / "a.csv", "--person", "lee")).startswith("1 entry is in")
    with (tmp_path / "a.csv").open(newline="") as file:
        assert [(row["person"], row["query"]) for row in csv.DictReader(file)] == [("lee", "no fever")]
    assert (tmp_path / "a.csv").stat().st_mode & 0o777 == 0o600
    reading = list(trail.all_entries(Wanted(action=Action.AUDIT)))
    assert {e.entry.person for e in reading} == {commander()}
    assert [e.entry.patients for e in reading] == [(), (), (), ("P-1",)]
    assert run("audit", "list", "--since", "1.1.2027").exit_code == 2


def test_verify_says_whether_all_is_there(run: Run, trail: Trail) -> None:
    assert "0 entries, none changed" in done(run("audit", "verify"))
    for _ in range(3):
        head = trail.add(Entry("lee", Action.NOTE))
    told = done(run("audit", "verify"))
    assert "3 entries, none changed, none missing." in told
    assert str(head) in told
    done(run("audit", "verify", "--head", head))
    elsewhere = run("audit", "verify", "--head", f"2:{head.digest}")
    assert (elsewhere.exit_code, "Entry 2 is not the one" in elsewhere.stderr) == (1, True)
    assert "no head" in run("audit", "verify", "--head", "2").stderr
    with writing(trail._engine) as c:
        c.execute(text("DROP TRIGGER audit_no_delete"))
        c.execute(text("DELETE FROM audit WHERE number = 3"))
    cut = run("audit", "verify")
    assert (cut.exit_code, cut.stdout) == (1, "")
    assert "Entry 3 is missing. The end was cut off." in cut.stderr


def test_the_doctor_looks_at_the_trail_where_he_looks_deep(trail: Trail, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, cache_dir=tmp_path, engine_port=1)

    def said(deep: bool = True) -> list[tuple[bool, str]]:
        return [(check.ok, check.detail) for check in doctor(settings, deep) if check.name == "audit trail"]

    assert said() == []
    trail.add(Entry("lee", Action.NOTE))
    assert said() == [(True, "1 entry, none changed, none missing")]
    assert said(deep=False) == []
    with writing(trail._engine) as c:
        c.execute(text("DROP TRIGGER audit_no_update"))
        c.execute(text("UPDATE audit SET person = 'kim'"))
    assert said() == [(False, "Entry 1, or the one before it, was changed.")]
