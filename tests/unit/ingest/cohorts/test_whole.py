"""A save that is killed leaves a whole version or none; and versions travel with the ledger."""

from __future__ import annotations

import os
import random
import signal
import time
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from pyroaring import BitMap
from sqlalchemy.exc import DatabaseError

from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from ingest.ledger.copy import clear, copy_ledger, snapshot_of
from ingest.ledger.database import open_database, writing
from ingest.ledger.move import move
from search_stack.cohorts.rows import Rows
from search_stack.core.schema import Note
from tests.unit.ingest.cohorts.conftest import Make
from tests.unit.ingest.cohorts.test_store import plain

KILLS = 6
PATIENTS = 20_000


def quiet(done: int, total: int) -> None:
    """Progress that nobody looks at."""


def notes_in(ledger: Ledger, *patients: str) -> None:
    batch = [Note(f"note-{p}", "Text.", p, date=date(2020, 1, 1)) for p in patients]
    ledger.put(batch, ledger.start_run("file", "csv"))


def test_a_killed_save_leaves_a_whole_version_or_none(ledger_address: str, make_found: Make) -> None:
    open_database(ledger_address).dispose()
    numbers = np.arange(1, PATIENTS + 1)
    rows = Rows.of(numbers, numbers % 7, numbers * 3)
    found = make_found(rows=rows, patients=BitMap(numbers.tolist()))
    chance = random.Random(7)
    whole = 0
    for _ in range(KILLS):
        child = os.fork()
        if child == 0:
            try:
                store = Store(open_database(ledger_address))
                while True:
                    store.save("a", found, "mo")
            finally:
                os._exit(1)
        time.sleep(chance.uniform(0.2, 0.9))
        os.kill(child, signal.SIGKILL)
        assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
        engine = open_database(ledger_address)
        store = Store(engine)
        kept = store.editions("a") if store.cohorts() else []
        assert [e.number for e in kept] == list(range(1, len(kept) + 1))
        if kept:
            assert plain(store.version("a")) == plain(found)  # its digest is checked too
            whole = len(kept)
        engine.dispose()
    assert whole


@pytest.fixture
def other(ledger_address: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """The address of another empty database of the same kind."""
    if ledger_address.startswith("sqlite"):
        return f"sqlite:///{tmp_path / 'other.sqlite3'}"
    return str(request.getfixturevalue("make_postgresql")())


def test_versions_move_with_the_ledger_and_nobody_takes_their_numbers(
    ledger: Ledger, store: Store, make_found: Make, other: str
) -> None:
    notes_in(ledger, "p1", "p2", "p3")
    saved = store.save("a", make_found((1, 1, 1), (3, 3, 3)), "mo", "Whoever.")
    store.schedule("a", 60)
    store.save("b", make_found((2, 2, 2)), "mo")
    gone = store.save("b", make_found((2, 2, 2)), "mo").id
    store.delete("b")
    move(ledger.engine, other, quiet)
    moved = Ledger(open_database(other))
    there = Store(moved.engine)
    assert plain(there.version("a")) == plain(saved)
    assert (there.cohort("a").description, there.cohort("a").every) == ("Whoever.", 60)
    # Its patients are the same people still, and those who come get other numbers.
    notes_in(moved, "p4")
    assert moved.people.ids(there.version("a").numbers) == {1: "p1", 3: "p3"}
    assert moved.people.numbers(["p4"]) == {"p4": 4}
    assert there.save("b", make_found((1, 1, 1)), "mo").id == gone + 1
    # Who still has the old place open can save nothing there.
    with pytest.raises(DatabaseError):
        store.save("late", make_found((1, 1, 1)), "mo")
    moved.engine.dispose()


def test_versions_are_in_a_backup_and_come_back_with_it(
    ledger: Ledger, store: Store, make_found: Make, other: str
) -> None:
    notes_in(ledger, "p1", "p2")
    saved = store.save("a", make_found((1, 1, 1)), "mo")
    backup = open_database(other)
    with snapshot_of(ledger.engine) as now, writing(backup) as copy:
        copy_ledger(now, copy, quiet)
    notes_in(ledger, "p3")
    store.save("a", make_found((1, 1, 1), (3, 3, 3)), "mo")
    store.save("b", make_found((3, 3, 3)), "mo")
    with snapshot_of(backup) as copy, writing(ledger.engine) as now:
        clear(now)
        copy_ledger(copy, now, quiet)
    assert [(c.name, c.newest.number) for c in store.cohorts()] == [("a", 1)]
    assert plain(store.version("a")) == plain(saved)
    assert ledger.people.ids(store.version("a").numbers) == {1: "p1"}
    backup.dispose()
