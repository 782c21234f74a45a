"""Cohorts on a schedule: one claim for each run, one version for each change, whoever runs them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from celery import Celery
from sqlalchemy import select, update

from ingest.cohorts.scheduled import AGAIN, run_due
from ingest.cohorts.store import Store
from ingest.handover.jobs import Jobs
from ingest.ledger.database import writing
from ingest.ledger.ledger import now
from ingest.ledger.tables import cohorts
from ingest.work.beat import LOOK_EVERY, WhenDue, make_beat
from search_stack.cohorts.version import Combined, Found, Version
from search_stack.core.client import EngineUnavailable
from search_stack.core.errors import AspectraError
from search_stack.core.reach import Reach
from tests.unit.ingest.cohorts.conftest import Make

LIFE = timedelta(minutes=10)
DAY = 86_400


class Answers:
    """What a query finds in each of its runs."""

    def __init__(self, *answers: Callable[[], Found] | Found) -> None:
        self._answers = list(answers)

    def within(self, reach: Reach) -> Answers:
        return self

    def again(self, version: Version) -> Found:
        answer = self._answers.pop(0)
        return answer() if callable(answer) else answer


def run(store: Store, *answers: Callable[[], Found] | Found) -> int:
    return run_due(store, Answers(*answers), LIFE)  # type: ignore[arg-type]  # all that is asked of a finder


def fails(e: Exception) -> Callable[[], Found]:
    def fail() -> Found:
        raise e

    return fail


def have_due(store: Store, ago: timedelta = timedelta(hours=1)) -> None:
    with writing(store.engine) as c:
        c.execute(update(cohorts).values(due=now() - ago))


@pytest.fixture
def due(store: Store, make_found: Make) -> Store:
    """A cohort that is due."""
    store.save("a", make_found((1, 1, 1)), "mo")
    store.schedule("a", DAY)
    have_due(store)
    return store


def test_a_schedule_begins_one_period_from_now_and_ends(store: Store, make_found: Make) -> None:
    store.save("a", make_found((1, 1, 1)), "mo")
    kept = store.schedule("A", DAY)
    assert kept.every == DAY
    assert kept.due is not None
    assert timedelta(hours=23) < kept.due - now() <= timedelta(days=1)
    assert not store.any_due()
    assert store.claim(LIFE) is None
    have_due(store)
    assert store.any_due()
    assert (store.schedule("a", None).every, store.any_due()) == (None, False)


def test_only_what_came_of_a_query_is_run(store: Store, make_found: Make) -> None:
    store.save("a", make_found((1, 1, 1), origin=Combined("union", ())), "mo")
    with pytest.raises(AspectraError, match="a@1 came of no query"):
        store.schedule("a", DAY)
    with pytest.raises(AspectraError, match="There is no cohort b"):
        store.schedule("b", DAY)


def test_what_has_not_changed_is_only_looked_at(due: Store, make_found: Make) -> None:
    assert run(due, make_found((1, 1, 1))) == 1
    kept = due.cohort("a")
    assert (kept.newest.number, kept.problem) == (1, "")
    assert kept.looked is not None
    assert kept.due is not None
    # The hour stays as it was set.
    assert timedelta(hours=22) < kept.due - now() < timedelta(hours=23)
    assert run(due) == 0


def test_what_has_changed_is_a_version(due: Store, make_found: Make) -> None:
    assert run(due, make_found((1, 1, 1), (2, 2, 2))) == 1
    newest = due.version("a")
    assert (newest.number, newest.scheduled, list(newest.patients)) == (2, True, [1, 2])
    have_due(due)
    other = make_found((1, 1, 1), (2, 2, 2))
    rewritten = replace(other, notes=replace(other.notes, version=other.notes.version + 1))
    assert run(due, rewritten) == 1
    assert due.version("a").number == 3


def test_runs_that_were_missed_are_not_made_up_for(due: Store, make_found: Make) -> None:
    have_due(due, timedelta(days=5, hours=3))
    assert run(due, make_found((1, 1, 1))) == 1
    at = due.cohort("a").due
    assert at is not None
    assert timedelta(hours=20) < at - now() < timedelta(hours=22)


def test_the_engine_away_is_another_try_soon(due: Store, make_found: Make) -> None:
    assert run(due, fails(EngineUnavailable("The engine is busy.", "Try again shortly."))) == 1
    kept = due.cohort("a")
    assert (kept.problem, kept.looked, due.any_due()) == ("The engine is busy.", None, False)
    with writing(due.engine) as c:
        assert c.execute(select(cohorts.c.claimed_until)).scalar_one() <= now() + AGAIN
        c.execute(update(cohorts).values(claimed_until=now()))
    assert run(due, make_found((1, 1, 1))) == 1
    assert due.cohort("a").problem == ""


def test_what_goes_wrong_is_told_and_keeps_no_other_from_its_run(
    due: Store, make_found: Make, caplog: pytest.LogCaptureFixture
) -> None:
    due.save("b", make_found((5, 5, 5)), "mo")
    due.schedule("b", DAY)
    have_due(due)
    assert run(due, fails(AspectraError("No such concept.", "Name another.")), make_found((6, 6, 6))) == 2
    a, b = due.cohorts()
    assert {(a.problem, a.newest.number), (b.problem, b.newest.number)} == {
        ("No such concept. Name another.", 1),
        ("", 2),
    }
    assert caplog.messages == [f"scheduled cohort {due.version('a').cohort_id} could not be run: AspectraError"]
    assert not due.any_due()


def test_a_claim_is_one_worker_s_until_it_lapses(due: Store, make_found: Make) -> None:
    found: list[tuple[str, int, int]] = []
    ready = threading.Barrier(4)

    def claim() -> None:
        ready.wait()
        if made := due.claim(LIFE):
            found.append(made)

    threads = [threading.Thread(target=claim) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [rest for _, *rest in found] == [[due.cohort("a").id, 0]]
    assert not due.any_due()
    # Its worker died; another takes over, and what the first brings late is not kept.
    with writing(due.engine) as c:
        c.execute(update(cohorts).values(claimed_until=now()))
    second = due.claim(LIFE)
    assert second
    assert due.finish(found[0][0], make_found((7, 7, 7)), "mo") is None
    kept = due.finish(second[0], make_found((8, 8, 8)), "mo")
    assert kept
    assert [list(due.version("a", e.number).patients) for e in due.editions("a")] == [[1], [8]]
    assert due.finish(second[0], make_found((9, 9, 9)), "mo") is None


def test_beat_sends_a_message_only_where_something_is_due(store: Store, make_found: Make) -> None:
    app = Celery("test", broker="memory://")
    sent: list[str] = []
    app.send_task = lambda name, *args, **options: sent.append(name)  # what would travel
    store.save("a", make_found((1, 1, 1)), "mo")
    store.schedule("a", DAY)
    beat = make_beat(app, store, Jobs(store.engine))
    beat.tick()
    assert sent == []
    have_due(store)
    assert WhenDue(store.any_due, app).is_due(now()) == (True, LOOK_EVERY)
    make_beat(app, store, Jobs(store.engine)).tick()
    assert sent == ["aspectra.cohorts"]
