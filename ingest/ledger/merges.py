"""Patients who turned out to be one person: what came under either id counts as the patient who stays."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import Connection, Engine, case, func, select, update

from ingest.ledger.database import one_at_a_time, writing
from ingest.ledger.patients import age_notes, chunks, fill, ids, number_patients, own_numbers, stays, survivors, tell
from ingest.ledger.tables import DELETING, PENDING, facts, notes, patients
from search_stack.core.schema import Merge

MergeOutcome = Literal["merged", "unmerged", "unchanged", "circle"]


class Merges:
    """Reading and writing of who counts as whom. Every change is one transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def put(self, batch: Sequence[Merge]) -> list[MergeOutcome]:
        """Have each patient of ``batch`` count as the one who takes the place, or as itself again; what became of each,
        in order. Notes and facts follow, and are written anew. "circle" is not taken in: the patient would stand for
        itself."""
        if not batch:
            return []
        with writing(self._engine) as c:
            one_at_a_time(c)
            return [_put(c, one) for one in batch]

    def merged(self, patient_ids: Sequence[str]) -> set[str]:
        """Those of ``patient_ids`` that count as another patient."""
        out: set[str] = set()
        with self._engine.connect() as c:
            for part in chunks(patient_ids):
                here = (patients.c.patient_id.in_(part), patients.c.replaced_by.is_not(None))
                out |= set(c.execute(select(patients.c.patient_id).where(*here)).scalars())
        return out


def _put(c: Connection, merge: Merge) -> MergeOutcome:
    named = [merge.patient_id, merge.replaced_by] if merge.replaced_by else []
    numbers = number_patients(c, named) if named else own_numbers(c, [merge.patient_id])
    if (own := numbers.get(merge.patient_id)) is None:
        return "unchanged"
    by = numbers[merge.replaced_by] if merge.replaced_by else None
    if c.execute(select(patients.c.replaced_by).where(patients.c.no == own)).scalar() == by:
        return "unchanged"
    moved = behind(c, own)
    if by in moved:
        return "circle"
    before = _who_stays(c, own)
    c.execute(update(patients).where(patients.c.no == own).values(replaced_by=by, regrouped=datetime.now(UTC)))
    after = _who_stays(c, own)
    _move(c, moved, before, after)
    fill(c, survivors(c, moved))
    age_notes(c, {before, after})
    tell(c)
    return "unmerged" if by is None else "merged"


def _who_stays(c: Connection, no: int) -> int:
    return stays(no, survivors(c, [no]))


def behind(c: Connection, *numbers: int) -> list[int]:
    """The patients and all whom they stand for."""
    out, last = list(numbers), list(numbers)
    while last:
        found = (c.execute(select(patients.c.no).where(patients.c.replaced_by.in_(part))) for part in chunks(last))
        last = [row.no for rows in found for row in rows]
        out += last
    return out


def besides(c: Connection, no: int) -> list[int]:
    """Numbers of the other ids under which came what counts as that patient's, sorted."""
    named = select(notes.c.given_patient).where(notes.c.patient_no == no, notes.c.given_patient.is_not(None))
    told = select(facts.c.given_no).where(facts.c.patient_no == no, facts.c.given_no.is_not(None))
    of_notes = own_numbers(c, list(c.execute(named.distinct()).scalars())).values()
    return sorted({*of_notes, *c.execute(told.distinct()).scalars()})


def _move(c: Connection, moved: Collection[int], before: int, after: int) -> None:
    """Have what came under the ids of ``moved``, and counted as ``before``, count as ``after``."""
    named = ids(c, {*moved, after})
    for part in chunks(sorted(moved)):
        given: Any = func.coalesce(notes.c.given_patient, notes.c.patient_id)
        here = (notes.c.patient_no == before, given.in_([named[no] for no in part]))
        whose = {"patient_no": after, "patient_id": named[after], "given_patient": func.nullif(given, named[after])}
        again = {"version": notes.c.version + 1, "state": PENDING, "attempts": 0, "progress": 0, "last_error": ""}
        free = {"claim": None, "claimed_until": None, "updated": datetime.now(UTC)}
        c.execute(update(notes).where(*here, notes.c.state != DELETING).values(whose | again | free))
        own: Any = func.coalesce(facts.c.given_no, facts.c.patient_no)
        told = (facts.c.patient_no == before, own.in_(part))
        stays = facts.c.state == DELETING
        anew = {"patient_no": after, "given_no": func.nullif(own, after), "version": facts.c.version + 1}
        c.execute(update(facts).where(*told).values(anew | {"state": case((stays, DELETING), else_=PENDING)}))
