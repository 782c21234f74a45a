"""Structured facts in the ledger: taken in once, whatever file brings them how often, and on their way to the index."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, delete, func, insert, select, update

from ingest.ledger.database import one_at_a_time, writing
from ingest.ledger.patients import Survivors, chunks, number_patients, stays, survivors
from ingest.ledger.tables import DELETING, INDEXED, PENDING, facts, patients
from search_stack.core.codes import system_name
from search_stack.core.schema import StructuredFact

FACT_STATES = (PENDING, INDEXED, DELETING)
RecordId = tuple[str, str]
"""Collection and id of a record of a source."""


@dataclass(frozen=True, slots=True)
class StoredFact:
    """What the index needs of a fact."""

    key: int
    version: int
    state: str
    patient_no: int
    patient_id: str
    day: date | None
    system: str
    code: str
    value: float | None
    unit: str
    collection: str


def fact_hash(fact: StructuredFact) -> str:
    """SHA-256 of all that is said of it, and of the record that says it: two that differ in anything are two facts."""
    said = (fact.collection, fact.patient_id, fact.day.isoformat() if fact.day else None, fact.system, fact.code)
    more = (fact.name, fact.value, fact.unit, fact.encounter_id)
    by = [fact.source_id] if fact.source_id else []  # so that those without have the digest that they always had
    return hashlib.sha256(json.dumps([*said, *more, *by]).encode()).hexdigest()


class Facts:
    """Reading and writing of facts. Every change is one transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    # In

    def put(self, batch: Sequence[StructuredFact], run: int, records: Collection[RecordId] = ()) -> Counter[str]:
        """Take in ``batch``; how many ("facts"), how many of them were not there ("new facts"), and how many were
        ("unchanged facts"). ``batch`` holds all that ``records`` say now: what else they said is marked for deletion
        ("gone facts")."""
        if not batch and not records:
            return Counter()
        named = [replace(f, system=system_name(f.system)) for f in batch]
        by_hash = {fact_hash(f): f for f in named}
        with writing(self._engine) as c:
            one_at_a_time(c)
            numbers = number_patients(c, [f.patient_id for f in named])
            heirs = survivors(c, numbers.values())
            there: dict[str, str] = {}
            for part in chunks(list(by_hash)):
                here = facts.c.content_hash.in_(part)
                there |= {h: s for h, s in c.execute(select(facts.c.content_hash, facts.c.state).where(here))}  # noqa: C416  # dict() takes no rows, for mypy
                c.execute(update(facts).where(here, facts.c.run < run).values(run=run))
                c.execute(update(facts).where(here, facts.c.state == DELETING).values(_changed(PENDING)))
            there |= _identified(c, {h: f for h, f in by_hash.items() if f.source_id and h not in there}, run)
            fresh = [_row(f, h, run, numbers[f.patient_id], heirs) for h, f in by_hash.items() if h not in there]
            if fresh:
                c.execute(insert(facts), fresh)
            gone = _superseded(c, records, by_hash.keys())
        new = len(fresh) + sum(state == DELETING for state in there.values())
        unchanged = len(batch) - new
        return Counter({"facts": len(batch), "new facts": new, "unchanged facts": unchanged, "gone facts": gone})

    # Out

    def retire(self, collection: str, run: int) -> int:
        """Mark for deletion the facts of ``collection`` that ``run``, and those after it, did not bring; how many."""
        return self._mark(facts.c.collection == collection, facts.c.run < run)

    def mark_deleting(self, collection: str) -> int:
        """Mark for deletion all facts of ``collection``; how many."""
        return self._mark(facts.c.collection == collection)

    def _mark(self, *where: ColumnElement[bool]) -> int:
        with writing(self._engine) as c:
            return mark_facts(c, *where)

    # To the index

    def waiting(self, limit: int) -> list[StoredFact]:
        """Facts that the index does not show as they are, in order of key, those to be deleted first."""
        with self._engine.connect() as c:
            found = _stored(c, facts.c.state == DELETING, limit=limit)
            return found + (
                _stored(c, facts.c.state == PENDING, limit=limit - len(found)) if len(found) < limit else []
            )

    def several(self, keys: Sequence[int]) -> dict[int, StructuredFact]:
        """Those of ``keys`` that are facts, by key, as their source has them: of the patient whom that names."""
        names = ("system", "code", "day", "name", "value", "unit", "encounter_id", "collection", "source_id")
        wanted = select(facts.c.key, patients.c.patient_id, *(facts.c[name] for name in names))
        joined = wanted.join_from(facts, patients, patients.c.no == func.coalesce(facts.c.given_no, facts.c.patient_no))
        with self._engine.connect() as c:
            parts = (c.execute(joined.where(facts.c.key.in_(part))) for part in chunks(keys))
            return {key: StructuredFact(*rest) for rows in parts for key, *rest in map(tuple, rows)}

    def after(self, key: int, limit: int) -> list[StoredFact]:
        """Facts that belong in an index, in order of key, after ``key``."""
        with self._engine.connect() as c:
            return _stored(c, facts.c.key > key, facts.c.state != DELETING, limit=limit)

    def settle(self, batch: Iterable[StoredFact]) -> None:
        """The index shows ``batch`` as it was read: those that are to be deleted are forgotten, the others are indexed.
        What changed meanwhile stays as it is."""
        with writing(self._engine) as c:
            for part in chunks(sorted(batch, key=lambda f: f.version)):
                for version in {f.version for f in part}:
                    keys = [f.key for f in part if f.version == version]
                    here = (facts.c.key.in_(keys), facts.c.version == version)
                    c.execute(delete(facts).where(*here, facts.c.state == DELETING))
                    c.execute(update(facts).where(*here, facts.c.state == PENDING).values(state=INDEXED))

    def index_again(self, keys: Sequence[int] | None = None) -> None:
        """Have facts that are taken for indexed written once more: ``keys``, or all."""
        with writing(self._engine) as c:
            for part in [None] if keys is None else chunks(keys):
                here = [] if part is None else [facts.c.key.in_(part)]
                c.execute(update(facts).where(facts.c.state == INDEXED, *here).values(state=PENDING))

    # Known

    def counts(self) -> dict[str, int]:
        """Number of facts by state; every state is there."""
        with self._engine.connect() as c:
            found = c.execute(select(facts.c.state, func.count()).group_by(facts.c.state))
            return dict.fromkeys(FACT_STATES, 0) | {state: n for state, n in found}  # noqa: C416  # dict() takes no rows, for mypy

    def standing(self, after: int, limit: int) -> dict[int, tuple[int, str]]:
        """Version and state by key, in its order, after ``after``."""
        wanted = select(facts.c.key, facts.c.version, facts.c.state).where(facts.c.key > after)
        with self._engine.connect() as c:
            return {k: (v, s) for k, v, s in c.execute(wanted.order_by(facts.c.key).limit(limit))}


