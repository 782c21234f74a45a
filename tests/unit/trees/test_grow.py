"""The trees that the engine is asked: none of their operators is left out, however few are taken."""

from __future__ import annotations

import random

from search_stack.query.nodes import AtLeast, FieldIs, Finding, Not, Together
from tests.trees.collection import collection
from tests.trees.grow import FURTHER, grow, grown, operators


def test_operators_are_told_apart_by_what_they_name() -> None:
    fever, where = Finding("fever"), FieldIs("section", "impression")
    assert operators(Together("day", (fever, Not(where)))) == {"Together day", "Finding", "Not", "FieldIs section"}
    assert operators(AtLeast(2, "notes", fever)) == {"AtLeast notes", "Finding"}


def test_the_few_trees_that_are_taken_have_every_operator_of_the_many() -> None:
    passages = collection(random.Random(1))
    for count in (5, 30):
        rng = random.Random(7)
        many = [grow(rng, passages) for _ in range(FURTHER * count)]
        few = grown(random.Random(7), passages, count)
        assert few[:count] == many[:count]
        assert len(few) < len(many)
        assert set().union(*map(operators, few)) == set().union(*map(operators, many))
