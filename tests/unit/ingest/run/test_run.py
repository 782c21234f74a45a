"""A run without a command, a terminal or a file: what it hears, waits for and comes to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select

from ingest.demo import demo_source
from ingest.ledger import Ledger
from ingest.ledger.database import open_database, writing
from ingest.ledger.tables import FAILED, INDEXED, PENDING, notes, runs
from ingest.readers import Opened, Record, Work
from ingest.run import Stalled, Watcher, run_ingest, waiting
from ingest.run import run as module
from ingest.work.dispatch import make_queue
from search_stack.core.schema import Note, StructuredFact
from search_stack.core.settings import Settings


class Heard(Watcher):
    def __init__(self) -> None:
        self.said: list[tuple[object, ...]] = []

    def reading(self, done: int) -> None:
        self.said.append(("reading", done))

    def indexing(self, done: int, total: int) -> None:
        self.said.append(("indexing", done, total))

    def stopped(self) -> None:
        self.said.append(("stopped",))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    found = Ledger(open_database(f"sqlite:///{tmp_path / 'ledger.sqlite3'}"))
    yield found
    found.engine.dispose()


@pytest.fixture
def place(ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings of a stack whose one worker takes all that waits at each tick, and writes no passage."""

    class Dispatcher:
        def __init__(self, *_: object) -> None: ...

        def try_tick(self) -> None:
            queue = make_queue(ledger, settings)
            while claim := queue.claim():
                queue.finish([(s, 1) for s in queue.begin(claim)])

    settings = Settings(data_dir=tmp_path)
    monkeypatch.setattr(module, "connect", lambda _: SimpleNamespace())
    monkeypatch.setattr(module, "ensure_index", lambda *_: None)
    monkeypatch.setattr(module, "Dispatcher", Dispatcher)
    monkeypatch.setattr(module, "Indexes", lambda *_: SimpleNamespace(refresh=lambda: None, count=lambda: 1))
    monkeypatch.setattr(waiting, "TICK", 0)
    return settings


def made_up(count: int, work: Work | None) -> Opened:
    def read() -> Iterator[Record]:
        for n in range(count):
            yield Record(Note(f"n{n}", "Clear lungs.", f"p{n}", collection="ward"), n + 1)

    return Opened("ward 7", "postgresql://host/ward", "database", "ward", work, read)


def test_a_run_is_told_and_kept(place: Settings, ledger: Ledger) -> None:
    heard = Heard()
    done = run_ingest(made_up(3, None), ledger, place, watcher=heard)
    assert (done.new, done.rejected, done.failed, done.loud, done.index_lacks) == (3, 0, 0, False, True)
    assert heard.said == [("reading", 0), ("reading", 3)]  # indexed while the rest was read
    with ledger.engine.connect() as c:
        row: Any = c.execute(select(runs)).one()
    assert (row.source, row.format, row.new) == ("postgresql://host/ward", "database", 3)
    assert row.finished


def test_a_run_waits_for_what_others_brought(place: Settings, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FEED_EVERY", 1e9)
    heard = Heard()
    assert run_ingest(made_up(1, Work(1, "records")), ledger, place, watcher=heard).new == 1
    assert heard.said[-1] == ("indexing", 1, 1)
    run_ingest(made_up(5, None), ledger, place, wait=False)
    assert ledger.counts()[PENDING] == 4


def test_what_failed_is_counted_among_the_notes_of_the_run(place: Settings, ledger: Ledger) -> None:
    assert run_ingest(made_up(2, None), ledger, place).failed == 0
    _set_state(ledger, "n0", FAILED)
    again = run_ingest(made_up(2, None), ledger, place)
    assert (again.unchanged, again.failed, again.loud) == (2, 1, True)  # it failed before, and still cannot be found
    # One that another run brought says nothing of this run; and where it got well meanwhile, it hides no other.
    _set_state(ledger, "n1", FAILED)
    done = run_ingest(made_up(1, None), ledger, place)
    assert (done.failed, done.loud) == (1, True)
    _set_state(ledger, "n0", INDEXED)
    assert run_ingest(made_up(1, None), ledger, place).failed == 0


def _set_state(ledger: Ledger, note_id: str, state: str) -> None:
    with writing(ledger.engine) as c:
        c.execute(notes.update().where(notes.c.note_id == note_id).values(state=state))


def test_where_nothing_moves_the_watcher_may_help_and_then_it_is_given_up() -> None:
    heard = Heard()
    patience = waiting._Patience(heard)
    for now in (100, 102, 103, 105, 108):
        patience.look({PENDING: 2}, now)
    assert heard.said == [("stopped",), ("stopped",)]
    patience.look({PENDING: 1}, 109)
    patience.look({PENDING: 1}, 111)
    assert len(heard.said) == 2
    with pytest.raises(Stalled, match="10 minutes"):
        patience.look({PENDING: 1}, 710)


def test_the_demo_is_a_source_that_counts_notes_and_facts() -> None:
    source = demo_source()
    records = list(source)
    assert {type(r.item) for r in records} == {Note, StructuredFact}
    assert source.work == Work(len(records), "records")
    assert [r.done for r in records] == list(range(1, len(records) + 1))
    items = [r.item for r in records if isinstance(r.item, Note | StructuredFact)]
    assert {item.collection for item in items} == {source.collection} == {"demo"}
