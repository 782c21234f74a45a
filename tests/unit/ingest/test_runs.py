"""Runs, and what failed, as they are counted over a real ledger."""

from __future__ import annotations

from ingest.ledger import Ledger
from ingest.ledger.backlog import failed_alike
from ingest.ledger.queue import Queue
from ingest.ledger.runs import newest_runs
from search_stack.core.schema import Note


def put(ledger: Ledger, run: int, *ids: str, collection: str = "ward", text: str = "Clear lungs.") -> None:
    ledger.put([Note(i, text, "p", collection=collection) for i in ids], run)


def test_without_a_run_there_is_none(ledger: Ledger) -> None:
    assert newest_runs(ledger.engine, 50) == []
    assert failed_alike(ledger.engine) == []


def test_runs_tell_what_became_of_their_notes(ledger: Ledger) -> None:
    first = ledger.start_run("/ward/a.csv", "csv")
    put(ledger, first, *"abcd")
    ledger.finish_run(first, {"new": 4, "rejected": 2})
    queue = Queue(ledger, full=2, seconds=60, max_attempts=1)
    queue.finish([(s, 1) for s in queue.begin(queue.claim() or "")])
    queue.fail(queue.begin(queue.claim() or "")[0], "ValueError")
    second = ledger.start_run("/ward/b.jsonl", "jsonl")
    put(ledger, second, "e", "f")
    put(ledger, second, "a", text="A nodule.")
    third = ledger.start_run("/ward/c.jsonl", "jsonl")
    reading, broken, whole = newest_runs(ledger.engine, 3)
    assert [reading.run.number, broken.run.number, whole.run.number] == [third, second, first]
    assert (reading.came, reading.waiting, reading.failed) == (0, 0, 0)
    assert (broken.run.format, broken.came, broken.waiting, broken.failed) == ("jsonl", 3, 3, 0)
    queue.finish([(s, 1) for s in queue.begin(queue.claim() or "")])
    again = newest_runs(ledger.engine, 3)[1]
    assert (again.came, again.waiting) == (3, 1)  # indexed ones have come in as well
    assert (whole.came, whole.waiting, whole.failed) == (None, 1, 1)
    assert dict(whole.run.counts) == {"new": 4, "unchanged": 0, "changed": 0, "rejected": 2}
    assert [one.run.number for one in newest_runs(ledger.engine, 1)] == [third]


def test_what_failed_alike_is_counted_by_collection(ledger: Ledger) -> None:
    run = ledger.start_run("file", "csv")
    put(ledger, run, *"abc", collection="x")
    put(ledger, run, "d", collection="b")
    queue = Queue(ledger, full=4, seconds=60, max_attempts=1)
    errors = ["ValueError", "KeyError", "KeyError", "ValueError"]
    for stored, error in zip(queue.begin(queue.claim() or ""), errors, strict=True):
        queue.fail(stored, error)
    found = [(one.collection, one.error, one.notes) for one in failed_alike(ledger.engine)]
    assert found == [("b", "ValueError", 1), ("x", "KeyError", 2), ("x", "ValueError", 1)]
