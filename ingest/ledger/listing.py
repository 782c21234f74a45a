"""Patients and notes in pages, each page from the last key of the one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Engine, and_, func, select

from ingest.ledger.patients import counted_sex, inside, met, numbers, stays, survivors
from ingest.ledger.tables import DELETING, facts, notes, patients
from search_stack.core.reach import EVERYTHING, Reach


@dataclass(frozen=True, slots=True)
class ListedPatient:
    no: int
    patient_id: str
    sex: str
    birth_date: date | None
    death_date: date | None
    notes: int


@dataclass(frozen=True, slots=True)
class ListedNote:
    """What is known of a note besides its text."""

    key: int
    note_id: str
    patient_no: int
    patient_id: str
    collection: str
    type: str
    date: date | None
    title: str
    encounter_id: str
    age: int | None
    version: int
    state: str
    text_version: int = 1
    """As of `StoredNote`."""


@dataclass(frozen=True, slots=True)
class ListedFact:
    """A structured fact of a patient."""

    day: date | None
    system: str
    code: str
    name: str
    value: float | None
    unit: str


LAST_NUMBER = 2**31 - 1
"""Of a patient: databases refuse to look for a greater one."""
_FACT = [facts.c[name] for name in ListedFact.__dataclass_fields__]
_NOTE = [notes.c[name] for name in ListedNote.__dataclass_fields__]


class Listing:
    """Reads pages of at most ``limit`` rows in order of number or key, those greater than ``after``."""

    def __init__(self, engine: Engine, reach: Reach = EVERYTHING) -> None:
        self._engine = engine
        self._reach = reach

    def patients(self, after: int, limit: int) -> list[ListedPatient]:
        return self._patients(and_(patients.c.no > after, patients.c.replaced_by.is_(None)), limit)

    def patients_called(self, patient_ids: Sequence[str]) -> list[ListedPatient]:
        """Those of ``patient_ids``, a few hundred at most, that are known, in order of number; of one who counts as
        another that one."""
        with self._engine.connect() as c:
            found = numbers(c, patient_ids)
        return self.patients_numbered(list(found.values()))

    def patient(self, no: int) -> ListedPatient | None:
        """The patient with this number, or the one as whom that counts; None where there is none, however great it
        is."""
        if no > LAST_NUMBER:
            return None
        with self._engine.connect() as c:
            own = stays(no, survivors(c, [no]))
        return next(iter(self._patients(patients.c.no == own, 1)), None)

    def notes(
        self, after: int, limit: int, patient_no: int | None = None, collection: str | None = None
    ) -> list[ListedNote]:
        where = [notes.c.key > after, notes.c.state != DELETING, *inside(notes, self._reach)]
        where += [notes.c.patient_no == patient_no] if patient_no is not None else []
        where += [notes.c.collection == collection] if collection is not None else []
        wanted = select(*_NOTE).where(*where).order_by(notes.c.key).limit(limit)
        with self._engine.connect() as c:
            return [ListedNote(*row) for row in c.execute(wanted)]

    def notes_keyed(self, keys: Sequence[int]) -> list[ListedNote]:
        """Those of ``keys``, a few hundred at most, that are there, in order of key."""
        wanted = select(*_NOTE).where(notes.c.key.in_(keys), notes.c.state != DELETING, *inside(notes, self._reach))
        with self._engine.connect() as c:
            return [ListedNote(*row) for row in c.execute(wanted.order_by(notes.c.key))]

    def patients_numbered(self, numbers: Sequence[int]) -> list[ListedPatient]:
        """Those of ``numbers``, a few hundred at most, that are known, in their order."""
        return self._patients(patients.c.no.in_(numbers), len(numbers))

    def facts(self, patient_no: int, limit: int) -> list[ListedFact]:
        """Structured facts of a patient, the newest first, those without a day last."""
        here = (facts.c.patient_no == patient_no, facts.c.state != DELETING, *inside(facts, self._reach))
        order = (facts.c.day.is_(None), facts.c.day.desc(), facts.c.key)
        with self._engine.connect() as c:
            return [ListedFact(*row) for row in c.execute(select(*_FACT).where(*here).order_by(*order).limit(limit))]

    def _patients(self, where: ColumnElement[bool], limit: int) -> list[ListedPatient]:
        here = [notes.c.patient_no == patients.c.no, notes.c.state != DELETING, *inside(notes, self._reach)]
        count: Any = select(func.count()).select_from(notes).where(*here).scalar_subquery()
        known = [patients.c.no, patients.c.patient_id, counted_sex(), patients.c.birth_date, patients.c.death_date]
        wanted = select(*known, count).where(where, *met(self._reach)).order_by(patients.c.no).limit(limit)
        with self._engine.connect() as c:
            return [ListedPatient(*values) for values in map(tuple, c.execute(wanted))]
