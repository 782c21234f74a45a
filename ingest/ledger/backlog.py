"""How far behind the work on the ledger is."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Engine, func, select

from ingest.ledger.ledger import now
from ingest.ledger.tables import PENDING, notes

LOOKED_AT = 100
"""Notes first in line: to look at every one that waits would read them all."""


def oldest_pending(engine: Engine) -> float:
    """Seconds since the longest waiting of the notes first in line came in or changed; 0 where none waits."""
    first = (
        select(notes.c.updated)
        .where(notes.c.state == PENDING)
        .order_by(notes.c.attempts, notes.c.key)
        .limit(LOOKED_AT)
        .subquery()
    )
    with engine.connect() as c:
        since: datetime | None = c.execute(select(func.min(first.c.updated))).scalar_one()
    return max(0.0, (now() - since).total_seconds()) if since else 0.0
