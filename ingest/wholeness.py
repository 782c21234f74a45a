"""Whether notes and facts of the ledger are what was taken in: each has the digest of what it was then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Row, Table, func, select

from ingest.ledger import Ledger, content_hash
from ingest.ledger.facts import fact_hash
from ingest.ledger.ledger import given
from ingest.ledger.tables import facts, notes
from search_stack.core.schema import StructuredFact

AT_ONCE = 200
"""Rows that are read at a time; a note may have millions of characters."""


@dataclass(slots=True)
class Wholeness:
    notes: int = 0
    facts: int = 0
    altered_notes: list[int] = field(default_factory=list)
    """Their keys."""
    altered_facts: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        """One line without any id."""
        said = [_altered(self.altered_notes, "note"), _altered(self.altered_facts, "fact")]
        if any(said):
            return "; ".join(filter(None, said))
        return f"what was taken in: notes {self.notes:,}, facts {self.facts:,}"


def _altered(keys: list[int], what: str) -> str:
    if not keys:
        return ""
    some = ", ".join(map(str, keys[:5])) + (", …" if len(keys) > 5 else "")
    return f"{len(keys):,} {what}{'s are' if len(keys) > 1 else ' is'} not what was taken in (by number: {some})"


def examine(ledger: Ledger) -> Wholeness:
    """Look at every note and every fact.

    What a failing disk or a hand in the database has changed shows. Who writes the digest anew as well leaves no trace.
    """
    found = Wholeness()
    for row in _rows(ledger, notes):
        found.notes += 1
        if content_hash(given(row)) != row.content_hash:
            found.altered_notes.append(row.key)
    digests: dict[int, str] = {}
    for row in _rows(ledger, facts):
        digests[row.key] = row.content_hash
        if len(digests) == AT_ONCE:
            _look_at_facts(ledger, digests, found)
            digests = {}
    _look_at_facts(ledger, digests, found)
    return found


def _look_at_facts(ledger: Ledger, digests: dict[int, str], found: Wholeness) -> None:
    for key, fact in ledger.facts.several(list(digests)).items():
        found.facts += 1
        if digests[key] not in _hashes(fact):
            found.altered_facts.append(key)


def _hashes(fact: StructuredFact) -> Iterator[str]:
    """A reader may have given a whole number as one; the database has floats alone."""
    yield fact_hash(fact)
    if fact.value is not None and fact.value.is_integer():
        yield fact_hash(replace(fact, value=int(fact.value)))


def _rows(ledger: Ledger, table: Table) -> Iterator[Row[Any]]:
    """All rows, in order of key; a text and its digest are of one moment."""
    with ledger.engine.connect() as c:
        last = c.execute(select(func.coalesce(func.max(table.c.key), 0))).scalar_one()
        for first in range(0, last, AT_ONCE):
            here = (table.c.key > first, table.c.key <= first + AT_ONCE)
            yield from c.execute(select(table).where(*here).order_by(table.c.key)).all()