def _identified(c: Connection, lacking: Mapping[str, StructuredFact], run: int) -> dict[str, str]:
    """Give those facts that are there without an id, of a time when facts had none, the id of the record that says
    them; the state of each."""
    without = {fact_hash(replace(f, source_id="")): digest for digest, f in lacking.items()}
    out: dict[str, str] = {}
    for part in chunks(list(without)):
        here = (facts.c.content_hash.in_(part), facts.c.state != DELETING)
        for key, bare, state in c.execute(select(facts.c.key, facts.c.content_hash, facts.c.state).where(*here)).all():
            digest = without[bare]
            values = {"content_hash": digest, "source_id": lacking[digest].source_id, "run": run}
            c.execute(update(facts).where(facts.c.key == key).values(values))
            out[digest] = state
    return out


def _superseded(c: Connection, records: Collection[RecordId], said: Collection[str]) -> int:
    """Mark for deletion what ``records`` said before and do not say now; how many."""
    gone: list[int] = []
    columns = (facts.c.key, facts.c.collection, facts.c.source_id, facts.c.content_hash)
    for part in chunks(sorted({source_id for _, source_id in records})):
        found = c.execute(select(*columns).where(facts.c.source_id.in_(part), facts.c.state != DELETING))
        gone += [key for key, *place, digest in found if tuple(place) in records and digest not in said]
    for keys in chunks(gone):
        mark_facts(c, facts.c.key.in_(keys))
    return len(gone)


def _changed(state: str) -> dict[str, Any]:
    """The columns of a fact that the index must hold otherwise now."""
    return {"state": state, "version": facts.c.version + 1}


def mark_facts(c: Connection, *where: ColumnElement[bool]) -> int:
    """Mark facts for deletion; how many."""
    return c.execute(update(facts).where(*where, facts.c.state != DELETING).values(_changed(DELETING))).rowcount


def change_codes(c: Connection, system: str, codes: Sequence[str]) -> int:
    """Have the facts of these codes written anew, for other codes stand above them now; how many."""
    changed = 0
    for part in chunks(codes):
        here = (facts.c.system == system, facts.c.code.in_(part), facts.c.state != DELETING)
        changed += c.execute(update(facts).where(*here).values(_changed(PENDING))).rowcount
    return changed


def _stored(c: Connection, *where: Any, limit: int) -> list[StoredFact]:
    columns = (facts.c.key, facts.c.version, facts.c.state, facts.c.patient_no, patients.c.patient_id, facts.c.day)
    wanted = select(*columns, facts.c.system, facts.c.code, facts.c.value, facts.c.unit, facts.c.collection)
    joined = wanted.join_from(facts, patients, patients.c.no == facts.c.patient_no)
    rows = c.execute(joined.where(*where).order_by(facts.c.key).limit(limit))
    return [StoredFact(*row) for row in map(tuple, rows)]


def _row(fact: StructuredFact, digest: str, run: int, own: int, heirs: Survivors) -> dict[str, Any]:
    return {
        "patient_no": stays(own, heirs),
        "given_no": own if own in heirs else None,
        "day": fact.day,
        "system": fact.system,
        "code": fact.code,
        "name": fact.name,
        "value": fact.value,
        "unit": fact.unit,
        "encounter_id": fact.encounter_id,
        "collection": fact.collection,
        "source_id": fact.source_id,
        "content_hash": digest,
        "run": run,
        "version": 1,
        "state": PENDING,
    }
