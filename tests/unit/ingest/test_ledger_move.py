"""A ledger in another database: the same to the last row, or not at all."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, select, update
from sqlalchemy.exc import DatabaseError

from ingest.ledger import Ledger
from ingest.ledger.copy import TABLES, copy_ledger, digest, snapshot_of
from ingest.ledger.database import open_database, writing
from ingest.ledger.move import move
from ingest.ledger.queue import Queue
from ingest.ledger.tables import notes
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note

KINDS = list(itertools.product(("sqlite", "postgresql"), repeat=2))


def quiet(done: int, total: int) -> None:
    """Progress that nobody looks at."""


def addresses(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    for number in itertools.count():
        if kind == "sqlite":
            yield f"sqlite:///{tmp_path / f'ledger-{number}-{id(request)}.sqlite3'}"
        else:
            yield request.getfixturevalue("make_postgresql")()


@pytest.fixture(
    params=[pytest.param(k, marks=[pytest.mark.engine] if "postgresql" in k else [], id="-to-".join(k)) for k in KINDS]
)
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Ledger, str]:
    """A ledger with notes in every state, and the address of an empty database."""
    first, second = request.param
    (tmp_path / "to").mkdir()
    ledger = Ledger(open_database(next(addresses(first, tmp_path, request))))
    run = ledger.start_run("a source", "csv")
    many = [
        Note(f"n{i}", f"text {i} \U0001f600 \ufffd", f"p{i % 7}", "letter", date(2020, 1, 1), "t", "c")
        for i in range(1203)
    ]
    for start in range(0, len(many), 200):
        ledger.put(many[start : start + 200], run)
    queue = Queue(ledger, 16, 60, 2)
    claim = queue.claim()
    assert claim
    queue.finish([(s, 3) for s in queue.begin(claim)])
    ledger.note_labelling("v1", {"effusion": "abcdef01"})
    ledger.start_build("an-index-000002")
    # The last key is gone, and must not be given again.
    last = ledger.greatest_key()
    ledger.mark_deleting(["n1202"])
    ledger.remove(ledger.deleting(10))
    assert ledger.greatest_key() == last - 1
    return ledger, next(addresses(second, tmp_path / "to", request))


def test_a_ledger_moves_as_it_is_and_closes_behind_itself(pair: tuple[Ledger, str]) -> None:
    ledger, address = pair
    identity, counts, last = ledger.identity, ledger.counts(), ledger.greatest_key()
    before = ledger.between(0, last)
    heard: list[tuple[int, int]] = []
    assert move(ledger.engine, address, lambda done, total: heard.append((done, total))) == 1202
    assert heard[-1] == (1202, 1202)
    moved = Ledger(open_database(address))
    assert moved.identity == identity
    assert moved.counts() == counts
    assert moved.between(0, last) == before
    assert moved.building() == {"an-index-000002": 0}
    assert moved.labelled_with("v1") == {"effusion": "abcdef01"}
    moved.put([Note("new", "text", "p")], moved.start_run("another", "csv"))
    assert moved.greatest_key() == last + 2
    # Whoever has the old place open can change nothing there, and nobody opens it again.
    with pytest.raises(DatabaseError):
        ledger.put([Note("late", "text", "p")], 1)
    with pytest.raises(AspectraError, match="was moved to"):
        open_database(ledger.engine.url.render_as_string(hide_password=False))


def test_nothing_is_moved_onto_other_notes(pair: tuple[Ledger, str]) -> None:
    ledger, address = pair
    other = Ledger(open_database(address))
    other.put([Note("theirs", "text", "p")], other.start_run("theirs", "csv"))
    with pytest.raises(AspectraError, match="holds notes already"):
        move(ledger.engine, address, quiet)
    assert ledger.counts()["pending"] == 1202 - 16
    assert [s.note.note_id for s in other.between(0, 10)] == ["theirs"]


def test_a_move_that_was_cut_off_before_the_end_is_finished(pair: tuple[Ledger, str]) -> None:
    ledger, address = pair
    target = open_database(address)
    with writing(ledger.engine) as old, writing(target) as new:
        copy_ledger(old, new, quiet)
    assert move(ledger.engine, address, quiet) == 1202
    with pytest.raises(AspectraError, match="was moved to"):
        open_database(ledger.engine.url.render_as_string(hide_password=False))


def test_a_move_that_fails_half_way_leaves_both_as_they_were(pair: tuple[Ledger, str]) -> None:
    ledger, address = pair

    def full(done: int, total: int) -> None:
        if done > 500:
            raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        move(ledger.engine, address, full)
    assert sum(ledger.counts().values()) == 1202
    assert Ledger(open_database(address)).greatest_key() == 0
    assert move(ledger.engine, address, quiet) == 1202


def test_a_copy_is_of_one_moment(pair: tuple[Ledger, str]) -> None:
    ledger, address = pair
    target = open_database(address)

    def change(done: int, total: int) -> None:
        ledger.put([Note(f"late-{done}", "text", "p")], 1)
        ledger.mark_deleting(["n1200"])

    with snapshot_of(ledger.engine) as old, writing(target) as new:
        assert copy_ledger(old, new, change) == 1202
        assert all(digest(old, table) == digest(new, table) for table in TABLES)
    with target.connect() as c:
        assert c.execute(select(notes.c.state).where(notes.c.note_id == "n1200")).scalar() == "pending"
        assert not c.execute(select(notes.c.key).where(notes.c.note_id == "late-500")).first()


def test_what_reads_back_otherwise_is_refused(pair: tuple[Ledger, str]) -> None:
    ledger, address = pair
    target = open_database(address)
    with snapshot_of(ledger.engine) as old, pytest.raises(AspectraError, match="does not read back"):
        _copy_and_meddle(old, target)
    assert Ledger(target).greatest_key() == 0


def _copy_and_meddle(old: Connection, target: Engine) -> None:
    with writing(target) as new:
        other = update(notes).where(notes.c.note_id == "n7").values(text="another text")
        copy_ledger(old, new, lambda done, total: new.execute(other) and None)
