"""All that the ledger holds of one patient, and its end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from pyroaring import BitMap
from sqlalchemy import Connection, Engine, Table, and_, delete, func, or_, select, update

from ingest.ledger.database import one_at_a_time, writing
from ingest.ledger.facts import mark_facts
from ingest.ledger.ledger import mark_notes
from ingest.ledger.merges import behind
from ingest.ledger.patients import chunks, ids, numbers, tell
from ingest.ledger.tables import cohort_versions, cohorts, facts, notes, patients, review_decisions, review_marks

NOBODY = "(forgotten {no})"
"""Stands for the id, so that a number in a kept cohort is still somebody's, and nobody's."""


@dataclass(frozen=True, slots=True)
class Held:
    """What is held of a patient, under all ids that count as the same."""

    numbers: tuple[int, ...]
    """The first is of the one who stays."""
    ids: tuple[str, ...]
    notes: int
    facts: int
    decisions: int
    """Of reviewers, and what they marked: their words may be those of notes."""


class Forgetting:
    """Every change is one transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def held(self, patient_id: str) -> Held | None:
        """None where nobody has that id."""
        with self._engine.connect() as c:
            found = numbers(c, [patient_id])
            return _held(c, behind(c, found[patient_id])) if found else None

    def mark(self, held: Held) -> None:
        """Have notes and facts on their way out, and all else that is known of the patient gone, but for the id: by
        that an interrupted command is given again."""
        with writing(self._engine) as c:
            one_at_a_time(c)
            for table, keys in _said(c, held.numbers):
                for part in chunks(keys):
                    c.execute(delete(table).where(table.c.id.in_(part)))
            for part in chunks(held.numbers):
                mark_notes(c, notes.c.patient_no.in_(part))
                mark_facts(c, facts.c.patient_no.in_(part))
                nothing = {"sex": "", "birth_date": None, "death_date": None}
                c.execute(update(patients).where(patients.c.no.in_(part)).values(nothing))
            tell(c)

    def close(self, held: Held) -> bool:
        """Take the ids away; whether nothing is left under them. What came in again meanwhile keeps its patient."""
        with writing(self._engine) as c:
            one_at_a_time(c)
            left = _held(c, held.numbers)
            if left.notes or left.facts:
                return False
            for no in held.numbers:
                c.execute(update(patients).where(patients.c.no == no).values(patient_id=NOBODY.format(no=no)))
            tell(c)
        return True

    def versions(self, held: Held) -> tuple[list[str], list[str]]:
        """Kept versions that count the patient, and those whose query names an id."""
        counting, naming = [], []
        columns = (cohorts.c.name, cohort_versions.c.number, cohort_versions.c.origin, cohort_versions.c.patients)
        joined = select(*columns).join_from(cohorts, cohort_versions, cohort_versions.c.cohort == cohorts.c.id)
        with self._engine.connect() as c:
            for name, number, origin, members in c.execute(joined.order_by(cohorts.c.name, cohort_versions.c.number)):
                if not BitMap(held.numbers).isdisjoint(BitMap.deserialize(members)):
                    counting.append(f"{name}@{number}")
                if any(json.dumps(id) in origin for id in held.ids):
                    naming.append(f"{name}@{number}")
        return counting, naming


def _held(c: Connection, own: Sequence[int]) -> Held:
    named = ids(c, own)

    def count(table: Table) -> int:
        wanted = [select(func.count()).where(table.c.patient_no.in_(part)) for part in chunks(own)]
        return sum(c.execute(one).scalar_one() for one in wanted)

    said = sum(len(keys) for _, keys in _said(c, own))
    return Held(tuple(own), tuple(named[no] for no in own), count(notes), count(facts), said)


def _said(c: Connection, own: Sequence[int]) -> list[tuple[Table, list[int]]]:
    """What reviewers said of the patient, by id: also while others counted as the same, and of its notes and facts."""
    decided, marked = review_decisions.c, review_marks.c
    several = c.execute(select(decided.id, decided.besides).where(decided.besides != "[]"))
    decisions = {key for key, besides in several if set(own) & set(json.loads(besides))}
    marks: set[int] = set()
    for part in chunks(own):
        its_notes = select(notes.c.key).where(notes.c.patient_no.in_(part))
        its_facts = select(facts.c.key).where(facts.c.patient_no.in_(part))
        of_facts = and_(marked.note_key.is_(None), marked.end.in_(its_facts))
        of_patient = or_(marked.patient_no.in_(part), marked.note_key.in_(its_notes), of_facts)
        marks |= set(c.execute(select(marked.id).where(of_patient)).scalars())
        decisions |= set(c.execute(select(decided.id).where(decided.patient_no.in_(part))).scalars())
    # An undo goes with what it takes back, and before it.
    for part in chunks(sorted(decisions)):
        decisions |= set(c.execute(select(decided.id).where(decided.undoes.in_(part))).scalars())
    return [(review_decisions, sorted(decisions, reverse=True)), (review_marks, sorted(marks))]
