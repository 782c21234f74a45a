"""Patients: a number each, what is known of them, and their age at each note."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, case, exists, extract, func, insert, or_, select, update

from ingest.ledger.tables import DELETING, facts, identity, notes, patients
from search_stack.core.reach import EVERYTHING, Reach
from search_stack.core.schema import Person

_T = TypeVar("_T")
_CHUNK = 500
"""Ids in one IN (…): SQLite's older builds allow 999 variables."""


def chunks(items: Sequence[_T]) -> Iterable[Sequence[_T]]:
    for start in range(0, len(items), _CHUNK):
        yield items[start : start + _CHUNK]


def number_patients(c: Connection, patient_ids: Iterable[str]) -> dict[str, int]:
    """The number of each patient's own; those that have none get one, in the order in which they come."""
    wanted = list(dict.fromkeys(patient_ids))
    known = own_numbers(c, wanted)
    if fresh := [{"patient_id": i} for i in wanted if i not in known]:
        c.execute(insert(patients), fresh)
        known |= own_numbers(c, [row["patient_id"] for row in fresh])
    return known


def own_numbers(c: Connection, patient_ids: Sequence[str]) -> dict[str, int]:
    """Of those that have one."""
    out: dict[str, int] = {}
    for part in chunks(patient_ids):
        found = c.execute(select(patients.c.patient_id, patients.c.no).where(patients.c.patient_id.in_(part)))
        out |= {i: no for i, no in found}  # noqa: C416  # dict() takes no rows, for mypy
    return out


Survivors = Mapping[int, tuple[int, str]]
"""By number of those that count as another patient: the number and the id of that one."""


def survivors(c: Connection, numbers: Iterable[int]) -> Survivors:
    """Of those that count as another, who may count as a third one in turn."""
    asked = set(numbers)
    known: dict[int, int] = {}
    wanted = asked
    while wanted:
        found = _replaced(c, wanted)
        known |= found
        wanted = set(found.values()) - known.keys()
    ends: dict[int, int] = {}
    for no in asked & known.keys():
        ends[no] = known[no]
        while ends[no] in known:
            ends[no] = known[ends[no]]
    names = ids(c, set(ends.values()))
    return {no: (end, names[end]) for no, end in ends.items()}


def stays(no: int, heirs: Survivors) -> int:
    """The number of the patient as whom that one counts."""
    return heirs[no][0] if no in heirs else no


def _replaced(c: Connection, numbers: Iterable[int]) -> dict[int, int]:
    columns = (patients.c.no, patients.c.replaced_by)
    out: dict[int, int] = {}
    for part in chunks(sorted(numbers)):
        found = c.execute(select(*columns).where(patients.c.no.in_(part), patients.c.replaced_by.is_not(None)))
        out |= {no: by for no, by in found}  # noqa: C416  # dict() takes no rows, for mypy
    return out


def ids(c: Connection, numbers: Iterable[int]) -> dict[int, str]:
    """Patient ids by number."""
    out: dict[int, str] = {}
    for part in chunks(sorted(numbers)):
        found = c.execute(select(patients.c.no, patients.c.patient_id).where(patients.c.no.in_(part)))
        out |= {no: i for no, i in found}  # noqa: C416  # dict() takes no rows, for mypy
    return out


def inside(table: Any, reach: Reach) -> list[ColumnElement[bool]]:
    """What rows of ``table``, notes or facts, must satisfy to be in reach."""
    return [] if reach.collections is None else [table.c.collection.in_(sorted(reach.collections))]


def met(reach: Reach) -> list[ColumnElement[bool]]:
    """What patients must satisfy to be in reach: a note or a structured fact of theirs is."""
    if reach.collections is None:
        return []
    return [or_(*(exists().where(t.c.patient_no == patients.c.no, *inside(t, reach)) for t in (notes, facts)))]


def numbers(c: Connection, patient_ids: Sequence[str], reach: Reach = EVERYTHING) -> dict[str, int]:
    """Of those that have one, and are in reach; of one who counts as another that of whom it counts as."""
    own = own_numbers(c, patient_ids)
    heirs = survivors(c, own.values())
    found = {i: stays(no, heirs) for i, no in own.items()}
    if reach.collections is None:
        return found
    here: set[int] = set()
    for part in chunks(sorted(set(found.values()))):
        here |= set(c.execute(select(patients.c.no).where(patients.c.no.in_(part), *met(reach))).scalars())
    return {i: no for i, no in found.items() if no in here}


def learn(c: Connection, told: Iterable[tuple[str, Person]], numbers: Mapping[str, int], heirs: Survivors) -> int:
    """Keep what is told of patients; what is not told stays as it was, and of two that differ the later counts. How
    many are known better now."""
    changed = []
    for patient_id, values in _together(told).items():
        here = patients.c.no == numbers[patient_id]
        if c.execute(update(patients).where(here, differs(values, patients)).values(values)).rowcount:
            changed.append(numbers[patient_id])
    fill(c, heirs)
    age_notes(c, [*numbers.values(), *(no for no, _ in heirs.values())])
    if changed:
        tell(c)
    return len(changed)


def fill(c: Connection, heirs: Survivors) -> None:
    """What is not known of those who stay is what is known of those who count as them."""
    known = (patients.c.sex, patients.c.birth_date, patients.c.death_date)
    for part in chunks(sorted(heirs)):
        for no, *values in c.execute(select(patients.c.no, *known).where(patients.c.no.in_(part))).all():
            for column, value in zip(known, values, strict=True):
                lacks = or_(column.is_(None), column == "") if column is patients.c.sex else column.is_(None)
                if value:
                    here = (patients.c.no == heirs[no][0], lacks)
                    c.execute(update(patients).where(*here).values({column: value}))


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
    """Work out the age at each note of these patients: by the birth date, else as the note's source gives it, else as
    its text says it."""
    born = select(patients.c.birth_date).where(patients.c.no == notes.c.patient_no).scalar_subquery()
    age = func.coalesce(_years(born, notes.c.date), notes.c.age_given, notes.c.age_read)
    for part in chunks(sorted(set(numbers))):
        here = notes.c.patient_no.in_(part)
        c.execute(update(notes).where(here, notes.c.age.is_distinct_from(age)).values(age=age))


def counted_sex() -> ColumnElement[str]:
    """The sex of a row of ``patients``: as a source gives it, else as the notes say it, where none says another."""
    first, last = func.min(notes.c.sex_read), func.max(notes.c.sex_read)
    here = (notes.c.patient_no == patients.c.no, notes.c.sex_read != "", notes.c.state != DELETING)
    read = select(case((first == last, first), else_="")).where(*here).scalar_subquery()
    return case((patients.c.sex != "", patients.c.sex), else_=func.coalesce(read, ""))


def _years(born: Any, day: Any) -> ColumnElement[int]:
    """Whole years; who is born on 29 February is a year older from 1 March on. Nobody has an age before birth."""

    def of_year(date: Any) -> Any:
        return extract("month", date) * 100 + extract("day", date)

    years = extract("year", day) - extract("year", born) - case((of_year(day) < of_year(born), 1), else_=0)
    return case((day >= born, years), else_=None)


def differs(values: Mapping[str, Any], table: Any = notes) -> ColumnElement[bool]:
    """Whether any column of a row is other than ``values`` says."""
    return or_(*(table.c[name].is_distinct_from(value) for name, value in values.items()))
