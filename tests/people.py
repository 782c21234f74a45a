"""People of tests, and what they read for."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from sqlalchemy import Engine

from access.purposes import Kind, Purposes
from ingest.ledger.ledger import now
from ingest.ledger.purposes import Purpose


def a_purpose(
    engine: Engine, *names: str, code: str = "STUDY-1", collections: Collection[str] | None = None
) -> Purpose:
    """One that is open for a month, of these accounts; it covers all collections where none is named."""
    kept = Purposes(engine)
    until = now().date() + timedelta(days=30)
    made = kept.open(code, Kind.STUDY, "A study of tests", "Board of tests, 1/2026", until, collections, "tests")
    for name in names:
        kept.add(made, name)
    return made
