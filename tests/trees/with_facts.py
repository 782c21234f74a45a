"""Random trees over notes and structured facts of patients, and what they mean: worked out row by row, without the
engine, its plan and its arrays."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import numpy as np

from ingest.ledger.facts import StoredFact
from search_stack.cohorts.rows import NO_NOTE, UNDATED, Ints, Rows
from search_stack.query.fields import age_range
from search_stack.query.nodes import (
    COMPARISONS,
    TOGETHER,
    AllOf,
    AnyOf,
    AtAge,
    AtLeast,
    During,
    Fact,
    FieldIs,
    Finding,
    Leaf,
    Near,
    Node,
    Not,
    Pick,
    Timed,
    Together,
)
from search_stack.query.timed import together
from search_stack.query.tree import all_of, any_of, criteria, not_, parts
from tests.trees import brute
from tests.trees.collection import DAYS, FIRST_DAY, PARENTS, TYPES, Known, Plain

ABOVE = {
    "I48": ("I48",),
    "I48.0": ("I48", "I48.0"),
    "I48.91": ("I48", "I48.9", "I48.91"),
    "I4": ("I4",),
    "718-7": ("718-7",),
    "718-77": ("718-77",),
}
"""By the code of a fact, the codes that it counts under."""
UNITS = ("g/dL", "g/L", "")
Row = tuple[int, date | None, int | None]
"""Patient, day, and the note unless it is a fact's."""


@dataclass(frozen=True, slots=True)
class PlainFact:
    """A structured fact with all that can be asked of it."""

    key: int
    patient: int
    day: date | None
    code: str
    value: float | None
    unit: str

    @property
    def system(self) -> str:
        return "icd10" if self.code.startswith("I") else "loinc"

    def stored(self) -> StoredFact:
        """What a ledger would give to be indexed."""
        who = (self.patient, f"P-{self.patient - 1:02}", self.day)
        return StoredFact(self.key, 1, "pending", *who, self.system, self.code, self.value, self.unit, "trees")


def facts(rng: random.Random, patients: int = 40, count: int = 120) -> list[PlainFact]:
    """Facts of patients with notes and of two without; one in eight is undated."""
    out = []
    for key in range(1, count + 1):
        day = None if rng.random() < 0.125 else FIRST_DAY + timedelta(days=rng.randrange(DAYS))
        code = rng.choice(tuple(ABOVE))
        value = None if code.startswith("I") else float(rng.randrange(10))
        out.append(PlainFact(key, rng.randint(1, patients + 2), day, code, value, rng.choice(UNITS)))
    return out


def on_days_of(notes: Sequence[Plain], some: Sequence[PlainFact], rng: random.Random) -> list[PlainFact]:
    """``some``, every second moved to the patient and day of a note, so that days meet."""
    picked = {f.key: rng.choice(notes) for f in some if f.key % 2}
    return [replace(f, patient=p.patient_no, day=p.day) if (p := picked.get(f.key)) else f for f in some]


# --- trees ---


def grow(rng: random.Random, depth: int = 3) -> Node:
    """A tree of at most ``depth`` levels over a leaf; fields stand beside what they narrow."""
    kind = rng.choices(("leaf", "all", "any", "not", "time"), (2, 5, 3, 1, 4))[0]
    if not depth or kind == "leaf":
        return _leaf(rng)
    if kind == "not":
        return not_(grow(rng, depth - 1))
    if kind == "time":
        return _timed_tree(rng, depth - 1)
    children = [grow(rng, depth - 1) for _ in range(rng.randint(2, 3))]
    if kind == "any":
        return any_of(children)
    return all_of([*children, *([_field(rng)] if rng.random() < 0.4 else [])])


def _leaf(rng: random.Random) -> Leaf:
    if rng.random() < 0.45:
        return Finding(rng.choice(tuple(PARENTS)))
    if rng.random() < 0.6:
        return Fact("icd10", rng.choice(("I48", "I48.9", "I4", "I48.0")))
    return Fact("loinc", "718-7", rng.choice(COMPARISONS), float(rng.randrange(10)), rng.choice(("", "", "g/dl")))


def _field(rng: random.Random) -> FieldIs:
    day = (FIRST_DAY + timedelta(days=rng.randrange(DAYS))).isoformat()
    return rng.choice(
        (
            FieldIs("after", day),
            FieldIs("before", day),
            FieldIs("sex", rng.choice(("female", "male"))),
            FieldIs("age", rng.choice((">60", "50-65", "<55"))),
            FieldIs("type", rng.choice(TYPES)),
        )
    )


