"""Patients: a number each, what is known of them, and their age at each note."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, case, exists, extract, func, insert, or_, select, update

from ingest.ledger.tables import facts, identity, notes, patients
from search_stack.core.reach import EVERYTHING, Reach
from search_stack.core.schema import Person

_T = TypeVar("_T")
_CHUNK = 500
"""Ids in one IN (…): SQLite's older builds allow 999 variables."""


def chunks(items: Sequence[_T]) -> Iterable[Sequence[_T]]:
    for start in range(0, len(items), _CHUNK):
        yield items[start : start + _CHUNK]


def number_patients(c: Connection, patient_ids: Iterable[str]) -> dict[str, int]:
    """The number of each patient; those that have none get one, in the order in which they come."""
    wanted = list(dict.fromkeys(patient_ids))
    known = numbers(c, wanted)
    if fresh := [{"patient_id": i} for i in wanted if i not in known]:
        c.execute(insert(patients), fresh)
        known |= numbers(c, [row["patient_id"] for row in fresh])
    return known


def inside(table: Any, reach: Reach) -> list[ColumnElement[bool]]:
    """What rows of ``table``, notes or facts, must satisfy to be in reach."""
    return [] if reach.collections is None else [table.c.collection.in_(sorted(reach.collections))]


def met(reach: Reach) -> list[ColumnElement[bool]]:
    """What patients must satisfy to be in reach: a note or a structured fact of theirs is."""
    if reach.collections is None:
        return []
    return [or_(*(exists().where(t.c.patient_no == patients.c.no, *inside(t, reach)) for t in (notes, facts)))]


def numbers(c: Connection, patient_ids: Sequence[str], reach: Reach = EVERYTHING) -> dict[str, int]:
    """Of those that have one, and are in reach."""
    out: dict[str, int] = {}
    for part in chunks(patient_ids):
        wanted = select(patients.c.patient_id, patients.c.no).where(patients.c.patient_id.in_(part), *met(reach))
        found = c.execute(wanted)
        out |= {i: no for i, no in found}  # noqa: C416  # dict() takes no rows, for mypy
    return out


def learn(c: Connection, told: Iterable[tuple[str, Person]], numbers: Mapping[str, int]) -> int:
    """Keep what is told of patients; what is not told stays as it was, and of two that differ the later counts. How
    many are known better now."""
    changed = []
    for patient_id, values in _together(told).items():
        here = patients.c.no == numbers[patient_id]
        if c.execute(update(patients).where(here, differs(values, patients)).values(values)).rowcount:
            changed.append(numbers[patient_id])
    age_notes(c, numbers.values())
    if changed:
        tell(c)
    return len(changed)


def _together(told: Iterable[tuple[str, Person]]) -> dict[str, dict[str, Any]]:
    out: dict[str, dict[str, Any]] = {}
    for patient_id, person in told:
        said = {"sex": person.sex, "birth_date": person.birth_date, "death_date": person.death_date}
        if known := {name: value for name, value in said.items() if value}:
            out.setdefault(patient_id, {}).update(known)
    return out


def tell(c: Connection) -> None:
    """Have those who keep answers know that other is known of patients or notes now."""
    c.execute(update(identity).values(people=identity.c.people + 1))


def age_notes(c: Connection, numbers: Iterable[int]) -> None:
    """Work out the age at each note of these patients: by the birth date, else as the note's source gives it."""
    born = select(patients.c.birth_date).where(patients.c.no == notes.c.patient_no).scalar_subquery()
    age = func.coalesce(_years(born, notes.c.date), notes.c.age_given)
    for part in chunks(sorted(set(numbers))):
        here = notes.c.patient_no.in_(part)
        c.execute(update(notes).where(here, notes.c.age.is_distinct_from(age)).values(age=age))


def _years(born: Any, day: Any) -> ColumnElement[int]:
    """Whole years; who is born on 29 February is a year older from 1 March on. Nobody has an age before birth."""

    def of_year(date: Any) -> Any:
        return extract("month", date) * 100 + extract("day", date)

    years = extract("year", day) - extract("year", born) - case((of_year(day) < of_year(born), 1), else_=0)
    return case((day >= born, years), else_=None)


def differs(values: Mapping[str, Any], table: Any = notes) -> ColumnElement[bool]:
    """Whether any column of a row is other than ``values`` says."""
    return or_(*(table.c[name].is_distinct_from(value) for name, value in values.items()))
