"""How far the work on the ledger is, and how far behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, func, select

from ingest.ledger.ledger import Ledger, now
from ingest.ledger.queue import held
from ingest.ledger.tables import DELETING, FAILED, INDEXED, PENDING, STATES, notes, runs

OUTCOMES = ("new", "unchanged", "changed", "rejected")


@dataclass(frozen=True, slots=True)
class LastRun:
    """The ingest that was started last. Its file's name, which may be a patient's, is left out."""

    number: int
    format: str
    started: datetime
    finished: datetime | None
    """None: it goes on, or was broken off, while it reads."""
    counts: Mapping[str, int]
    """Notes by outcome; zero until it has finished."""


@dataclass(frozen=True, slots=True)
class Backlog:
    indexed: int
    waiting: int
    """Pending, and in no claim."""
    claimed: int
    """Pending, and in a claim that holds: in the broker, or at work."""
    claims: int
    failed: int
    deleting: int
    moved: datetime | None
    """When a note last came in, was indexed, set aside or marked; None where there is none."""
    last: LastRun | None


def backlog(ledger: Ledger) -> Backlog:
    counts = ledger.counts()
    with ledger.engine.connect() as c:
        claimed, claims = c.execute(select(func.count(), func.count(notes.c.claim.distinct())).where(held())).one()
        by_state = [select(func.max(notes.c.updated)).where(notes.c.state == state) for state in STATES]
        times = [c.execute(one).scalar_one() for one in by_state]  # each a look at the end of an index
        run = c.execute(select(runs).order_by(runs.c.id.desc()).limit(1)).one_or_none()
    return Backlog(
        indexed=counts[INDEXED],
        waiting=max(0, counts[PENDING] - claimed),
        claimed=claimed,
        claims=claims,
        failed=counts[FAILED],
        deleting=counts[DELETING],
        moved=max(filter(None, times), default=None),
        last=LastRun(run.id, run.format, run.started, run.finished, {o: getattr(run, o) for o in OUTCOMES})
        if run
        else None,
    )


def oldest_pending(engine: Engine) -> float:
    """Seconds since the longest waiting note came in, changed or was to be tried again; 0 where none waits."""
    with engine.connect() as c:
        since = c.execute(select(func.min(notes.c.updated)).where(notes.c.state == PENDING)).scalar_one()
    return max(0.0, (now() - since).total_seconds()) if since else 0.0
