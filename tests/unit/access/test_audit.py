"""The audit trail, in a real database of each kind: what is written stays, and what is tampered with shows."""

from __future__ import annotations

import csv
import io
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from cryptography.fernet import Fernet
from sqlalchemy import Connection, delete, insert, text, update
from sqlalchemy.exc import DatabaseError

from access.audit.entry import START, Action, Entry, Outcome, bound, columns_of
from access.audit.sealing import KEYS, Seal, add_keys
from access.audit.table import SEALED, audit_json, csv_lines, summary
from access.audit.trail import Trail, Wanted
from access.audit.witness import WITNESS, read_head
from ingest.ledger import Ledger
from ingest.ledger.copy import clear, copy_ledger, snapshot_of
from ingest.ledger.database import MIGRATIONS, open_database, writing
from ingest.ledger.ledger import now
from ingest.ledger.tables import audit
from search_stack.core.errors import AspectraError

LEE = Entry("dr.lee", Action.SEARCH, patients=("P-1", "P-2"), notes=("n1",), about={"cohort": 3})


@pytest.fixture
def trail(ledger: Ledger, tmp_path: Path) -> Trail:
    return Trail(ledger.engine, tmp_path)


def filled(trail: Trail, count: int = 6) -> Trail:
    for n in range(count):
        trail.add(Entry(f"person{n % 2}", Action.NOTE, patients=(f"P-{n}",), about={"key": n}))
    return trail


def tampering(ledger: Ledger, c: Connection) -> Connection:
    """Somebody who may do everything to the database takes the triggers away first."""
    postgresql = ledger.engine.dialect.name == "postgresql"
    names = ["audit_only_added ON audit"] if postgresql else ["audit_no_update", "audit_no_delete"]
    for name in names:
        c.execute(text(f"DROP TRIGGER {name}"))
    return c


def told(trail: Trail) -> list[str]:
    return [problem.what for problem in trail.problems()[1]]


def test_entries_are_read_as_they_were_written_the_newest_first(trail: Trail) -> None:
    assert trail.head() == START
    assert trail.problems() == (0, [])
    trail.add(LEE)
    end = trail.add(Entry("", Action.SIGN_IN, Outcome.REFUSED))
    refused, lee = trail.entries(Wanted(), 10)
    assert (lee.number, lee.entry) == (1, LEE)
    assert (refused.number, refused.entry.outcome) == (2, Outcome.REFUSED)
    assert now() - lee.at < timedelta(minutes=1)
    assert trail.head() == end == read_head(str(end))
    assert trail.problems([end]) == (2, [])


def test_entries_are_found_by_who_whom_what_and_when(trail: Trail) -> None:
    trail.add(LEE)
    trail.add(Entry("dr.kim", Action.NOTE, patients=("P-12", 'p-1"%_')))
    trail.add(Entry("dr.kim", Action.SIGN_OUT))

    def numbers(**wanted: object) -> list[int]:
        return [one.number for one in trail.all_entries(Wanted(**wanted))]  # type: ignore[arg-type]

    assert numbers() == [3, 2, 1]
    assert numbers(person="dr.kim") == [3, 2]
    assert numbers(action=Action.SEARCH) == [1]
    assert numbers(patient="P-1") == [1]  # neither P-12 nor p-1…
    assert numbers(patient='p-1"%_') == [2]
    assert numbers(patient="%") == []
    assert numbers(patient="P-12", person="dr.lee") == []
    today = datetime.now(UTC).date()
    day = timedelta(days=1)
    assert numbers(since=today - day, until=today + day) == [3, 2, 1]
    assert numbers(until=today - day) == numbers(since=today + day) == []
    assert [one.number for one in trail.entries(Wanted(), 1, before=3)] == [2]


def test_the_database_changes_and_deletes_no_entry(trail: Trail, ledger: Ledger) -> None:
    filled(trail, 2)
    for statement in (update(audit).values(person="nobody"), delete(audit)):
        with pytest.raises(DatabaseError, match="never changed"), writing(ledger.engine) as c:
            c.execute(statement)
    assert trail.problems() == (2, [])


@pytest.mark.parametrize(
    "values",
    [
        {"person": "somebody"},
        {"action": "list"},
        {"outcome": "refused"},
        {"patients": ""},
        {"notes": '["n9"]'},
        {"query": "x"},
        {"about": "{}"},
        {"at": datetime(2020, 1, 1, tzinfo=UTC)},
        {"digest": "0" * 64},
        {"form": "sha3-256"},
        {"form": "md5"},
    ],
)
def test_an_edit_of_any_column_shows(trail: Trail, ledger: Ledger, values: dict[str, object]) -> None:
    filled(trail)
    with writing(ledger.engine) as c:
        tampering(ledger, c).execute(update(audit).where(audit.c.number == 3).values(**values))
    assert told(trail)
    assert all("3" in what or "4" in what for what in told(trail))


