"""Purposes as they are kept: what each covers, and whether it is still open."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection, Engine, Row, select

from ingest.ledger.ledger import now
from ingest.ledger.tables import purposes
from search_stack.core.errors import AspectraError
from search_stack.core.reach import EVERYTHING, Reach


@dataclass(frozen=True, slots=True)
class Purpose:
    """What people read notes for."""

    id: int
    code: str
    kind: str
    title: str
    approval: str
    until: date
    """Its last day, by UTC."""
    collections: frozenset[str] | None
    """None for all that there are and will be."""
    by: str
    """Who opened it."""
    closed: bool

    @property
    def open(self) -> bool:
        return not self.closed and now().date() <= self.until

    @property
    def reach(self) -> Reach:
        return Reach(self.collections, self.id)


def purpose_of(row: Row[Any]) -> Purpose:
    covered = None if row.collections is None else frozenset(json.loads(row.collections))
    told = (row.id, row.code, row.kind, row.title, row.approval, row.until, covered, row.made_by)
    return Purpose(*told, row.closed is not None)


def purpose_by(c: Connection, number: int) -> Purpose | None:
    row = c.execute(select(purposes).where(purposes.c.id == number)).one_or_none()
    return purpose_of(row) if row else None


def reach_of(engine: Engine, number: int) -> Reach:
    """What is read for the purpose with this number; all of it where none was stated.

    Raises:
        AspectraError: it has ended.
    """
    if not number:
        return EVERYTHING
    with engine.connect() as c:
        found = purpose_by(c, number)
    if found is None or not found.open:
        name = found.code if found else "for which this is kept"
        raise AspectraError(f"The purpose {name} has ended.", "Open another: aspectra purpose open")
    return found.reach
