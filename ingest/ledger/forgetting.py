"""All that the ledger holds of one patient, and its end."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pyroaring import BitMap
from sqlalchemy import Connection, Engine, Table, and_, delete, func, or_, select, update

from ingest.ledger.database import one_at_a_time, writing
from ingest.ledger.facts import mark_facts
from ingest.ledger.ledger import mark_notes
from ingest.ledger.merges import behind
from ingest.ledger.patients import chunks, ids, numbers, tell
from ingest.ledger.tables import (
    cohort_versions,
    cohorts,
    exports,
    facts,
    notes,
    patients,
    review_decisions,
    review_marks,
    runs,
)

NOBODY = "(forgotten {no})"
"""Stands for the id, so that a number in a kept cohort is still somebody's, and nobody's."""
_BEGIN, _END = r"(?<!(?:[^\W_]|-))", r"(?!(?:[^\W_]|-))"
"""Of an id within a text: no letter, digit or hyphen goes on there."""


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
            for no, id in zip(held.numbers, held.ids, strict=True):
                _rename(c, id, NOBODY.format(no=no))
                c.execute(update(patients).where(patients.c.no == no).values(patient_id=NOBODY.format(no=no)))
            tell(c)
        return True

    def exports(self, held: Held) -> list[str]:
        """Files that were written of kept versions that count the patient, or of a query that names an id."""
        out = []
        with self._engine.connect() as c:
            members = select(cohort_versions.c.id, cohort_versions.c.patients)
            counting = {
                key for key, kept in c.execute(members) if not BitMap(held.numbers).isdisjoint(BitMap.deserialize(kept))
            }
            for row in c.execute(select(exports.c.of, exports.c.output).order_by(exports.c.id)):
                of = json.loads(row.of)
                if of.get("id") in counting or any(_renamed(of, id, "") != of for id in held.ids):
                    out.append(row.output)
        return list(dict.fromkeys(out))

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


def _rename(c: Connection, id: str, name: str) -> None:
    """Have ``name`` in the place of an id in the paths of files that were read, which may be one patient's, and in what
    exports were asked for."""
    for key, source in c.execute(select(runs.c.id, runs.c.source)).all():
        if (now := _without(source, _BEGIN, id, name)) != source:
            c.execute(update(runs).where(runs.c.id == key).values(source=now))
    for key, of in c.execute(select(exports.c.id, exports.c.of)).all():
        asked = json.loads(of)
        if (said := _renamed(asked, id, name)) != asked:
            c.execute(update(exports).where(exports.c.id == key).values(of=json.dumps(said)))


def _renamed(asked: Any, id: str, name: str) -> Any:
    """What was asked for, in JSON, with ``name`` where it names that patient."""
    if isinstance(asked, list):
        return [_renamed(one, id, name) for one in asked]
    if not isinstance(asked, dict):
        return asked
    out = {key: _renamed(value, id, name) for key, value in asked.items()}
    if out.get("field") == "patient" and out.get("value") == id:
        out["value"] = name
    if isinstance(out.get("line"), str):
        out["line"] = _without(out["line"], r"\bpatient:\s*\"?", id, name)
    return out


def _without(said: str, before: str, id: str, name: str) -> str:
    """``said`` with ``name`` in the place of an id that stands by itself behind ``before``, a pattern."""
    return re.sub(f"({before}){re.escape(id)}{_END}", lambda found: found[1] + name, said)


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
