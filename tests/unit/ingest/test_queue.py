"""The ledger as a queue, in SQLite, and in PostgreSQL where that is installed."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest
from sqlalchemy import select

from ingest.ledger import Ledger, StoredNote
from ingest.ledger.ledger import stored_note
from ingest.ledger.queue import Queue, batch_size
from ingest.ledger.tables import notes
from search_stack.core.schema import Note

EXPIRED = -1
"""Life of a claim that is over as soon as it is made."""


def put(ledger: Ledger, count: int, text: str = "Clear lungs.") -> None:
    ledger.put([Note(f"n{i}", text, "p1") for i in range(count)], ledger.start_run("file", "csv"))


def queue_of(ledger: Ledger, full: int = 4, seconds: int = 60, max_attempts: int = 5) -> Queue:
    return Queue(ledger, full, seconds, max_attempts)


def take(queue: Queue) -> list[StoredNote]:
    claim = queue.claim()
    return queue.begin(claim) if claim else []


def all_of(ledger: Ledger) -> list[StoredNote]:
    with ledger.engine.connect() as c:
        return [stored_note(row) for row in c.execute(select(notes).order_by(notes.c.key))]


def ids(batch: list[StoredNote]) -> list[str]:
    return [s.note.note_id for s in batch]


def test_claims_are_full_and_share_no_note(ledger: Ledger) -> None:
    put(ledger, 10)
    queue = queue_of(ledger)
    assert [ids(take(queue)) for _ in range(4)] == [
        ["n0", "n1", "n2", "n3"],
        ["n4", "n5", "n6", "n7"],
        ["n8", "n9"],
        [],
    ]


def test_waiting_claims_are_counted_while_they_hold(ledger: Ledger) -> None:
    put(ledger, 10)
    queue = queue_of(ledger)
    assert queue.waiting() == 0
    queue.claim()
    queue.claim()
    assert queue.waiting() == 2
    queue_of(ledger, seconds=EXPIRED).claim()
    assert queue.waiting() == 2


def test_a_claim_that_ran_out_is_given_away_and_its_message_finds_nothing(ledger: Ledger) -> None:
    put(ledger, 3)
    late = queue_of(ledger, seconds=EXPIRED).claim()
    queue = queue_of(ledger)
    claim = queue.claim()
    assert late
    assert claim
    assert queue.begin(late) == []
    assert ids(queue.begin(claim)) == ["n0", "n1", "n2"]


def test_a_claim_that_ran_out_and_was_given_to_nobody_still_counts(ledger: Ledger) -> None:
    put(ledger, 2)
    late = queue_of(ledger, seconds=EXPIRED).claim()
    assert ids(queue_of(ledger).begin(late or "")) == ["n0", "n1"]
    assert queue_of(ledger).claim() is None


def test_a_claim_that_did_not_reach_the_broker_is_free_at_once(ledger: Ledger) -> None:
    put(ledger, 2)
    queue = queue_of(ledger)
    claim = queue.claim()
    assert queue.claim() is None
    queue.disclaim(claim or "")
    assert ids(take(queue)) == ["n0", "n1"]
    assert [s.attempts for s in all_of(ledger)] == [1, 1]


def test_an_unknown_claim_is_no_work(ledger: Ledger) -> None:
    put(ledger, 1)
    assert queue_of(ledger).begin("0" * 32) == []


def test_a_batch_that_was_lost_comes_back_in_quarters_then_singly_then_is_set_aside(ledger: Ledger) -> None:
    """Each begin stands for a worker that dies of it."""
    put(ledger, 16)
    queue = queue_of(ledger, full=16, seconds=EXPIRED, max_attempts=3)
    sizes: list[int] = []
    while claim := queue.claim():
        sizes.append(len(queue.begin(claim)))
    assert sizes == [16] + [4] * 4 + [1] * 16 + [0] * 16
    assert {(s.state, s.attempts) for s in all_of(ledger)} == {("failed", 3)}
    assert {s.last_error for s in all_of(ledger)} == {"The worker was lost each time it took up this note."}


def test_a_batch_whose_message_comes_twice_is_let_go_to_come_back_smaller(ledger: Ledger) -> None:
    put(ledger, 4)
    queue = queue_of(ledger)
    claim = queue.claim() or ""
    assert len(queue.begin(claim)) == 4
    assert queue.begin(claim) == []
    assert [ids(take(queue)) for _ in range(2)] == [["n0"], ["n1"]]


def test_notes_tried_before_come_after_fresh_ones(ledger: Ledger) -> None:
    put(ledger, 1)
    queue = queue_of(ledger, seconds=EXPIRED)
    take(queue)
    put(ledger, 3)
    assert [ids(take(queue)), ids(take(queue))] == [["n1", "n2"], ["n0"]]


def test_batch_sizes_stay_above_nothing() -> None:
    assert [batch_size(16, n) for n in (-1, 0, 1, 2, 99)] == [16, 16, 4, 1, 1]
    assert batch_size(1, 0) == 1


def test_a_failed_note_waits_before_it_is_tried_again(ledger: Ledger) -> None:
    put(ledger, 1)
    queue = queue_of(ledger)
    queue.fail(take(queue)[0], "RefusedDocument 400")
    assert queue.claim() is None
    (now,) = all_of(ledger)
    assert (now.state, now.attempts, now.last_error) == ("pending", 1, "RefusedDocument 400")


def test_the_last_failure_sets_a_note_aside_until_a_person_asks(ledger: Ledger) -> None:
    put(ledger, 2)
    queue = queue_of(ledger, full=1, max_attempts=1)
    queue.fail(take(queue)[0], "x" * 900)
    assert [(s.state, len(s.last_error)) for s in all_of(ledger)] == [("failed", 500), ("pending", 0)]
    assert ids(take(queue)) == ["n1"]
    assert queue.retry_failed() == 1
    assert queue.retry_failed() == 0
    (again,) = take(queue)
    assert (again.note.note_id, again.attempts) == ("n0", 0)
    queue.finish([(again, 2)])
    assert (all_of(ledger)[0].state, all_of(ledger)[0].last_error) == ("indexed", "")


def test_failed_notes_of_one_collection_are_tried_again_without_the_others(ledger: Ledger) -> None:
    run = ledger.start_run("file", "csv")
    ledger.put([Note(f"n{i}", "Clear lungs.", "p1", collection="ab"[i % 2]) for i in range(4)], run)
    queue = queue_of(ledger, max_attempts=1)
    for stored in take(queue):
        queue.fail(stored, "ValueError")
    assert queue.retry_failed("c") == 0
    assert queue.retry_failed("a") == 2
    assert {(s.note.collection, s.state) for s in all_of(ledger)} == {("a", "pending"), ("b", "failed")}
    assert queue.retry_failed() == 2


def test_a_release_costs_no_attempt(ledger: Ledger) -> None:
    put(ledger, 3)
    queue = queue_of(ledger)
    for _ in range(9):
        batch = take(queue)
        assert len(batch) == 3
        queue.release(batch, 0)
    assert {(s.state, s.attempts) for s in all_of(ledger)} == {("pending", 0)}
    queue.release(take(queue), 60)
    assert queue.claim() is None


def test_a_pause_keeps_the_progress_and_costs_no_attempt(ledger: Ledger) -> None:
    put(ledger, 1)
    queue = queue_of(ledger)
    queue.pause(take(queue)[0], 512)
    (again,) = take(queue)
    assert (again.progress, again.attempts) == (512, 0)
    queue.finish([(again, 600)])
    (done,) = all_of(ledger)
    assert (done.state, done.passages, done.progress) == ("indexed", 600, 0)


def test_reserved_passages_only_grow_until_the_note_is_done(ledger: Ledger) -> None:
    put(ledger, 2)
    queue = queue_of(ledger)
    first, second = batch = take(queue)
    assert queue.reserve([(first, 9), (second, 1)]) == {first.key, second.key}
    assert queue.reserve([(first, 2)]) == {first.key}
    assert [s.passages for s in all_of(ledger)] == [9, 1]
    queue.finish([(s, 1) for s in batch])
    assert [s.passages for s in all_of(ledger)] == [1, 1]


def test_work_on_a_note_that_changed_meanwhile_counts_for_nothing(ledger: Ledger) -> None:
    put(ledger, 1)
    queue = queue_of(ledger)
    (old,) = take(queue)
    put(ledger, 1, "Effusion.")
    (before,) = all_of(ledger)
    assert queue.reserve([(old, 9)]) == set()
    queue.finish([(old, 9)])
    queue.fail(old, "ValueError")
    queue.release([old], 60)
    queue.pause(old, 5)
    assert all_of(ledger) == [before]
    assert (before.version, before.state, before.attempts) == (2, "pending", 0)
    assert ids(take(queue)) == ["n0"]


def test_work_on_a_note_that_is_deleted_meanwhile_counts_for_nothing(ledger: Ledger) -> None:
    put(ledger, 1)
    queue = queue_of(ledger)
    (old,) = take(queue)
    ledger.mark_deleting(["n0"])
    (marked,) = all_of(ledger)
    assert queue.reserve([(old, 9)]) == set()
    queue.finish([(old, 9)])
    queue.fail(old, "ValueError")
    queue.release([old], 0)
    assert all_of(ledger) == [marked]
    assert queue.claim() is None
    ledger.remove([marked])
    assert queue.reserve([(old, 9)]) == set()
    assert all_of(ledger) == []


def test_a_late_release_after_a_fresh_set_of_attempts_does_no_harm(ledger: Ledger) -> None:
    """One message came twice, and the two workers end at odds."""
    put(ledger, 1)
    queue = queue_of(ledger, max_attempts=2)
    claim = queue.claim() or ""
    first, second = queue.begin(claim), queue.begin(claim)
    queue.fail(second[0], "ValueError")
    queue.retry_failed()
    queue.release(first, 0)
    assert ids(take(queue)) == ["n0"]


def test_threads_that_claim_at_once_share_no_note(ledger: Ledger) -> None:
    put(ledger, 203)
    taken: list[list[str]] = []
    barrier = threading.Barrier(4)

    def work() -> None:
        queue = queue_of(ledger)
        barrier.wait()
        idle = 0
        while idle < 3:  # where another holds a row at this moment, a claim may find none
            batch = ids(take(queue))
            taken.append(batch)
            idle = 0 if batch else idle + 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(i for batch in taken for i in batch) == sorted(f"n{i}" for i in range(203))


def test_processes_that_claim_at_once_share_no_note(ledger: Ledger, ledger_address: str) -> None:
    put(ledger, 101)
    program = """
import sys
from ingest.ledger import Ledger
from ingest.ledger.database import open_database
from ingest.ledger.queue import Queue
queue = Queue(Ledger(open_database(sys.argv[1])), 4, 60, 5)
while claim := queue.claim():
    print(*(s.note.note_id for s in queue.begin(claim)))
"""
    command = [sys.executable, "-c", program, ledger_address]
    callers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    taken = [c.communicate()[0].split() for c in callers]
    left = [s.note.note_id for s in take(queue_of(ledger, full=101))]
    assert sorted(sum(taken, left)) == sorted(f"n{i}" for i in range(101))
    assert all(c.returncode == 0 for c in callers)


@pytest.mark.parametrize("attempts", range(4))
def test_attempts_start_anew_with_new_content(attempts: int, ledger: Ledger) -> None:
    put(ledger, 1)
    queue = queue_of(ledger, seconds=EXPIRED)
    for _ in range(attempts):
        take(queue)
    put(ledger, 1, "Effusion.")
    assert all_of(ledger)[0].attempts == 0
