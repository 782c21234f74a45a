"""Commands on kept cohorts that need no engine: what they print, and what they say where something is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from pyroaring import BitMap
from sqlalchemy import update

from aspectra import console
from aspectra.cli import main
from ingest.cohorts.store import Store
from ingest.handover.export import Order
from ingest.handover.jobs import Jobs
from ingest.ledger import Ledger
from ingest.ledger.database import open_database, writing
from ingest.ledger.ledger import now
from ingest.ledger.tables import exports
from search_stack.cohorts.rows import Rows
from search_stack.cohorts.version import Asked, Found, Left, NoteStates, Operand, Provenance
from search_stack.core.account import present_user
from search_stack.core.schema import Note

SEEN = datetime(2024, 5, 6, tzinfo=UTC)
Run = Callable[..., Result]


def found(*patients: int, version: int = 1) -> Found:
    """Patients by one note each, of their own number."""
    numbers = np.array(patients, dtype=np.int64)
    same = np.ones_like(numbers)
    return Found(
        unit="patient",
        origin=Asked({"finding": "fever", "assertion": "present"}, "fever"),
        patients=BitMap(patients),
        provenance=Provenance(SEEN, "l" * 32, 0, 3, "generation", ("v1",), cohorts=("old@4",), program="0.1.0"),
        rows=Rows.of(numbers, same * 18_262, numbers),
        notes=NoteStates(numbers, same * version, same * 0, same),
        steps=(Left("fever", len(patients), len(patients)),),
        undated=1,
    )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """With a cohort "fever" in two versions, and one "all"; patients p1 to p3 with the notes n1 to n3."""
    ledger = Ledger(open_database(f"sqlite:///{tmp_path / 'ledger.sqlite3'}"))
    notes = [Note(f"n{p}", "Text.", f"p{p}", date=date(2020, 1, 1)) for p in (1, 2, 3)]
    ledger.put(notes, ledger.start_run("file", "csv"))
    store = Store(ledger.engine)
    store.save("fever", found(1, 2), "mo", "Who has [red]fever[/red].")
    store.save("fever", found(2, 3, version=2), "jo")
    store.save("all", found(1, 2, 3), "mo")
    return store


@pytest.fixture
def run(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(console.out, "width", 200)

    def call(*arguments: object, **options: Any) -> Result:
        environment = {"ASPECTRA_DATA_DIR": str(tmp_path)}
        return CliRunner().invoke(main, ["cohort", *map(str, arguments)], env=environment, **options)

    return call


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_list_and_show(run: Run) -> None:
    assert [(c["name"], c["newest"]["version"], c["newest"]["by"]) for c in data(run("list", "--json"))] == [
        ("all", 1, "mo"),
        ("fever", 2, "jo"),
    ]
    listed = run("list").stdout
    assert "fever@2" in listed
    # What a person wrote is shown as it is.
    assert "Who has [red]fever[/red]." in listed
    shown = data(run("show", "FEVER@1", "--json"))
    assert (shown["name"], shown["version"], shown["patients"], shown["notes"]) == ("fever", 1, 2, 2)
    assert shown["provenance"]["labels"] == ["v1"]
    assert shown["provenance"]["cohorts"] == ["old@4"]
    assert [v["version"] for v in shown["cohort"]["versions"]] == [1, 2]
    text = run("show", "fever").stdout
    for said in ("fever@2: 2 patients, by 2 notes", "Asked: fever", "index generation generation", "old@4", "by jo"):
        assert said in text


def test_diff_of_two_versions(run: Run) -> None:
    told = data(run("diff", "fever", "1", "2", "--json"))
    assert told["counts"] == {"new": 1, "gone": 1, "changed": 1}
    assert [p["patient"] for kind in ("new", "gone", "changed") for p in told[kind]] == ["p3", "p1", "p2"]
    assert told["changed"][0]["evidence"] == [
        {"moved": "rewritten", "note": "n2", "key": 2, "day": "2020-01-01", "why": "changed note"}
    ]
    assert "1 changed: changed note 1" in run("diff", "fever@1", "fever@2").stdout
    assert "Nothing has changed" in run("diff", "fever@1", "fever@1").stdout


@pytest.mark.parametrize(
    ("operation", "patients"), [("union", 3), ("intersection", 2), ("difference", 1)], ids=lambda v: str(v)
)
def test_combine(run: Run, store: Store, operation: str, patients: int) -> None:
    made = data(run("combine", "new", operation, "all", "fever", "--json"))
    assert (made["patients"], made["by"]) == (patients, present_user())
    assert [(o["cohort"], o["number"]) for o in made["origin"]["of"]] == [("all", 1), ("fever", 2)]
    assert data(run("delete", "fever", "--yes", "--json")) == {"name": "fever", "versions": 2}
    assert len(store.version("new").patients) == patients
    assert f"{operation} of all@1 and fever@2" in run("show", "new").stdout
    # It is not run again by itself, and says what to do instead.
    again = run("save", "new", "--again")
    assert again.exit_code == 1
    assert f"aspectra cohort combine new {operation} all fever" in again.stderr


def test_import(run: Run, store: Store, tmp_path: Path) -> None:
    file = tmp_path / "ids.csv"
    file.write_text("mrn,x\np2,1\nzz,1\np2,1\n")
    result = run("import", "list", file)
    assert result.exit_code == 0
    assert "ids.csv, line 3: no patient has this id" in result.stdout
    assert "ids.csv, line 4: line 2 has this id already" in result.stdout
    assert "2 lines brought no patient of their own." in result.stderr
    assert "zz" not in result.output
    assert list(store.version("list").patients) == [2]
    assert "Import it anew" in run("diff", "list").stderr


def test_schedule(run: Run, store: Store) -> None:
    kept = data(run("schedule", "fever", "--every", "90m", "--json"))
    assert kept["schedule"]["every"] == 5_400
    assert "Runs every 90m, next at" in run("show", "fever").stdout
    assert run("schedule", "fever", "--off").exit_code == 0
    assert store.cohort("fever").every is None


def test_delete_asks(run: Run, store: Store) -> None:
    assert run("delete", "fever", input="n\n").exit_code == 1
    assert len(store.editions("fever")) == 2
    assert run("delete", "fever", input="y\n").exit_code == 0
    assert [c.name for c in store.cohorts()] == ["all"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("show", "fevr"), "There is no cohort fevr.\nDid you mean fever?"),
        (("show", "fever@9"), "fever has no version 9.\nIt has 1 to 2."),
        (("show", "fever@x"), "Write it as NAME@3."),
        (("save", "a b", "fever"), "This is no name for a cohort."),
        (("save", "a"), "Either QUERY or --again is needed."),
        (("save", "fever", "cough", "--again"), "Either QUERY or --again is needed."),
        (("diff", "fever@2", "fever@1"), "Name the older version first."),
        (("diff", "fever@1", "all@1"), "aspectra cohort compare fever@1 all@1"),
        (("diff", "fever", "1", "2", "3"), "More than two versions"),
        (("schedule", "fever"), "Either --every or --off is needed."),
        (("schedule", "fever", "--every", "daily"), "Write it as --every 1d."),
        (("combine", "new", "union", "fever", "al"), "Did you mean all?"),
        (("import", "new", "nowhere.csv"), "cannot be read"),
    ],
    ids=lambda v: "-".join(v) if isinstance(v, tuple) else "",
)
def test_what_is_wrong_is_said(run: Run, arguments: tuple[str, ...], told: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 1
    assert told in result.stderr


def test_nothing_is_kept_yet(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["cohort", "list"], env={"ASPECTRA_DATA_DIR": str(tmp_path)})
    assert "aspectra cohort save NAME QUERY" in result.stdout


def test_old_exports_are_removed_by_command(run: Run, tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'ledger.sqlite3'}")
    output = tmp_path / "exports" / "own" / "cohort.csv"
    output.parent.mkdir(parents=True)
    output.write_text("p1")
    number = Jobs(engine).add(Operand("fever", 1, 1), Order("csv", output), True, None, "mo")
    with writing(engine) as c:
        c.execute(update(exports).values(finished=now() - timedelta(days=31), state="done"))
    engine.dispose()
    assert "The files of 0 exports were removed." in run("exports", "--remove-older", "32").stdout
    assert output.exists()
    assert "The files of 1 export were removed." in run("exports", "--remove-older", "30").stdout
    assert not output.parent.exists()
    assert [job["export"] for job in json.loads(run("exports", "--json").stdout)] == [number]
