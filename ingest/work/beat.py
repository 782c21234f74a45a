"""Celery's beat, ticked by the thread that keeps a worker fed: no process of its own that could outlive the worker.

Every worker has one. What they send is only that something is due; who runs it is settled by a claim in the ledger.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from typing import Any

from celery import Celery
from celery.beat import Scheduler
from celery.schedules import BaseSchedule

from ingest.cohorts.store import Store
from ingest.handover.jobs import Jobs
from ingest.work.celery_app import COHORTS, EXPORTS

LOOK_EVERY = 5.0
"""Seconds from one look at what is due to the next."""
LASTS = 60
"""Seconds after which a message that no worker has taken is worth nothing: there was another look."""


class Beat(Scheduler):  # type: ignore[misc]  # Celery ships no types
    """Keeps its times in memory: when each cohort is due stands in the ledger."""

    producer = None
    """Each message takes a connection of the application's pool, and fails at once where there is none."""


class WhenDue(BaseSchedule):  # type: ignore[misc]  # Celery ships no types
    """Due whenever ``any_due`` says so."""

    def __init__(self, any_due: Callable[[], bool], app: Celery) -> None:
        super().__init__(app=app)
        self._any_due = any_due

    def is_due(self, last_run_at: datetime) -> tuple[bool, float]:
        return self._any_due(), LOOK_EVERY


def make_beat(app: Celery, store: Store, jobs: Jobs) -> Beat:
    logging.getLogger("celery.beat").setLevel(logging.WARNING)
    beat = Beat(app, lazy=True)
    options: dict[str, Any] = {"expires": LASTS, "retry": False}
    beat.add(name="kept cohorts", task=COHORTS, schedule=WhenDue(store.any_due, app), options=options)
    beat.add(name="exports", task=EXPORTS, schedule=WhenDue(jobs.any_waiting, app), options=options)
    return beat
