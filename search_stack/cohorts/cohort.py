"""A tree asked of one index and one ledger: who is in, by what evidence, how many each step leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np

from search_stack.cohorts.clauses import NO_DAY, Clause, among
from search_stack.cohorts.evaluate import Ask, Evaluation, Inside, Source, asks
from search_stack.cohorts.plan import Plan
from search_stack.cohorts.reading import Evidence
from search_stack.cohorts.rows import NO_NOTE, Ints, Rows, Unit
from search_stack.cohorts.standing import Known, check_said, with_facts, with_people, with_times
from search_stack.core.cohort_names import unknown_cohort
from search_stack.query.fields import BY_KEY
from search_stack.query.nodes import FieldIs, Node, Not
from search_stack.query.tree import QueryError, all_of, criteria, is_filter, is_timed, pruned, wanted

FIELD: dict[Unit, str] = {"note": "note_key", "patient": "patient_no"}
"""Of passages, by what tells the units apart."""
_T = TypeVar("_T")


class NobodyKnown:
    """Of an index that no ledger stands behind."""

    def said(self) -> tuple[bool, bool, bool]:
        return False, False, True

    def of_sex(self, sex: str) -> Iterable[int]:
        return ()

    def by_sex(self) -> Mapping[str, Sequence[int]]:
        return {}

    def at_age(self, least: int | None, most: int | None) -> Iterable[int]:
        return ()

    def newest_of(self, cohort: str) -> str:
        raise unknown_cohort(cohort, (), QueryError)

    def stays(self, patient_id: str) -> str:
        return patient_id

    def in_cohort(self, version: str) -> Iterable[int]:
        raise unknown_cohort(version, (), QueryError)

    def ages(self, rows: Rows) -> Ints:
        return np.full(len(rows), -1, dtype=np.int64)

    def encounters(self, notes: Ints) -> Ints:
        return np.full(len(notes), -1, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Step:
    """What is left after the first so many criteria."""

    node: Node
    patients: int
    notes: int


class Asking:
    """One state of the index, asked as often as it takes.

    Args:
        generation: of the index, by `Evidence.generation`.
    """

    def __init__(self, evidence: Evidence, known: Known, generation: str) -> None:
        self._evidence = evidence
        self._known = known
        self.generation = generation
        self._read: Source = partial(evidence.read, generation=generation)

    def resolved(self, plan: Plan) -> Plan:
        """``plan`` with what no passage says itself: people, and the patients of structured facts."""
        check_said(plan.node, self._known)
        return with_facts(with_people(plan, self._known), self._read, self._known)

    def timed(self, plan: Plan, unit: Unit) -> Plan:
        """``plan`` with the notes of its criteria in time, where it has any."""
        if not is_timed(plan.node):
            return plan
        return self.ahead(plan, unit, lambda e: with_times(plan, e))

    def ahead(self, plan: Plan, unit: Unit, work: Callable[[Evaluation], _T]) -> _T:
        """``work`` with an evaluation, all that it will ask read beforehand in one go."""
        self._read(asks(lambda source: work(Evaluation(plan, unit, source, self._known))))
        return work(Evaluation(plan, unit, self._read, self._known))

    def rows(self, clauses: Sequence[Clause]) -> list[Rows]:
        """The evidence of clauses over passages."""
        return self._read([Ask(c) for c in clauses])

    def versions(self, notes: Ints) -> dict[int, tuple[int, str]]:
        """By note, the version that is in the index and the version of its labels; without those it does not hold."""
        return self._evidence.versions(notes)

    def mentions(self, patients: Ints) -> Iterator[tuple[str, str, int]]:
        """What the notes of ``patients`` mention: assertion, concept and patient, each once."""
        return self._evidence.mentions(patients)


@dataclass(frozen=True, slots=True)
class Members:
    """Who satisfies a tree. ``plan`` is kept to them where criteria meet in different passages."""

    plan: Plan
    units: Ints
    rows: Rows
    """Their evidence."""
    undated: int
    """Notes that time left out for want of a date, and that are in by nothing else."""
    generation: str

    @property
    def patients(self) -> Ints:
        return self.rows.patients()

    @property
    def notes(self) -> Ints:
        return self.rows.notes()


def members(asking: Asking, plan: Plan, unit: Unit) -> Members:
    """The patients or notes that satisfy the tree of ``plan``, which is resolved, wherever in them."""
    return _members(asking, plan, unit, *asking.ahead(plan, unit, _found))


def members_step_by_step(asking: Asking, plan: Plan, unit: Unit) -> tuple[Members, tuple[Step, ...]]:
    """`members`, and how many patients and notes are left after each criterion, in the order in which they stand; read
    in one go."""
    found, steps = asking.ahead(plan, unit, lambda e: (_found(e), _steps(e)))
    return _members(asking, plan, unit, *found), steps


def _found(evaluation: Evaluation) -> tuple[Ints, Rows, set[int]]:
    """Units, their evidence, and notes that only time leaves out."""
    node = evaluation.plan.node
    units = evaluation.units(node)
    return units, evaluation.evidence(node, units), without_day(evaluation, node)


def _members(asking: Asking, plan: Plan, unit: Unit, units: Ints, rows: Rows, dateless: set[int]) -> Members:
    undated = len(dateless - set(rows.notes().tolist())) if dateless else 0
    plan = asking.timed(plan, unit)
    if plan.needs_keys:  # Else each passage tells for itself, and others may come close.
        plan = replace(plan, within=among(FIELD[unit], units))
    return Members(plan, units, rows, undated, asking.generation)


def without_day(evaluation: Evaluation, node: Node) -> set[int]:
    """Notes without a date that only time leaves out: those of evidence in time, and those that satisfy the rest of a
    tree that asks for days."""
    out = set(evaluation.undated)
    if asks_for_days(node):
        rest = apart_from_days(node)
        by_note = replace(evaluation, unit="note", undated=set(), known={}, timed=None)
        inside = Inside((NO_DAY,), (NO_DAY,))
        found = by_note.units(rest, inside) if rest else by_note.rows_inside(inside).notes()
        out |= set(found.tolist())
    out.discard(NO_NOTE)
    return out


def asks_for_days(node: Node) -> bool:
    return any(map(_is_day, wanted(node)))


def apart_from_days(node: Node) -> Node | None:
    """What else ``node`` asks for."""
    return pruned(node, lambda leaf: not _is_day(leaf))


def _is_day(leaf: Node) -> bool:
    return isinstance(leaf, FieldIs) and BY_KEY[leaf.field].is_day


def each_alone(asking: Asking, plan: Plan, unit: Unit) -> tuple[int, ...]:
    """How many notes or patients each criterion has on its own, in what the filters beside it leave; of an exclusion,
    how many it shuts out."""
    asked = criteria(plan.node)

    def work(evaluation: Evaluation) -> tuple[int, ...]:
        filters = evaluation.inside([c for c in asked if is_filter(c)])
        return tuple(len(_alone(evaluation, c, filters)) for c in asked)

    return asking.ahead(plan, unit, work)


def each_whole(asking: Asking, plan: Plan, unit: Unit, nodes: Sequence[Node]) -> tuple[int, ...]:
    """How many notes or patients satisfy each of ``nodes``, whose leaves are all in ``plan``, which is resolved."""
    return asking.ahead(plan, unit, lambda evaluation: tuple(len(evaluation.units(node)) for node in nodes))


def _alone(evaluation: Evaluation, node: Node, filters: Inside) -> Ints:
    if is_filter(node):
        return evaluation.units(node)
    if isinstance(node, Not):
        return evaluation.units(node.child, filters, wanted=False)
    return evaluation.units(node, filters)


def _steps(evaluation: Evaluation) -> tuple[Step, ...]:
    asked = criteria(evaluation.plan.node)
    out = []
    for n, criterion in enumerate(asked, 1):
        node = all_of(asked[:n])
        rows = evaluation.evidence(node, evaluation.units(node))
        out.append(Step(criterion, len(rows.patients()), len(rows.notes())))
    return tuple(out)
