"""What cohorts ask of the ledger: who is of which sex and age, and which notes share an encounter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import numpy as np
from pyroaring import BitMap
from sqlalchemy import Connection, Engine, Select, exists, func, or_, select

from ingest.ledger.merges import behind
from ingest.ledger.patients import chunks, counted_sex, ids, numbers, stays, survivors
from ingest.ledger.tables import cohort_versions, cohorts, facts, identity, notes, patients
from search_stack.cohorts.changes import NOBODY, Regrouped
from search_stack.cohorts.rows import NO_NOTE, UNDATED, Ints, Rows
from search_stack.cohorts.version import Found, as_counted, microseconds
from search_stack.core.cohort_names import referred, unknown_cohort
from search_stack.core.errors import AspectraError
from search_stack.core.reach import EVERYTHING, Reach
from search_stack.index.passage import day_number
from search_stack.query.tree import QueryError

_Found = TypeVar("_Found", bound=Found)
FEW = 5_000
"""Up to so many are looked up by key; more by reading the whole column, which is faster then."""


@dataclass(frozen=True, slots=True)
class _Ages:
    """Of all notes with an age, in order of key. ``at``: the generation, and the newest note."""

    at: tuple[int, int]
    keys: Ints
    ages: Ints


@dataclass(slots=True)
class _Read:
    """What was read of everybody, with the generation that it was read in."""

    sexes: tuple[tuple[int, int], dict[str, list[int]]] = ((-1, -1), {})
    ages: _Ages | None = None


class KnownPeople:
    """What is known counts from the moment it changes; sexes and ages are read again only then.

    Who is in reach is the index's to say: sexes and ages are of everybody, ids and kept cohorts of those in reach.
    """

    def __init__(self, engine: Engine, reach: Reach = EVERYTHING, read: _Read | None = None) -> None:
        self._engine = engine
        self._reach = reach
        self._read = read or _Read()

    def within(self, reach: Reach) -> KnownPeople:
        """The same, kept to ``reach``."""
        return KnownPeople(self._engine, reach, self._read)

    def generation(self) -> int:
        """Counts up with every change of what is known of patients, and of notes that were there."""
        with self._engine.connect() as c:
            return _generation(c)

    def of_sex(self, sex: str) -> list[int]:
        return self.by_sex().get(sex, [])

    def newest_of(self, cohort: str) -> str:
        """The version of a kept cohort that NAME or NAME@3 names, as NAME@3.

        Raises:
            QueryError: no such cohort is kept.
        """
        try:
            name, number = referred(cohort)
        except AspectraError as e:
            raise QueryError(e.message, e.remedy) from e
        with self._engine.connect() as c:
            wanted = _versions(name, self._reach, cohorts.c.name, cohort_versions.c.number)
            if number is not None:
                wanted = wanted.where(cohort_versions.c.number == number)
            found = c.execute(wanted).first()
            if found is None:
                others = select(cohorts.c.name).where(cohorts.c.purpose == self._reach.purpose)
                raise unknown_cohort(cohort, c.execute(others).scalars().all(), QueryError)
        return f"{found.name}@{found.number}"

    def in_cohort(self, version: str) -> list[int]:
        """Who is in it now: patients who were merged since are there as those who stay.

        Raises:
            QueryError: it was deleted meanwhile.
        """
        name, number = referred(version)
        wanted = _versions(name, self._reach, cohort_versions.c.patients).where(cohort_versions.c.number == number)
        with self._engine.connect() as c:
            patients_of = c.execute(wanted).scalar()
            if patients_of is None:
                raise unknown_cohort(version, (), QueryError)
        kept = BitMap.deserialize(patients_of)
        heirs = self.heirs(kept)
        return list((kept - BitMap(heirs)) | BitMap(heirs.values()))

    def heirs(self, numbers: Iterable[int]) -> dict[int, int]:
        """Of those that count as another patient now, the number of that one."""
        with self._engine.connect() as c:
            merged = c.execute(select(patients.c.no).where(patients.c.replaced_by.is_not(None))).scalars()
            found = survivors(c, BitMap(numbers) & BitMap(merged))
        return {no: heir for no, (heir, _) in found.items()}

    def regrouped(self, since: datetime, until: datetime, keys: Ints) -> Regrouped:
        """Who came to count as another patient, or as itself again, behind ``since`` and up to ``until``; of the notes
        ``keys``, which are theirs."""
        with self._engine.connect() as c:
            at = patients.c.regrouped
            told = list(c.execute(select(patients.c.no).where(at > since, at <= until)).scalars())
            if not told:
                return NOBODY
            numbers = set(behind(c, *told))
            heirs = survivors(c, numbers)
            whose = {no: stays(no, heirs) for no in numbers}
            given = set(ids(c, numbers).values())
            theirs: list[int] = []
            for part in chunks(keys.tolist()):
                wanted = select(notes.c.key, func.coalesce(notes.c.given_patient, notes.c.patient_id))
                theirs += [key for key, named in c.execute(wanted.where(notes.c.key.in_(part))) if named in given]
        return Regrouped(whose, np.array(sorted(theirs), dtype=np.int64))

    def as_counted(self, found: _Found) -> _Found:
        """``found`` with its patients as they count by now."""
        return as_counted(found, self.heirs(found.patients))

    def by_sex(self) -> dict[str, list[int]]:
        with self._engine.connect() as c:
            now = _state(c)  # Before what it stands for: what is read is never older.
            at, known = self._read.sexes
            if at != now:
                known = {}
                sexes = select(patients.c.no, counted_sex().label("sex")).subquery()
                for no, sex in c.execute(select(sexes).where(sexes.c.sex != "").order_by(sexes.c.no)):
                    known.setdefault(sex, []).append(no)
                self._read.sexes = now, known
        return known

    def at_age(self, least: int | None, most: int | None) -> list[int]:
        with self._engine.connect() as c:
            known = self._every_age(c)
        keep = known.ages >= max(0, least or 0)
        if most is not None:
            keep &= known.ages <= most
        return list(map(int, known.keys[keep]))

    def _ages_of(self, c: Connection, keys: Ints) -> Ints:
        """(N,): the age at each note; -1 where not known."""
        wanted = np.unique(keys)
        # While an ingest runs, a few are not worth the whole column anew.
        if len(wanted) <= FEW and (self._read.ages is None or self._read.ages.at != _state(c)):
            return _matched(keys, _looked_up(c, notes.c.key, notes.c.age, wanted))
        known = self._every_age(c)
        return _placed(keys, known.keys, known.ages, -1)

    def _every_age(self, c: Connection) -> _Ages:
        now = _state(c)
        known = self._read.ages
        if known is None or known.at != now:
            found = c.execute(select(notes.c.key, notes.c.age).where(notes.c.age.is_not(None)).order_by(notes.c.key))
            columns = np.array([tuple(row) for row in found], dtype=np.int64).reshape(-1, 2).T
            known = self._read.ages = _Ages(now, np.ascontiguousarray(columns[0]), np.ascontiguousarray(columns[1]))
        return known

    def numbers(self, patient_ids: Iterable[str]) -> dict[str, int]:
        """Of those that are known."""
        with self._engine.connect() as c:
            return numbers(c, list(patient_ids), self._reach)

    def stays(self, patient_id: str) -> str:
        """The id of the patient as whom that one counts, which mostly is itself."""
        with self._engine.connect() as c:
            found = numbers(c, [patient_id], self._reach)
            return ids(c, found.values()).get(found[patient_id], patient_id) if found else patient_id

    def ids(self, numbers: Ints) -> dict[int, str]:
        """Patient ids by number."""
        with self._engine.connect() as c:
            return dict(_looked_up(c, patients.c.no, patients.c.patient_id, numbers))

    def note_ids(self, keys: Ints) -> dict[int, str]:
        """Note ids by key, of those that are there."""
        with self._engine.connect() as c:
            return dict(_looked_up(c, notes.c.key, notes.c.note_id, keys))

    def ages(self, rows: Rows) -> Ints:
        """(N,): whole years at each row; -1 where not known."""
        out = np.full(len(rows), -1, dtype=np.int64)
        of_note = rows.note != NO_NOTE
        with self._engine.connect() as c:
            out[of_note] = self._ages_of(c, rows.note[of_note])
            if not of_note.all():
                born = _looked_up(c, patients.c.no, patients.c.birth_date, np.unique(rows.patient[~of_note]))
                days = [(no, day_number(day)) for no, day in born]
                out[~of_note] = _age(rows.day[~of_note], _matched(rows.patient[~of_note], days, UNDATED))
        return out

    def encounters(self, keys: Ints) -> Ints:
        """(N,): a number of the encounter of each note, the same within this answer; -1 where it has none."""
        with self._engine.connect() as c:
            found = [(k, e) for k, e in _looked_up(c, notes.c.key, notes.c.encounter_id, np.unique(keys)) if e]
        code = {name: n for n, name in enumerate(dict.fromkeys(e for _, e in found))}
        return _matched(keys, [(k, code[e]) for k, e in found])

    def updated(self, keys: Ints) -> Ints:
        """(N,): when each note's state last changed, in microseconds since 1970; 0 of notes that are not there."""
        with self._engine.connect() as c:
            found = _looked_up(c, notes.c.key, notes.c.updated, np.unique(keys))
        return _matched(keys, [(key, microseconds(at)) for key, at in found], 0)

    def said(self) -> tuple[bool, bool, bool]:
        """Whether any patient with notes or facts has a sex, any note or fact an age, any of them a date."""
        own = patients.c.no
        here = or_(exists().where(notes.c.patient_no == own), exists().where(facts.c.patient_no == own))
        of_age = exists().where(facts.c.patient_no == own, facts.c.day.is_not(None))
        with self._engine.connect() as c:

            def any_of(*wanted: Select[Any]) -> bool:
                return any(c.execute(one.limit(1)).first() is not None for one in wanted)

            return (
                any_of(
                    select(own).where(patients.c.sex != "", here),
                    select(notes.c.key).where(notes.c.sex_read != ""),
                ),
                any_of(
                    select(notes.c.key).where(notes.c.age.is_not(None)),
                    select(own).where(patients.c.birth_date.is_not(None), of_age),
                ),
                any_of(
                    select(notes.c.key).where(notes.c.date.is_not(None)),
                    select(facts.c.key).where(facts.c.day.is_not(None)),
                ),
            )