def _timed_tree(rng: random.Random, depth: int) -> Node:
    some = [grow(rng, depth) for _ in range(3)]
    first, last = sorted(FIRST_DAY + timedelta(days=rng.randrange(DAYS)) for _ in range(2))
    days = sorted(rng.randrange(-300, 300) for _ in range(2))
    return rng.choice(
        (
            AtLeast(2, rng.choice(("notes", "days")), some[0]),
            Pick(rng.choice(("first", "last")), some[0]),
            During(first.isoformat(), last.isoformat(), some[0]),
            AtAge(50, rng.choice((None, 65)), some[0]),
            Near(days[0], days[1], some[0], some[1]),
            Near(rng.choice((0, 1)), None, some[0], some[1]),
            together(rng.choice(TOGETHER), some[:2]),
        )
    )


# --- what they mean ---


@dataclass(frozen=True, slots=True)
class Record:
    """All that there is of the patients, or what filters leave of it."""

    passages: tuple[Plain, ...]
    facts: tuple[PlainFact, ...]

    def rows(self) -> set[Row]:
        return {(p.patient_no, p.day, p.note) for p in self.passages}

    def without(self, filters: Iterable[Node]) -> Record:
        left = self
        for one in filters:
            assert isinstance(one, FieldIs)
            left = Record(
                tuple(p for p in left.passages if brute.holds(p, one, ())),
                tuple(f for f in left.facts if _obeys(f, one)),
            )
        return left


def age_of(patient: int, day: date | None) -> int:
    """As `Plain.age`."""
    return -1 if day is None or patient % 5 == 0 else day.year - 1940 - patient


def _obeys(fact: PlainFact, field: FieldIs) -> bool:
    """Whether a filter leaves a fact; what only a note has leaves all."""
    if field.field in ("after", "before"):
        day = date.fromisoformat(field.value)
        return fact.day is not None and (fact.day >= day if field.field == "after" else fact.day < day)
    if field.field == "sex":
        return ("female", "male", "male", "")[fact.patient % 4] == field.value
    if field.field == "age":
        least, most = age_range(field.value)
        age = age_of(fact.patient, fact.day)
        return age >= max(0, least or 0) and (most is None or age <= most)
    return True


def patients(node: Node, record: Record) -> set[int]:
    """Who satisfies ``node``."""
    if isinstance(node, AllOf):
        left, rest = _narrowed(node, record)
        found = [patients(c, left) for c in rest if not isinstance(c, Not)]
        out = set.intersection(*found) if found else {p for p, _, _ in left.rows()}
        return out.difference(*(patients(c.child, left) for c in rest if isinstance(c, Not)))
    if isinstance(node, AnyOf):
        return set().union(*(patients(c, record) for c in node.children))
    if isinstance(node, Not):
        return {p for p, _, _ in record.rows()} - patients(node.child, record)
    return {p for p, _, _ in rows(node, record)}


def evidence(node: Node, record: Record) -> tuple[set[int], set[int]]:
    """Patients and notes of the rows that show it."""
    who = patients(node, record)
    shown = {row for row in _shown(node, record) if row[0] in who}
    return {p for p, _, _ in shown}, {n for _, _, n in shown if n is not None}


def steps(node: Node, record: Record) -> list[tuple[int, int]]:
    """How many patients and notes are left after each criterion."""
    asked = criteria(node)
    found = [evidence(all_of(asked[: n + 1]), record) for n in range(len(asked))]
    return [(len(who), len(notes)) for who, notes in found]


def _narrowed(node: AllOf, record: Record) -> tuple[Record, list[Node]]:
    rest = [c for c in node.children if not isinstance(c, FieldIs)]
    return record.without(c for c in node.children if isinstance(c, FieldIs)), rest


def _shown(node: Node, record: Record) -> set[Row]:
    if isinstance(node, AllOf):
        left, rest = _narrowed(node, record)
        asked = [_shown(c, left) for c in rest if not isinstance(c, Not)]
        return set().union(*asked) if asked else left.rows()
    if isinstance(node, AnyOf):
        return set().union(*(_shown(c, record) for c in node.children))
    return record.rows() if isinstance(node, Not) else rows(node, record)


def rows(node: Node, record: Record) -> set[Row]:
    """Where ``node`` holds; of several criteria together, where one note has them all, and facts its day."""
    if isinstance(node, Timed):
        return _timed(node, record)
    if isinstance(node, Fact):
        return {(f.patient, f.day, None) for f in record.facts if _is(f, node)}
    if isinstance(node, Leaf):
        return {(p.patient_no, p.day, p.note) for p in record.passages if brute.holds(p, node, ())}
    if isinstance(node, AnyOf):
        return set().union(*(rows(c, record) for c in node.children))
    if isinstance(node, Not):
        out = {n for _, _, n in rows(node.child, record)}
        return {row for row in record.rows() if row[2] not in out}
    left, rest = _narrowed(node, record)
    asked = [rows(c, left) for c in rest if not isinstance(c, Not)] or [left.rows()]
    held = {row for row in set().union(*asked) if row[2] is not None and all(_in(row, some) for some in asked)}
    held |= {row for row in asked[0] if row[2] is None and all(row in some and row[1] for some in asked[1:])}
    gone = set().union(*(rows(c.child, left) for c in rest if isinstance(c, Not)))
    notes, days = {n for _, _, n in gone if n is not None}, {(p, d) for p, d, n in gone if n is None and d}
    return {row for row in held if row[2] not in notes and row[:2] not in days}


