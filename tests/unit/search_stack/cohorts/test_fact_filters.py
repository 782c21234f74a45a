"""Filters of several fields over structured facts: what may hold, by the definition in plain Python."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from search_stack.cohorts.fact_filters import Mask, may_hold
from search_stack.query.nodes import AllOf, AnyOf, FieldIs, Node, Not

SEX, AGE, TYPE = FieldIs("sex", "female"), FieldIs("age", "<60"), FieldIs("type", "letter")
FACTS = list(product((True, False), repeat=2))
"""Of each, whether it is a woman's and whether she is younger than 60."""


def told(leaf: FieldIs) -> Mask | None:
    place = {"sex": 0, "age": 1}.get(leaf.field)
    return None if place is None else np.array([fact[place] for fact in FACTS])


def may(node: Node, fact: tuple[bool, bool], kind: bool) -> bool:
    """Whether ``node`` holds of ``fact``, were it in a letter or not."""
    if isinstance(node, Not):
        return not may(node.child, fact, kind)
    if isinstance(node, AllOf):
        return all(may(c, fact, kind) for c in node.children)
    if isinstance(node, AnyOf):
        return any(may(c, fact, kind) for c in node.children)
    return {"sex": fact[0], "age": fact[1], "type": kind}[node.field] if isinstance(node, FieldIs) else False


@pytest.mark.parametrize(
    "node",
    [
        AnyOf((SEX, AGE)),
        AllOf((SEX, AGE)),
        Not(AllOf((SEX, AGE))),
        Not(AGE),
        AllOf((SEX, Not(TYPE))),
        Not(AllOf((SEX, TYPE))),
        AnyOf((SEX, TYPE)),
        Not(AnyOf((SEX, TYPE))),
        AnyOf((AllOf((SEX, TYPE)), Not(AGE))),
    ],
)
def test_a_fact_stays_where_what_it_cannot_tell_may_let_it(node: Node) -> None:
    expected = [any(may(node, fact, kind) for kind in (True, False)) for fact in FACTS]
    assert may_hold(node, len(FACTS), told).tolist() == expected
