"""Which patients or notes satisfy a tree, and by what evidence: sets over what each criterion brings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Protocol, cast

import numpy as np

from search_stack.cohorts import time
from search_stack.cohorts.clauses import Clause, all_clauses, any_clause
from search_stack.cohorts.fact_filters import Mask, may_hold
from search_stack.cohorts.plan import Plan
from search_stack.cohorts.rows import NONE, UNDATED, Ints, Rows, Unit, among
from search_stack.index.passage import day_number
from search_stack.query.fields import age_range
from search_stack.query.nodes import (
    AllOf,
    AnyOf,
    AtAge,
    AtLeast,
    During,
    Fact,
    FieldIs,
    Leaf,
    Near,
    Node,
    Not,
    Pick,
    Timed,
)
from search_stack.query.tree import is_filter, mapped


@dataclass(frozen=True, slots=True)
class Ask:
    """What the engine is asked for: the rows of a clause over passages, or over structured facts."""

    clause: Clause
    facts: bool = False


Source = Callable[[Sequence[Ask]], list[Rows]]


class People(Protocol):
    """What is known of patients besides their notes."""

    def ages(self, rows: Rows) -> Ints:
        """(N,): whole years at each row; negative where not known."""

    def encounters(self, notes: Ints) -> Ints:
        """(N,): a number of the encounter of each note, the same within one answer; negative where it has none."""


@dataclass(frozen=True, slots=True)
class Inside:
    """Where criteria are looked for: what the filters beside them leave."""

    passages: tuple[Clause, ...] = ()
    facts: tuple[Clause, ...] = ()
    filters: tuple[Node, ...] = ()
    """What made the clauses, the outermost first."""


@dataclass(slots=True)
class Evaluation:
    """One tree over one source. Asks for everything it may need first, so that it travels together.

    Args:
        unit: what a criterion that stands in another passage may share: a note or a patient.
    """

    plan: Plan
    unit: Unit
    source: Source
    people: People
    undated: set[int] = field(default_factory=set)
    """Notes whose evidence time left out for want of a date."""
    known: dict[tuple[Node, tuple[Node, ...], bool], Rows] = field(default_factory=dict)
    """Rows by node, filters around it and whether it is wanted: attrition comes by each criterion at every step."""
    timed: Evaluation | None = None
    """The same over patients, for criteria in time."""

    # --- who ---

    def units(self, node: Node, inside: Inside = Inside(), wanted: bool = True) -> Ints:
        """Patients or notes, sorted, that satisfy ``node``.

        A criterion holds where one passage shows it. A filter keeps its neighbours in the same bracket to the passages
        that it holds in, those that are excluded too; what is excluded must stand in none of them.
        """
        if is_filter(node) or isinstance(node, Timed | Leaf):
            return self._unit(self.rows(node, inside, wanted))
        if isinstance(node, AllOf):
            inner, rest = self._narrowed(node, inside)
            found: Ints | None = None
            for c in rest:
                if not isinstance(c, Not):
                    own = self.units(c, inner, wanted)
                    found = own if found is None else found[among(found, own)]
            if found is None:
                found = self._unit(self.rows_inside(inner))
            for c in rest:
                if isinstance(c, Not):
                    found = found[~among(found, self.units(c.child, inner, not wanted))]
            return found
        if isinstance(node, AnyOf):
            plain, rest = self._plain(node, inside, wanted)
            return _either([*(self._unit(r) for r in plain), *(self.units(c, inside, wanted) for c in rest)])
        everyone = self._unit(self.rows_inside(inside))
        return everyone[~among(everyone, self.units(node.child, inside, not wanted))]

    def evidence(self, node: Node, units: Ints, inside: Inside = Inside()) -> Rows:
        """The rows of ``units`` that show something asked for; of an exclusion alone, all that it was looked for in."""
        return self._shown(node, inside, units)

    def _shown(self, node: Node, inside: Inside, units: Ints) -> Rows:
        if is_filter(node) or isinstance(node, Timed | Leaf):
            return self.rows(node, inside).of_units(units, self.unit)
        if isinstance(node, AllOf):
            inner, rest = self._narrowed(node, inside)
            asked = [c for c in rest if not isinstance(c, Not)]
            if asked:
                return Rows.together([self._shown(c, inner, units) for c in asked])
            return self.rows_inside(inner).of_units(units, self.unit)
        if isinstance(node, AnyOf):
            plain, rest = self._plain(node, inside, wanted=True)
            own = [rows.of_units(units, self.unit) for rows in plain]
            return Rows.together([*own, *(self._shown(c, inside, units) for c in rest)])
        return self.rows_inside(inside).of_units(units, self.unit)

    def _narrowed(self, node: AllOf, inside: Inside) -> tuple[Inside, list[Node]]:
        filters = [c for c in node.children if is_filter(c)]
        return self.inside(filters, inside), [c for c in node.children if c not in filters]

    def inside(self, filters: Sequence[Node], outer: Inside = Inside()) -> Inside:
        """What ``filters`` leave of ``outer``."""
        return Inside(
            (*outer.passages, *(self.plan.passages(f) for f in filters)),
            (*outer.facts, *(c for f in filters if isinstance(f, FieldIs) and (c := self.plan.of_facts(f)))),
            (*outer.filters, *filters),
        )

    def rows_inside(self, inside: Inside) -> Rows:
        """All that the filters leave."""
        return self._read(Ask(all_clauses(inside.passages)))

    def _unit(self, rows: Rows) -> Ints:
        return rows.units(self.unit)

    def _read(self, ask: Ask) -> Rows:
        return self.source([ask])[0]

    # --- where ---

    def rows(self, node: Node, inside: Inside = Inside(), wanted: bool = True) -> Rows:
        """The evidence of ``node``; of several criteria together, where one note has them all."""
        key = node, inside.filters, wanted
        if key not in self.known:
            self.known[key] = self._rows(node, inside, wanted)
        return self.known[key]

    def _rows(self, node: Node, inside: Inside, wanted: bool) -> Rows:
        if is_filter(node):
            return self._read(Ask(all_clauses([*inside.passages, self.plan.passages(node)])))
        if isinstance(node, Fact) and self.unit == "patient":
            return self._facts(node, inside)
        if isinstance(node, Leaf):
            asked = self.plan.among_days(node, inside.filters)
            return self._read(Ask(all_clauses([*inside.passages, self.plan.holds(asked, wanted)])))
        if isinstance(node, Timed):
            return self._by_day()._timed(cast(Timed, mapped(node, self.plan.on_its_day)), inside)
        if isinstance(node, AnyOf):
            plain, rest = self._plain(node, inside, wanted)
            return Rows.together([*plain, *(self.rows(c, inside, wanted) for c in rest)])
        if isinstance(node, AllOf):
            return self._one_note(node, inside, wanted)
        everything = self.rows_inside(inside)
        return everything.of_notes(np.setdiff1d(everything.notes(), self.rows(node.child, inside, not wanted).notes()))

    def _facts(self, node: Fact, inside: Inside) -> Rows:
        fact = self.plan.fact(node)
        found = self._read(Ask(all_clauses([*inside.facts, fact]), facts=True))

        def told(leaf: FieldIs) -> Mask | None:
            if leaf.field == "age":
                held = time.at_age(found, self.people.ages(found), *age_range(leaf.value))
            elif clause := self.plan.of_facts(leaf):
                held = self._read(Ask(all_clauses([*inside.facts, fact, clause]), facts=True))
            else:
                return None
            return found.on_days_of(held)

        # A day, sex or cohort by itself is in the clause.
        open_ = (f for f in inside.filters if not isinstance(f, FieldIs) or f.field == "age")
        several = [may_hold(f, len(found), told) for f in open_]
        return found.where(np.logical_and.reduce(several)) if several else found

    def _plain(self, node: AnyOf, inside: Inside, wanted: bool) -> tuple[list[Rows], list[Node]]:
        """Alternatives that passages show one by one travel as one clause; the others are given back."""
        plain = [c for c in node.children if not _needs_more(c, self.unit)]
        if not plain:
            return [], list(node.children)
        clause = any_clause([self.plan.passages(c, wanted, inside.filters) for c in plain])
        read = self._read(Ask(all_clauses([*inside.passages, clause])))
        return [read], [c for c in node.children if c not in plain]

    def _one_note(self, node: AllOf, inside: Inside, wanted: bool) -> Rows:
        inner, rest = self._narrowed(node, inside)
        asked = [self.rows(c, inner, wanted) for c in rest if not isinstance(c, Not)] or [self.rows_inside(inner)]
        found = Rows.together([Rows.together(asked).of_notes(time.shared_notes(asked)), time.shared_facts(asked)])
        for c in rest:
            if isinstance(c, Not):
                gone = self.rows(c.child, inner, not wanted)
                found = found.where(~among(found.note, gone.notes()) & ~found.on_days_of(time.facts_of(gone)))
        return found

    def _by_day(self) -> Evaluation:
        """Time is evaluated with structured facts of their own days, whatever is counted: where notes are, a fact would
        else stand for every note of its patient, of whichever day."""
        if self.unit == "patient":
            return self
        if self.timed is None:
            self.timed = replace(self, unit="patient", known={})  # Tells of undated notes in one set.
        return self.timed

    def _timed(self, node: Timed, inside: Inside) -> Rows:
        if isinstance(node, AtLeast):
            found = self.rows(node.child, inside)
            return time.at_least(found if node.unit == "notes" else self._dated(found), node.number, node.unit)
        if isinstance(node, Pick):
            return time.pick(self._dated(self.rows(node.child, inside)), node.which)
        if isinstance(node, During):
            return time.during(self._dated(self.rows(node.child, inside)), _day(node.after), _day(node.before))
        if isinstance(node, AtAge):
            found = self.rows(node.child, inside)
            return time.at_age(found, self.people.ages(found), node.least, node.most)
        if isinstance(node, Near):
            return self._near(node, inside)
        asked = [self.rows(c, inside) for c in node.children if not isinstance(c, Not)] or [self.rows_inside(inside)]
        shut = [self.rows(c.child, inside, wanted=False) for c in node.children if isinstance(c, Not)]
        return self._together(node.by, asked, shut)

    def _near(self, node: Near, inside: Inside) -> Rows:
        """Of an anchor that is excluded, the rows that have none in that time."""
        anchor, shut = (node.anchor.child, True) if isinstance(node.anchor, Not) else (node.anchor, False)
        child, anchors = self.rows(node.child, inside), self.rows(anchor, inside, wanted=not shut)
        return time.near(self._dated(child), self._dated(anchors), node.least, node.most, shut)

    def _together(self, by: str, asked: Sequence[Rows], shut: Sequence[Rows]) -> Rows:
        """What is asked for in the groups that hold all of it, and nothing that is shut out."""
        several = [*asked, *shut]
        if by == "encounter":
            # All at once: an encounter has one number within an answer only.
            every = self.people.encounters(np.concatenate([r.note for r in several]))
            groups = np.split(every, np.cumsum([len(r) for r in several])[:-1])
        else:
            several = several if by == "note" else [self._dated(r) for r in several]
            groups = [time.groups_by(r, by) for r in several]
        return time.together(several[: len(asked)], groups[: len(asked)], several[len(asked) :], groups[len(asked) :])

    def _dated(self, rows: Rows) -> Rows:
        self.undated |= set(rows.note[rows.day == UNDATED].tolist())
        return time.dated(rows)


def _needs_more(node: Node, unit: Unit) -> bool:
    """Whether passages one by one cannot show it: it is made of several, or is a structured fact."""
    return not isinstance(node, Leaf) or (unit == "patient" and isinstance(node, Fact))


def _either(several: Sequence[Ints]) -> Ints:
    return np.unique(np.concatenate(several)) if several else NONE.patient


def _day(iso: str) -> int | None:
    return day_number(date.fromisoformat(iso)) if iso else None


def asks(evaluate: Callable[[Source], object]) -> list[Ask]:
    """All that ``evaluate`` asks its source for, whatever is found."""
    asked: dict[str, Ask] = {}

    def note(several: Sequence[Ask]) -> list[Rows]:
        asked.update((repr(a), a) for a in several)
        return [NONE] * len(several)

    evaluate(note)
    return list(asked.values())
