"""How far the work on the ledger is, and how far behind."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, func, select

from ingest.ledger.ledger import Ledger, now
from ingest.ledger.queue import held
from ingest.ledger.runs import Run, run_of
from ingest.ledger.tables import DELETING, FAILED, INDEXED, PENDING, STATES, notes, runs


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
    last: Run | None


@dataclass(frozen=True, slots=True)
class Failed:
    """Notes of one collection that failed alike."""

    collection: str
    error: str
    """Its kind; never words of a note."""
    notes: int


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
        last=run_of(run) if run else None,
    )


def oldest_pending(engine: Engine) -> float:
    """Seconds since the longest waiting note came in, changed or was to be tried again; 0 where none waits."""
    with engine.connect() as c:
        since = c.execute(select(func.min(notes.c.updated)).where(notes.c.state == PENDING)).scalar_one()
    return max(0.0, (now() - since).total_seconds()) if since else 0.0


def failed_alike(engine: Engine) -> list[Failed]:
    """Notes that were set aside, by collection, what most failed of first."""
    number = func.count()
    wanted = select(notes.c.collection, notes.c.last_error, number).where(notes.c.state == FAILED)
    alike = wanted.group_by(notes.c.collection, notes.c.last_error)
    with engine.connect() as c:
        return [
            Failed(*row) for row in c.execute(alike.order_by(notes.c.collection, number.desc(), notes.c.last_error))
        ]
