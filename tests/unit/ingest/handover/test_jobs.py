"""Exports that a worker writes: claimed one at a time, taken up again, never half."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from celery import Celery
from sqlalchemy import update

from ingest.cohorts.records import Request
from ingest.cohorts.store import Store
from ingest.handover.ageing import remove_old
from ingest.handover.export import Order
from ingest.handover.jobs import Jobs, Query
from ingest.ledger import Ledger
from ingest.ledger.copy import copy_ledger, snapshot_of
from ingest.ledger.database import open_database, writing
from ingest.ledger.ledger import now
from ingest.ledger.tables import exports
from ingest.work.beat import make_beat
from search_stack.cohorts.version import Operand
from search_stack.core.errors import KeyReused, NotKept

COPD = Operand("copd", 3, 17)
FEVER = Query({"finding": "fever", "assertion": "present"}, "fever", "note")


@pytest.fixture
def jobs(ledger: Ledger) -> Jobs:
    return Jobs(ledger.engine)


def order(tmp_path: Path, name: str = "a.csv") -> Order:
    return Order("csv", tmp_path / name, guard=False)


def worker_dies(ledger: Ledger) -> None:
    """Its claim lapses."""
    with writing(ledger.engine) as c:
        c.execute(update(exports).values(claimed_until=now() - timedelta(seconds=1)))


def test_what_was_ordered_comes_back_as_it_was(jobs: Jobs, tmp_path: Path) -> None:
    first = jobs.add(COPD, order(tmp_path), True, 9, "mo")
    second = jobs.add(FEVER, Order("omop", tmp_path / "o", force=True), False, None, "jo")
    newest, oldest = jobs.all()
    assert (oldest.id, oldest.of, oldest.output, oldest.by, oldest.state) == (
        first, COPD, tmp_path / "a.csv", "mo", "waiting",
    )  # fmt: skip
    assert oldest.options == {"guard": False, "references": False, "force": False, "text": True, "definition": 9}
    assert (newest.id, newest.of, newest.options["force"], newest.options["text"]) == (second, FEVER, True, False)
    assert oldest.order == order(tmp_path)


def test_a_request_that_comes_again_gets_its_export(jobs: Jobs, tmp_path: Path) -> None:
    first = jobs.add(COPD, order(tmp_path), True, None, "mo", Request("key", "a" * 64))
    assert jobs.add(COPD, order(tmp_path, "b"), True, None, "mo", Request("key", "a" * 64)) == first
    assert jobs.asked_by(Request("key", "a" * 64)) == first
    assert jobs.asked_by(Request("other", "a" * 64)) is None
    for ask in (jobs.asked_by, lambda again: jobs.add(COPD, order(tmp_path, "c"), True, None, "mo", again)):
        with pytest.raises(KeyReused):
            ask(Request("key", "b" * 64))
    second = jobs.add(COPD, order(tmp_path, "d"), True, None, "mo", Request("other", "a" * 64))
    assert [j.id for j in jobs.page(0, 10)] == [first, second]
    assert [j.id for j in jobs.page(first, 1)] == [second]
    assert jobs.job(second).output == tmp_path / "d"
    with pytest.raises(NotKept):
        jobs.job(second + 1)


def test_old_exports_of_every_purpose_are_removed_and_no_other_file(ledger: Ledger, tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    outputs = [folder / "old" / "a.csv", folder / "new" / "a.csv", folder / "waits" / "a.csv", tmp_path / "by-hand.csv"]
    outputs += [folder / "a.csv", folder / "old" / "within" / "a.csv"]
    for n, output in enumerate(outputs):
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text("P-1")
        Jobs(ledger.engine, purpose=n).add(COPD, Order("csv", output), True, None, "mo")
    ages = {1: 31, 2: 29, 4: 99, 5: 99, 6: 99}
    with writing(ledger.engine) as c:
        for number, days in ages.items():
            ended = now() - timedelta(days=days)
            c.execute(update(exports).where(exports.c.id == number).values(finished=ended, state="done"))
    shutil.rmtree(folder / "old" / "within")
    before = now() - timedelta(days=30)
    assert remove_old(ledger.engine, folder, before) == [1]
    assert [output.exists() for output in outputs] == [False, True, True, True, True, False]
    assert not (folder / "old").exists()
    assert remove_old(ledger.engine, folder, before) == []
    assert [job.state for job in Jobs(ledger.engine).all()] == ["done"]  # who asked for what stays told


def test_one_is_written_at_a_time_and_the_oldest_first(jobs: Jobs, tmp_path: Path) -> None:
    assert jobs.claim() is None
    assert not jobs.any_waiting()
    ids = [jobs.add(COPD, order(tmp_path, name), True, None, "mo") for name in ("a", "b")]
    assert jobs.any_waiting()
    made = jobs.claim()
    assert made
    claim, job = made
    assert (job.id, job.state, job.attempts) == (ids[0], "running", 1)
    assert not jobs.any_waiting()
    assert jobs.claim() is None
    assert jobs.tell(claim, "patients", 3, 10)
    assert [(j.stage, j.done, j.total) for j in jobs.all()] == [("patients", 0, 0), ("patients", 3, 10)]
    assert jobs.finish(claim)
    done = jobs.all()[1]
    assert (done.state, done.problem) == ("done", "")
    assert done.finished
    after = jobs.claim()
    assert after
    assert after[1].id == ids[1]
    jobs.finish(after[0], "The disk is full.")
    assert (jobs.all()[0].state, jobs.all()[0].problem) == ("failed", "The disk is full.")
    assert not jobs.any_waiting()


def test_what_a_dead_worker_left_goes_on_and_the_dead_has_no_say(ledger: Ledger, jobs: Jobs, tmp_path: Path) -> None:
    jobs.add(COPD, order(tmp_path), True, None, "mo")
    first = jobs.claim()
    assert first
    assert not first[1].order.resume
    worker_dies(ledger)
    assert jobs.any_waiting()
    work = first[1].order.work
    work.mkdir()
    (work / "progress.json").write_text("{}")
    second = jobs.claim()
    assert second
    assert (second[1].id, second[1].attempts, second[1].order.resume) == (first[1].id, 2, True)
    assert not jobs.tell(first[0], "patients", 9, 9)
    assert not jobs.finish(first[0])
    assert jobs.finish(second[0])


def test_where_the_engine_is_away_it_waits_for_a_while(jobs: Jobs, ledger: Ledger, tmp_path: Path) -> None:
    jobs.add(COPD, order(tmp_path), True, None, "mo")
    made = jobs.claim()
    assert made
    jobs.release(made[0], "The engine does not answer.", timedelta(minutes=1))
    assert (jobs.all()[0].state, jobs.all()[0].problem) == ("waiting", "The engine does not answer.")
    assert not jobs.any_waiting()
    worker_dies(ledger)
    assert jobs.any_waiting()


def test_the_message_holds_nothing_of_it(ledger: Ledger, jobs: Jobs, tmp_path: Path) -> None:
    sent: list[object] = []
    app = Celery("test", broker="memory://")
    app.send_task = lambda *args, **options: sent.append((args, options.get("args"), options.get("kwargs")))
    jobs.add(FEVER, order(tmp_path), True, None, "mo")
    make_beat(app, Store(ledger.engine), jobs).tick()
    assert "aspectra.exports" in str(sent)
    assert "fever" not in str(sent)
    assert str(tmp_path) not in str(sent)


def test_they_travel_with_the_ledger(ledger: Ledger, jobs: Jobs, tmp_path: Path) -> None:
    jobs.add(COPD, order(tmp_path), True, None, "mo")
    target = open_database(f"sqlite:///{tmp_path / 'other.sqlite3'}")
    with snapshot_of(ledger.engine) as old, writing(target) as new:
        copy_ledger(old, new, lambda done, total: None)
    there = Jobs(target)
    assert there.all() == jobs.all()
    assert there.add(FEVER, order(tmp_path), True, None, "mo") == jobs.all()[0].id + 1
    target.dispose()
