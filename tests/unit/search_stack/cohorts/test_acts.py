"""What was done before counts as done, but where days are compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from search_stack.cohorts.evaluate import Evaluation, asks
from search_stack.cohorts.plan import Plan
from search_stack.cohorts.rows import Ints, Rows
from search_stack.query.nodes import AllOf, AnyOf, AtLeast, FieldIs, Finding, Near, Node, Not, Pick
from tests import language

COLONOSCOPY, DONE, FEVER = Finding("colonoscopy"), Finding("colonoscopy", "done"), Finding("fever")
SINCE, LETTER = FieldIs("after", "2020-01-01"), FieldIs("type", "letter")


class Nobody:
    def ages(self, rows: Rows) -> Ints:
        return np.full(len(rows), -1)

    def encounters(self, notes: Ints) -> Ints:
        return np.full(len(notes), -1)


def asked(node: Node) -> str:
    """All that the engine is asked."""
    plan = Plan.of(node, language.lexicon())
    return str(asks(lambda source: Evaluation(plan, "patient", source, Nobody()).units(node)))


def clause(leaf: Finding) -> str:
    return str(Plan.of(leaf, language.lexicon()).holds(leaf))


@pytest.mark.parametrize(
    ("node", "of_its_day"),
    [
        (COLONOSCOPY, False),
        (AllOf((COLONOSCOPY, FEVER)), False),
        (AllOf((COLONOSCOPY, LETTER)), False),
        (AllOf((FEVER, Not(COLONOSCOPY))), False),
        (AllOf((COLONOSCOPY, SINCE)), True),
        (AllOf((AnyOf((COLONOSCOPY, FEVER)), SINCE)), True),
        (AllOf((AllOf((COLONOSCOPY, LETTER)), Not(SINCE))), True),
        (Near(0, 30, FEVER, COLONOSCOPY), True),
        (AtLeast(2, "days", COLONOSCOPY), True),
        (Pick("first", COLONOSCOPY), True),
        (AllOf((COLONOSCOPY, Near(1, 30, FEVER, FEVER))), False),
    ],
)
def test_an_act_of_before_is_none_of_its_notes_day(node: Node, of_its_day: bool) -> None:
    assert (clause(DONE) in asked(node), clause(COLONOSCOPY) in asked(node)) == (of_its_day, not of_its_day)


@pytest.mark.parametrize("wanted", [True, False])
def test_passages_alone_are_asked_likewise(wanted: bool) -> None:
    node: Sequence[Node] = (COLONOSCOPY if wanted else Not(COLONOSCOPY), SINCE)
    plan = Plan.of(AllOf(tuple(node)), language.lexicon())
    assert clause(DONE) in str(plan.passages())
    assert clause(COLONOSCOPY) not in str(plan.passages())
    assert clause(COLONOSCOPY) in str(Plan.of(node[0], language.lexicon()).passages())


def test_what_lasts_or_is_asked_for_as_past_is_what_it_was() -> None:
    for leaf in (FEVER, Finding("colonoscopy", "historical"), Finding("colonoscopy", "absent")):
        assert clause(leaf) in asked(AllOf((leaf, SINCE)))