def _generation(c: Connection) -> int:
    return int(c.execute(select(identity.c.people)).scalar_one())


def _state(c: Connection) -> tuple[int, int]:
    """Changes with every sex and age: a new note has a new key, and whatever else changes one tells so."""
    return _generation(c), int(c.execute(select(func.coalesce(func.max(notes.c.key), 0))).scalar_one())


def _versions(name: str, reach: Reach, *columns: Any) -> Select[Any]:
    """Of all versions of a kept cohort, the newest first."""
    joined = select(*columns).join_from(cohorts, cohort_versions, cohort_versions.c.cohort == cohorts.c.id)
    here = (cohorts.c.purpose == reach.purpose, func.lower(cohorts.c.name) == name.lower())
    return joined.where(*here).order_by(cohort_versions.c.number.desc())


def _looked_up(c: Connection, key: Any, value: Any, wanted: Ints) -> list[tuple[int, Any]]:
    """Keys with their values, in order of key, those without a value left out."""
    rows = select(key, value).where(value.is_not(None)).order_by(key)
    if len(wanted) > FEW:
        return [(k, v) for k, v in c.execute(rows)]
    return [(k, v) for part in chunks(wanted.tolist()) for k, v in c.execute(rows.where(key.in_(part)))]


def _matched(keys: Ints, known: list[tuple[int, Any]], missing: int = -1) -> Ints:
    """(N,): the value of each of ``keys``; ``known`` is sorted by key."""
    names, values = np.array(known, dtype=np.int64).reshape(-1, 2).T
    return _placed(keys, names, values, missing)


def _placed(keys: Ints, names: Ints, values: Ints, missing: int) -> Ints:
    """(N,): of each of ``keys`` the value at its place among ``names``, which are sorted."""
    if not len(names):
        return np.full(len(keys), missing, dtype=np.int64)
    found = np.minimum(np.searchsorted(names, keys), len(names) - 1)
    return np.where(names[found] == keys, values[found], missing)


def _age(day: Ints, born: Ints) -> Ints:
    """Whole years between two days; -1 where either is not known, and before birth."""

    def parts(days: Ints) -> tuple[Ints, Ints]:
        dates = days.astype("datetime64[D]")
        year, month = dates.astype("datetime64[Y]"), dates.astype("datetime64[M]")
        of_year = ((month - year).astype(np.int64) + 1) * 100 + (dates - month).astype(np.int64) + 1
        return year.astype(np.int64), of_year

    (year, now), (birth, then) = parts(day), parts(born)
    return np.where((day == UNDATED) | (born == UNDATED) | (day < born), -1, year - birth - (now < then))
