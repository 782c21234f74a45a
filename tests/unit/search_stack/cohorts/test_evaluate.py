"""Who satisfies a tree, by evidence that a dictionary holds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from search_stack.cohorts.clauses import EVERYTHING, Clause, all_clauses, any_clause
from search_stack.cohorts.evaluate import Ask, Evaluation, Unit, asks
from search_stack.cohorts.plan import Plan
from search_stack.cohorts.rows import NO_NOTE, NONE, UNDATED, Ints, Rows
from search_stack.query.nodes import (
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
    Together,
)
from search_stack.query.tree import is_timed

Row = tuple[int, int, int]
FEVER, COUGH, STROKE = Finding("fever"), Finding("cough"), Finding("stroke")
LETTER, SINCE = FieldIs("type", "letter"), FieldIs("after", "1970-01-04")
OLD = FieldIs("age", ">=60")
DIABETES = Fact("icd10", "E11")
IDS = {"fever": "fever", "cough": "cough", "stroke": "stroke"}
STANDING: dict[object, Clause] = {DIABETES: {"facts": "diabetes"}, OLD: {"ages": "old"}}
NOTES: dict[int, tuple[int, int]] = {
    11: (1, 1),
    12: (1, 5),
    13: (1, UNDATED),
    21: (2, 1),
    22: (2, 400),
    31: (3, 5),
    41: (4, UNDATED),
}
"""Patient and day of each note."""
AGES = {11: 50, 12: 60, 21: 61, 22: 62}
ENCOUNTERS = {11: 7, 12: 7, 21: 7, 22: 8}
BORN = {1: 40, 2: 70}
"""Ages at facts, by patient."""


def rows(*several: Row) -> Rows:
    return Rows.of(*zip(*several, strict=True)) if several else NONE


def of(*notes: int) -> Rows:
    return rows(*((*NOTES[n], n) for n in notes))


def ints(*values: int) -> Ints:
    return np.array(values, dtype=np.int64)


class Known:
    """What the ledger would say."""

    def ages(self, rows: Rows) -> Ints:
        return ints(
            *(
                BORN.get(p, -1) if n == NO_NOTE else AGES.get(n, -1)
                for p, n in zip(rows.patient.tolist(), rows.note.tolist(), strict=True)
            )
        )

    def encounters(self, notes: Ints) -> Ints:
        return ints(*(ENCOUNTERS.get(n, -1) for n in notes.tolist()))


class Held:
    """Rows by clause; what is not there must not be asked."""

    def __init__(self) -> None:
        self.rows: dict[str, Rows] = {}
        self.asked: list[str] = []

    @staticmethod
    def key(clause: Clause, facts: bool = False) -> str:
        return json.dumps([facts, clause], sort_keys=True)

    def __call__(self, several: Sequence[Ask]) -> list[Rows]:
        keys = [self.key(a.clause, a.facts) for a in several]
        self.asked += keys
        return [self.rows[k] for k in keys]


def plan(node: Node) -> Plan:
    return Plan(node, IDS, standing=STANDING)


def holding(
    leaves: Mapping[Leaf, Rows], facts: Rows = NONE, filters: Sequence[Node] = (), everything: Rows | None = None
) -> Held:
    """Passages of ``leaves`` in what ``filters`` leave, which is ``everything``; ``facts`` of diabetes."""
    held, made = Held(), plan(FEVER)
    inside = [made.passages(f) for f in filters]
    for leaf, found in leaves.items():
        held.rows[held.key(all_clauses([*inside, made.holds(leaf)]))] = found
    held.rows[held.key(all_clauses(inside))] = of(*NOTES) if everything is None else everything
    narrowed = [c for f in filters if isinstance(f, FieldIs) and (c := made.of_facts(f))]
    held.rows[held.key(all_clauses([*narrowed, made.fact(DIABETES)]), facts=True)] = facts
    return held


def evaluation(node: Node, unit: Unit, held: Held) -> Evaluation:
    return Evaluation(plan(node), unit, held, Known())


def units(node: Node, unit: Unit, held: Held) -> list[int]:
    found = evaluation(node, unit, held).units(node)
    return [int(n) for n in found]


def evidence(node: Node, unit: Unit, held: Held) -> list[int]:
    """Notes that show it; `NO_NOTE` for facts."""
    made = evaluation(node, unit, held)
    found = made.evidence(node, made.units(node))
    return sorted(set(found.note.tolist()))


FOUND: dict[Leaf, Rows] = {FEVER: of(11, 21, 31), COUGH: of(12, 21, 41), STROKE: of(22)}

# Sets


@pytest.mark.parametrize(
    ("node", "patients", "notes"),
    [
        (FEVER, [1, 2, 3], [11, 21, 31]),
        (AllOf((FEVER, COUGH)), [1, 2], [21]),
        (AllOf((FEVER, Not(COUGH))), [3], [11, 31]),
        (AllOf((Not(FEVER), Not(COUGH))), [], [13, 22]),
        (Not(FEVER), [4], [12, 13, 22, 41]),
        (Not(AllOf((FEVER, COUGH))), [3, 4], [11, 12, 13, 22, 31, 41]),
        (AllOf((FEVER, Not(AllOf((COUGH, STROKE))))), [1, 3], [11, 21, 31]),
    ],
)
def test_all_and_not(node: Node, patients: list[int], notes: list[int]) -> None:
    assert units(node, "patient", holding(FOUND)) == patients
    assert units(node, "note", holding(FOUND)) == notes


def test_plain_alternatives_travel_as_one_clause() -> None:
    node, held = AnyOf((FEVER, STROKE)), holding(FOUND)
    made = plan(node)
    held.rows[held.key(any_clause([made.holds(FEVER), made.holds(STROKE)]))] = of(11, 21, 22, 31)
    assert units(node, "patient", held) == [1, 2, 3]
    assert units(node, "note", held) == [11, 21, 22, 31]
    assert len(held.asked) == 2


def test_alternatives_that_need_more_are_asked_for_themselves() -> None:
    node = AnyOf((STROKE, AllOf((FEVER, Not(COUGH)))))
    assert units(node, "patient", holding(FOUND)) == [2, 3]
    assert units(node, "note", holding(FOUND)) == [11, 22, 31]
    assert evidence(node, "patient", holding(FOUND)) == [21, 22, 31]


def test_evidence_is_of_who_is_in_and_of_what_is_asked_for() -> None:
    assert evidence(AllOf((FEVER, COUGH)), "patient", holding(FOUND)) == [11, 12, 21]
    assert evidence(AllOf((FEVER, COUGH)), "note", holding(FOUND)) == [21]
    assert evidence(AllOf((FEVER, Not(COUGH))), "patient", holding(FOUND)) == [31]
    assert evidence(Not(FEVER), "patient", holding(FOUND)) == [41]


def test_a_filter_keeps_its_neighbours_and_what_is_excluded_to_its_passages() -> None:
    found: dict[Leaf, Rows] = {FEVER: of(11, 21), COUGH: of(21)}
    held = holding(found, filters=[LETTER], everything=of(11, 21, 22))
    assert units(AllOf((LETTER, FEVER, Not(COUGH))), "patient", held) == [1]
    assert units(AllOf((LETTER, Not(FEVER))), "note", held) == [22]
    assert units(LETTER, "patient", held) == [1, 2]
    assert evidence(AllOf((LETTER, Not(FEVER))), "note", held) == [22]


def test_a_filter_of_an_inner_bracket_is_its_own() -> None:
    held = holding({COUGH: of(21, 41)}, filters=[LETTER], everything=of(21, 41))
    held.rows |= holding({FEVER: of(11, 21, 31)}).rows
    node = AllOf((FEVER, AllOf((LETTER, COUGH))))
    assert units(node, "patient", held) == [2]


# Facts


def test_a_fact_of_a_patient_comes_from_the_facts_and_of_a_note_from_passages() -> None:
    facts = rows((1, 2, NO_NOTE), (4, UNDATED, NO_NOTE))
    node = AllOf((COUGH, DIABETES))
    held = holding(FOUND, facts)
    assert units(node, "patient", held) == [1, 4]
    assert evidence(node, "patient", holding(FOUND, facts)) == [NO_NOTE, 12, 41]
    held = holding({**FOUND, DIABETES: of(11, 12, 13, 41)})
    assert units(node, "note", held) == [12, 41]
    assert Held.key(plan(node).fact(DIABETES), facts=True) not in held.asked
    assert units(AllOf((FEVER, Not(DIABETES))), "patient", holding(FOUND, facts)) == [2, 3]


def test_a_fact_is_narrowed_by_days_and_ages_and_not_by_what_only_a_note_has() -> None:
    facts = rows((1, 2, NO_NOTE), (2, 9, NO_NOTE), (3, 9, NO_NOTE))
    held = holding({}, facts, [LETTER])
    assert units(AllOf((LETTER, DIABETES)), "patient", held) == [1, 2, 3]
    held = holding({}, rows((2, 9, NO_NOTE)), [SINCE])
    assert units(AllOf((SINCE, DIABETES)), "patient", held) == [2]
    assert plan(DIABETES).of_facts(SINCE) == {"range": {"day": {"gte": 3}}}
    before = FieldIs("before", SINCE.value)
    assert plan(DIABETES).of_facts(before) == {"range": {"day": {"gt": UNDATED, "lt": 3}}}
    held = holding({}, facts, [OLD])
    assert units(AllOf((OLD, DIABETES)), "patient", held) == [2]


def test_an_alternative_that_is_a_fact_is_asked_of_the_facts() -> None:
    facts = rows((4, 2, NO_NOTE))
    assert units(AnyOf((FEVER, DIABETES)), "patient", holding(FOUND, facts)) == [1, 2, 3, 4]


# Time


@pytest.mark.parametrize(
    ("node", "notes", "undated"),
    [
        (AtLeast(2, "notes", COUGH), [12, 13], set()),
        (AtLeast(2, "days", COUGH), [], {13, 41}),
        (Pick("first", COUGH), [12, 21], {13, 41}),
        (Pick("last", FEVER), [11, 22], set()),
        (During("1970-01-02", "1970-01-06", FEVER), [11, 21], set()),
        (During("", "1970-01-07", COUGH), [12, 21], {13, 41}),
        (Near(1, 30, COUGH, FEVER), [12], {13, 41}),
        (Near(None, -1, FEVER, COUGH), [11], {13, 41}),
        (AtAge(60, 61, COUGH), [12, 21], set()),
        (AtAge(None, None, COUGH), [12, 21], set()),
        (Together("note", (FEVER, COUGH)), [21], set()),
        (Together("day", (FEVER, COUGH)), [21], {13, 41}),
        (Together("year", (FEVER, COUGH)), [11, 12, 21], {13, 41}),
        (Together("encounter", (FEVER, COUGH)), [11, 12, 21], set()),
        (AtLeast(1, "notes", AllOf((FEVER, COUGH))), [21], set()),
        (AtLeast(1, "notes", AllOf((FEVER, Not(COUGH)))), [11, 22], set()),
        (AtLeast(1, "notes", Not(COUGH)), [11, 22, 31], set()),
        (Pick("first", AtLeast(2, "notes", COUGH)), [12], {13}),
    ],
)
def test_time(node: Node, notes: list[int], undated: set[int]) -> None:
    held = holding({FEVER: of(11, 21, 22), COUGH: of(12, 13, 21, 41)})
    made = evaluation(node, "patient", held)
    assert made.rows(node).notes().tolist() == notes
    assert made.undated == undated
    assert made.units(node).tolist() == sorted({NOTES[n][0] for n in notes})
    assert replace(made, unit="note").units(node).tolist() == notes


def test_a_fact_may_be_the_anchor_and_the_evidence() -> None:
    facts = rows((1, 2, NO_NOTE), (2, 300, NO_NOTE))
    held = holding(FOUND, facts)
    assert evidence(Near(1, 30, COUGH, DIABETES), "patient", held) == [12]
    assert evidence(AtAge(60, None, DIABETES), "patient", held) == [NO_NOTE]
    assert units(AtAge(60, None, DIABETES), "patient", held) == [2]
    assert units(Near(0, 5, DIABETES, FEVER), "patient", held) == [1]


def test_a_filter_reaches_into_what_time_compares() -> None:
    held = holding({FEVER: of(11), COUGH: of(12, 21)}, filters=[LETTER], everything=of(11, 12, 21))
    assert units(AllOf((LETTER, Near(1, 30, COUGH, FEVER))), "patient", held) == [1]


@pytest.mark.parametrize("coughs", [of(41), NONE], ids=["somebody coughs", "nobody coughs"])
def test_one_note_has_a_finding_and_either_a_fact_of_its_day_or_another_finding(coughs: Rows) -> None:
    # Patient 1 has a fact on the day of note 11; whether somebody else coughs must not matter to that.
    held = holding({FEVER: of(11), COUGH: coughs}, rows((1, 1, NO_NOTE)))
    assert units(Pick("first", AllOf((FEVER, AnyOf((DIABETES, COUGH))))), "patient", held) == [1]


# All beforehand

TREES: list[Node] = [
    FEVER,
    Not(AllOf((FEVER, COUGH))),
    AllOf((LETTER, FEVER, Not(COUGH))),
    AnyOf((STROKE, AllOf((FEVER, Not(COUGH))), DIABETES)),
    AllOf((SINCE, OLD, DIABETES, AtAge(60, 70, COUGH))),
    AllOf((Near(1, 30, Pick("first", COUGH), AtLeast(2, "days", FEVER)), Not(Together("year", (FEVER, STROKE))))),
    AllOf((LETTER, During("", "2000-01-01", AnyOf((FEVER, DIABETES))))),
    Together("encounter", (FEVER, AllOf((COUGH, Not(STROKE))))),
]


@pytest.mark.parametrize("unit", ["patient", "note"])
@pytest.mark.parametrize("node", TREES, ids=range(len(TREES)))
def test_all_that_is_asked_is_known_beforehand(node: Node, unit: Unit) -> None:
    """Also what only another answer makes matter."""

    def work(made: Evaluation) -> None:
        made.evidence(node, made.units(node))

    first = asks(lambda source: work(Evaluation(plan(node), unit, source, Known())))
    seen: list[Ask] = []

    def everybody(several: Sequence[Ask]) -> list[Rows]:
        seen.extend(several)
        return [rows((1, 5, NO_NOTE)) if a.facts else of(*NOTES) for a in several]

    work(Evaluation(plan(node), unit, everybody, Known()))
    keys = [Held.key(a.clause, a.facts) for a in first]
    assert len(keys) == len(set(keys))
    assert {Held.key(a.clause, a.facts) for a in seen} == set(keys)
    assert unit == "patient" or is_timed(node) or not any(a.facts for a in first)


def test_an_exclusion_alone_asks_for_everything() -> None:
    first = asks(lambda source: Evaluation(plan(Not(FEVER)), "patient", source, Known()).units(Not(FEVER)))
    assert Ask(EVERYTHING) in first
    assert len(first) == 2