def _in(row: Row, some: set[Row]) -> bool:
    patient, day, note = row
    return any(n == note for _, _, n in some) or (day is not None and (patient, day, None) in some)


def _is(fact: PlainFact, node: Fact) -> bool:
    if fact.system != node.system or node.code not in ABOVE[fact.code]:
        return False
    if not node.compare:
        return True
    if fact.value is None or (node.unit and fact.unit.lower() != node.unit.lower()):
        return False
    sign = (fact.value > node.value) - (fact.value < node.value)
    return {"<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0, "=": sign == 0}[node.compare]


def _timed(node: Timed, record: Record) -> set[Row]:
    found = [rows(part, record) for part in parts(node)]
    dated = [{row for row in some if row[1]} for some in found]
    if isinstance(node, AtLeast):
        some = found[0] if node.unit == "notes" else dated[0]
        different = {(p, d, n) if node.unit == "notes" else (p, d, None) for p, d, n in some}
        return {row for row in some if sum(p == row[0] for p, _, _ in different) >= node.number}
    if isinstance(node, Pick):
        best = min if node.which == "first" else max
        return {row for row in dated[0] if row[1] == best(d for p, d, _ in dated[0] if p == row[0] and d)}
    if isinstance(node, During):
        return {r for r in dated[0] if node.after <= str(r[1]) and (not node.before or str(r[1]) < node.before)}
    if isinstance(node, AtAge):
        aged = [(row, age_of(row[0], row[1])) for row in found[0]]
        return {r for r, age in aged if age >= (node.least or 0) and (node.most is None or age <= node.most)}
    if isinstance(node, Near):
        if isinstance(node.anchor, Not):
            shut = rows(node.anchor.child, record)
            return {row for row in dated[0] if not any(_near(row, anchor, node) for anchor in shut)}
        return {row for row in dated[0] if any(_near(row, anchor, node) for anchor in dated[1])}
    asked = [some for part, some in zip(parts(node), found, strict=True) if not isinstance(part, Not)]
    gone = [rows(part.child, record) for part in parts(node) if isinstance(part, Not)]
    return _in_one(node, asked or [record.rows()], gone, {p.note: p.encounter for p in record.passages})


def _near(row: Row, anchor: Row, node: Near) -> bool:
    if row[0] != anchor[0] or row[1] is None or anchor[1] is None:
        return False
    days = (row[1] - anchor[1]).days
    return (node.least is None or days >= node.least) and (node.most is None or days <= node.most)


def _in_one(
    node: Together, found: Sequence[set[Row]], gone: Sequence[set[Row]], encounters: dict[int, int]
) -> set[Row]:
    def group(row: Row) -> Any:
        patient, day, note = row
        if node.by == "note":
            return note
        if node.by == "encounter":
            return (patient, encounters[note]) if note is not None and encounters[note] >= 0 else None
        if day is None:
            return None
        return (patient, day) if node.by == "day" else (patient, day.year)

    shared = set.intersection(*({group(row) for row in some} - {None} for some in found))
    shared -= {group(row) for some in gone for row in some}
    return {row for some in found for row in some if group(row) in shared}


class KnownWithFacts(Known):
    """What a ledger would know of the patients, at their facts too."""

    def __init__(self, passages: Sequence[Plain], patients: int) -> None:
        super().__init__(passages)
        self._numbers = range(1, patients + 3)

    def of_sex(self, sex: str) -> list[int]:
        return [n for n in self._numbers if ("female", "male", "male", "")[n % 4] == sex]

    def ages(self, rows: Rows) -> Ints:
        return np.array(list(self._each_age(rows)), dtype=np.int64)

    def _each_age(self, rows: Rows) -> Iterator[int]:
        for patient, day in zip(rows.patient.tolist(), rows.day.tolist(), strict=True):
            yield age_of(patient, None if day == UNDATED else date(1970, 1, 1) + timedelta(days=day))

    def encounters(self, notes: Ints) -> Ints:
        known = super().encounters(notes[notes != NO_NOTE])
        out = np.full(len(notes), -1, dtype=np.int64)
        out[notes != NO_NOTE] = known
        return out