def test_gaps_show_where_they_are(trail: Trail, ledger: Ledger) -> None:
    filled(trail)
    with writing(ledger.engine) as c:
        tampering(ledger, c).execute(delete(audit).where(audit.c.number.in_([1, 3, 4])))
    assert told(trail) == ["Entry 1 is missing.", "Entries 3 to 4 are missing."]


def test_a_cut_off_end_shows_and_goes_on_showing(trail: Trail, ledger: Ledger) -> None:
    filled(trail)
    with writing(ledger.engine) as c:
        tampering(ledger, c).execute(delete(audit).where(audit.c.number > 4))
    assert told(trail) == ["Entries 5 to 6 are missing. The end was cut off."]
    trail.add(LEE)  # who covers it with new entries covers nothing
    assert [one.number for one in trail.entries(Wanted(), 2)] == [7, 4]
    assert told(trail) == ["Entries 5 to 6 are missing."]
    assert trail.add(LEE).number == 8
    assert told(trail) == ["Entries 5 to 6 are missing."]


def test_a_trail_written_anew_from_an_edit_on_shows(trail: Trail, ledger: Ledger, tmp_path: Path) -> None:
    noted = filled(trail, 3).head()
    filled(trail, 3)
    rewrite(ledger, "somebody else")
    last = ["Entry 6 is not the one that was written."]
    assert told(trail) == last
    (tmp_path / WITNESS).unlink()  # who reaches the data folder too
    assert told(trail) == ["This data folder holds nothing that tells where the trail ended."]
    assert trail.problems([noted])[1][0].what == "Entry 3 is not the one that was written."


def test_another_hash_follows_and_what_was_written_before_still_holds(ledger: Ledger, tmp_path: Path) -> None:
    filled(Trail(ledger.engine, tmp_path), 3)
    newer = Trail(ledger.engine, tmp_path, "sha3-256")
    filled(newer, 2)
    noted = filled(Trail(ledger.engine, tmp_path), 1).head()  # who is not told yet goes on with the newer one
    assert newer.problems([noted]) == (6, [])
    with ledger.engine.connect() as c:
        assert [row.form for row in c.execute(audit.select().order_by(audit.c.number))] == [
            "",
            "",
            "",
            *["sha3-256"] * 3,
        ]
    with writing(ledger.engine) as c:
        tampering(ledger, c).execute(update(audit).where(audit.c.number == 5).values(person="somebody"))
    assert told(newer) == ["Entry 5, or the one before it, was changed."]


def test_no_entry_goes_back_to_an_older_hash(ledger: Ledger, tmp_path: Path) -> None:
    trail = filled(Trail(ledger.engine, tmp_path, "sha3-256"), 4)
    (tmp_path / WITNESS).unlink()
    rewrite(ledger, "somebody", after=2)  # each digest right, by the first hash
    assert told(trail)[:2] == [f"Entry {n} has an older form than the one before it." for n in (3, 4)]


def test_a_form_of_a_newer_version_is_not_gone_behind(trail: Trail, ledger: Ledger) -> None:
    filled(trail, 2)
    with writing(ledger.engine) as c:
        tampering(ledger, c).execute(update(audit).where(audit.c.number == 2).values(form="later"))
    assert told(trail) == ["Entry 2 has a form that this version does not know."]
    with pytest.raises(AspectraError, match="does not know"):
        trail.add(LEE)


def test_a_trail_from_before_there_were_forms_still_holds(ledger: Ledger, ledger_address: str, tmp_path: Path) -> None:
    at = datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC)
    # As a version wrote it that knew of no form.
    assert bound("", 1, at, columns_of(LEE)) == "54cc473d1fefd9968fbadb8b790d7fa056495e178959700d02558106e977d4c4"
    filled(Trail(ledger.engine, tmp_path))
    with writing(ledger.engine) as c:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = c
        command.downgrade(config, "0014")
    upgraded = open_database(ledger_address)
    trail = Trail(upgraded, tmp_path)
    assert trail.problems() == (6, [])
    trail.add(LEE)
    assert trail.problems() == (7, [])
    with pytest.raises(DatabaseError, match="never changed"), writing(upgraded) as c:
        c.execute(update(audit).values(person="nobody"))
    upgraded.dispose()


def rewrite(ledger: Ledger, person: str, after: int = 0) -> None:
    """The same entries by another person, each digest right, by the first hash behind ``after``."""
    with writing(ledger.engine) as c:
        rows = c.execute(audit.select().order_by(audit.c.number)).all()
        tampering(ledger, c).execute(delete(audit).where(audit.c.number > after))
        previous = rows[after - 1].digest if after else ""
        for row in rows[after:]:
            values = {**row._mapping, "person": person, "form": ""}
            columns = {name: values[name] for name in columns_of(LEE)}
            previous = values["digest"] = bound(previous, row.number, row.at, columns)
            c.execute(insert(audit).values(values))


