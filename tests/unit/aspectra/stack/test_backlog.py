"""What the status says of the notes, over a real ledger."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from aspectra.stack.backlog import backlog_lines
from ingest.ledger import Ledger
from ingest.ledger.backlog import backlog, oldest_pending
from ingest.ledger.queue import Queue
from search_stack.core.schema import Note
from search_stack.core.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path)


@pytest.fixture
def ledger(settings: Settings) -> Ledger:
    return Ledger.from_settings(settings)


def put(ledger: Ledger, *ids: str, finished: bool = True) -> None:
    run = ledger.start_run("/ward/Erika Mustermann.csv", "csv")
    ledger.put([Note(i, "Clear lungs.", "p", collection="Erika Mustermann") for i in ids], run)
    if finished:
        ledger.finish_run(run, {"new": len(ids), "rejected": 2})


def test_without_a_ledger_none_is_made(settings: Settings) -> None:
    assert backlog_lines(settings, datetime.now(UTC)) == ["There is no ledger yet: no note was ingested."]
    assert not list(settings.data_dir.iterdir())


def test_notes_are_told_by_what_becomes_of_them(settings: Settings, ledger: Ledger) -> None:
    put(ledger, *"abcdefgh")
    queue = Queue(ledger, full=2, seconds=60, max_attempts=1)
    done, failing, _ = (queue.claim() or "" for _ in range(3))
    queue.finish([(s, 1) for s in queue.begin(done)])
    first, second = queue.begin(failing)
    queue.fail(first, "ValueError")
    queue.release([second], 0)
    ledger.mark_deleting(["h"])
    found = backlog(ledger)
    assert (found.indexed, found.waiting, found.claimed, found.claims) == (2, 2, 2, 1)
    assert (found.failed, found.deleting) == (1, 1)
    assert found.moved
    later = found.moved + timedelta(minutes=12, seconds=5)
    notes, still, run = backlog_lines(settings, later)
    assert notes == "Notes: 2 indexed, 2 waiting, 2 claimed (1 claims out), 1 failed, 1 being deleted."
    assert still.startswith("Nothing has moved since 2")
    assert still.endswith(", for 12 min.")
    assert run.startswith("Last ingest: run 1, csv, 2")
    assert run.endswith(": 8 new, 0 unchanged, 0 changed, 2 rejected.")
    assert "Erika" not in notes + still + run


def test_where_all_is_indexed_nothing_need_move(settings: Settings, ledger: Ledger) -> None:
    put(ledger, "a")
    queue = Queue(ledger, full=2, seconds=60, max_attempts=1)
    queue.finish([(s, 1) for s in queue.begin(queue.claim() or "")])
    put(ledger, "a", finished=False)
    lines = backlog_lines(settings, datetime.now(UTC))
    assert [line.partition(" ")[0] for line in lines] == ["Notes:", "Last"]
    assert lines[1].endswith("it has not read to its end.")
    assert oldest_pending(ledger.engine) == 0


def test_each_movement_counts(ledger: Ledger) -> None:
    queue = Queue(ledger, full=2, seconds=0, max_attempts=1)
    put(ledger, "a", "b")
    seen = [backlog(ledger).moved]
    for move in (
        lambda: queue.fail(queue.begin(queue.claim() or "")[0], "ValueError"),
        lambda: queue.retry_failed(),
        lambda: queue.finish([(s, 1) for s in queue.begin(queue.claim() or "")]),
        lambda: ledger.index_again([1]),
        lambda: ledger.mark_deleting(["a"]),
    ):
        move()
        seen.append(backlog(ledger).moved)
    times = [t for t in seen if t]
    assert len(times) == len(seen)
    assert times == sorted(set(times))