def test_several_write_at_once_and_none_is_lost(trail: Trail, ledger: Ledger, tmp_path: Path) -> None:
    # Each its own, as processes have.
    several = [Trail(ledger.engine, tmp_path) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(filled, several))
    assert trail.problems() == (24, [])
    assert {f"P-{n}" for n in range(6)} == {p for one in trail.all_entries(Wanted()) for p in one.entry.patients}


def test_what_cannot_be_witnessed_is_not_answered(trail: Trail, tmp_path: Path) -> None:
    filled(trail, 1)
    (tmp_path / WITNESS).write_text("x")
    with pytest.raises(AspectraError, match=r"audit\.head"):
        trail.add(LEE)
    assert trail.head().number == 1


def test_the_trail_moves_with_the_ledger_and_no_other_takes_its_place(ledger: Ledger, tmp_path: Path) -> None:
    trail = filled(Trail(ledger.engine, tmp_path))
    elsewhere = open_database(f"sqlite:///{tmp_path / 'other.sqlite3'}")
    with snapshot_of(ledger.engine) as old, writing(elsewhere) as new:
        copy_ledger(old, new, lambda done, total: None)
    moved = Trail(elsewhere, tmp_path)
    assert moved.problems() == (6, [])
    assert moved.head() == trail.head()
    moved.add(LEE)
    with snapshot_of(ledger.engine) as old, writing(elsewhere) as new:
        clear(new)
        copy_ledger(old, new, lambda done, total: None)
    assert moved.problems() == (7, [])


def test_what_was_asked_is_read_with_the_key_only(tmp_path: Path) -> None:
    seal, line = Seal(tmp_path / KEYS), "pneumothorax -effusion"
    sealed = seal.sealed(line)
    assert line not in sealed
    assert sealed != seal.sealed(line)
    assert (tmp_path / KEYS).stat().st_mode & 0o777 == 0o600
    assert Seal(tmp_path / KEYS).opened(sealed) == line
    assert Seal(tmp_path / "none").opened(sealed) is None
    other = Seal(tmp_path / "other.key")
    by_other = other.sealed("x")
    assert other.opened(sealed) is None
    add_keys(tmp_path / "other.key", tmp_path / KEYS)
    both = Seal(tmp_path / "other.key")
    assert (both.opened(sealed), both.opened(by_other)) == (line, "x")
    assert other.opened(both.sealed("y")) == "y"  # its own key goes on sealing
    (tmp_path / "bad.key").write_text("no key\n")
    with pytest.raises(AspectraError, match=r"bad\.key"):
        Seal(tmp_path / "bad.key").sealed("x")


def test_what_was_sealed_before_opens_and_what_was_changed_does_not(tmp_path: Path) -> None:
    seal = Seal(tmp_path / KEYS)
    sealed = seal.sealed("fever")
    (key,) = (tmp_path / KEYS).read_bytes().split()
    assert seal.opened(Fernet(key).encrypt(b"cough").decode()) == "cough"  # by versions until 0.1
    for n in range(len(sealed)):
        other = "A" if sealed[n] != "A" else "B"
        assert seal.opened(sealed[:n] + other + sealed[n + 1 :]) is None, n
    assert [seal.opened(cut) for cut in (sealed[:-4], "2.", "2.AAAA")] == [None] * 3


def test_half_a_character_is_sealed_as_a_question_mark(tmp_path: Path) -> None:
    seal = Seal(tmp_path / KEYS)
    assert seal.opened(seal.sealed("fe\ud800ver")) == "fe?ver"


def test_one_key_is_made_by_however_many(tmp_path: Path) -> None:
    for n in range(20):
        file = tmp_path / str(n)
        with ThreadPoolExecutor(4) as pool:
            sealed = list(pool.map(lambda _, file=file: Seal(file).sealed("x"), range(4)))
        assert [Seal(file).opened(one) for one in sealed] == ["x"] * 4
        assert len(file.read_bytes().split()) == 1


def test_entries_as_csv_and_json(trail: Trail) -> None:
    trail.add(Entry("=cmd()", Action.SEARCH, patients=tuple("ABCDE"), query=trail.seal.sealed("fever")))
    trail.add(Entry("lee", Action.SEARCH, query="sealed elsewhere"))
    found = list(trail.all_entries(Wanted()))
    head, lee, cmd = csv.reader(io.StringIO(b"".join(csv_lines(found, trail.seal)).decode()))
    rows = [dict(zip(head, row, strict=True)) for row in (cmd, lee)]
    assert [row["person"] for row in rows] == ["'=cmd()", "lee"]
    assert [row["query"] for row in rows] == ["fever", SEALED]
    assert rows[0]["patients"] == '["A", "B", "C", "D", "E"]'
    assert audit_json(found[0], trail.seal)["query"] is None
    assert summary(found[1].entry, trail.seal) == ("A, B, C and 2 more", "fever")
    assert summary(found[1].entry, trail.seal, "E") == ("E, A, B and 2 more", "fever")
    assert list(csv_lines([], trail.seal)) == [b",".join(name.encode() for name in head) + b"\n"]
