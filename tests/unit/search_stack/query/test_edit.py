"""Trees edited a step at a time, as the builder does: what each step asks for, and that nothing is lost by it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.core.amounts import Amount
from search_stack.query.edit import (
    added,
    brought_together,
    grouped,
    moved,
    negated,
    numbered,
    related,
    retimed,
    retold,
    shifted,
    sited,
    timed,
    turned,
    untimed,
)
from search_stack.query.nodes import (
    AllOf,
    AnyOf,
    AtLeast,
    FieldIs,
    Finding,
    Near,
    Node,
    Not,
    Pick,
    Timed,
    Together,
    Words,
)
from search_stack.query.timed import together
from search_stack.query.tree import QueryError, at, every, leaves, parts
from tests.unit.search_stack.query.trees import TREES

OVER = Amount(3.0, None, beyond=True)
A, B, C, D = (Finding(name) for name in ("asthma", "cough", "fever", "fracture"))
FEMALE, LETTER = FieldIs("sex", "female"), FieldIs("type", "letter")


@pytest.mark.parametrize(
    ("edited", "expected"),
    [
        (lambda: added(None, (), A), A),
        (lambda: added(A, (), B), AllOf((A, B))),
        (lambda: added(AllOf((A, B)), (), C), AllOf((A, B, C))),
        (lambda: added(AnyOf((A, B)), (), C), AnyOf((A, B, C))),
        (lambda: added(AllOf((A, AnyOf((B, C)))), (1,), D), AllOf((A, AnyOf((B, C, D))))),
        (lambda: added(AllOf((A, AnyOf((B, C)))), (1, 0), D), AllOf((A, AnyOf((AllOf((B, D)), C))))),
        (lambda: negated(AllOf((A, B)), (1,)), AllOf((A, Not(B)))),
        (lambda: negated(AllOf((A, Not(B))), (1,)), AllOf((A, B))),
        (lambda: turned(AllOf((A, B)), ()), AnyOf((A, B))),
        (lambda: turned(AllOf((A, AnyOf((B, C)))), (1,)), AllOf((A, B, C))),
        (lambda: numbered(AllOf((A, Not(B))), (1, 0), OVER), AllOf((A, Not(replace(B, amount=OVER))))),
        (lambda: numbered(Finding("x", "absent", ("y",)), (), OVER), Finding("x", "absent", (), OVER)),
        (lambda: numbered(Finding("x", amount=OVER), (), None), Finding("x")),
        (lambda: sited(AllOf((A, Not(B))), (1, 0), "left"), AllOf((A, Not(replace(B, site="left"))))),
        (lambda: sited(Finding("x", less=("y",)), (), "left knee"), Finding("x", site="left knee")),
        (lambda: sited(Finding("x", site="left"), (), ""), Finding("x")),
        (lambda: grouped(AllOf((A, B, C)), [(2,), (0,)], "any"), AllOf((AnyOf((A, C)), B))),
        (lambda: grouped(AllOf((A, B)), [(0,), (1,)], "any"), AnyOf((A, B))),
        (lambda: grouped(AnyOf((A, B, C)), [(0,), (1,)], "all"), AnyOf((AllOf((A, B)), C))),
        (lambda: related(AllOf((A, B, C)), [(0,), (2,)], 0, 30), AllOf((Near(0, 30, A, C), B))),
        (lambda: related(AllOf((Not(A), B)), [(0,), (1,)], 1, None), Not(Near(1, None, A, B))),
        (lambda: retimed(AllOf((A, Not(Near(0, 30, B, C)))), (1, 0), -7, None), AllOf((A, Not(Near(-7, None, B, C))))),
        (lambda: moved(AllOf((A, AnyOf((B, C)))), [(0,)], (1,)), AnyOf((B, C, A))),
        (lambda: moved(AllOf((A, AnyOf((B, C)))), [(1, 0)], ()), AllOf((A, C, B))),
        (lambda: moved(AllOf((A, B, C)), [(0,)], ()), AllOf((B, C, A))),
        (
            lambda: moved(AllOf((LETTER, FEMALE, AnyOf((A, B)), C)), [(0,), (1,)], (2,)),
            AllOf((AnyOf((A, B, LETTER, FEMALE)), C)),
        ),
        (lambda: moved(AllOf((A, B, C)), [(0,), (1,)], (2,)), AllOf((C, A, B))),
        (lambda: moved(AllOf((A, Not(B))), [(0,)], (1, 0)), Not(AllOf((B, A)))),
        (lambda: moved(AllOf((A, B, C)), [(2,)], (), 0), AllOf((C, A, B))),
        (lambda: moved(AllOf((A, B, C)), [(0,)], (), 2), AllOf((B, A, C))),
        (lambda: moved(AllOf((A, B, C)), [(0,)], (), 0), AllOf((A, B, C))),
        (lambda: moved(AllOf((A, AnyOf((B, C)))), [(1, 0)], (), 0), AllOf((B, A, C))),
        (lambda: shifted(AllOf((A, B, C)), (0,), 1), AllOf((B, A, C))),
        (lambda: shifted(AllOf((A, Not(AnyOf((B, C))))), (1, 0, 1), -1), AllOf((A, Not(AnyOf((C, B)))))),
    ],
)
def test_a_step(edited: Callable[[], Node], expected: Node) -> None:
    assert edited() == expected


@pytest.mark.parametrize(
    ("edited", "told"),
    [
        (lambda: turned(A, ()), "no group"),
        (lambda: numbered(AllOf((A, B)), (), OVER), "no finding"),
        (lambda: grouped(AllOf((A, B)), [(0,)], "any"), "in one group"),
        (lambda: grouped(AllOf((A, AnyOf((B, C)))), [(0,), (1, 0)], "any"), "in one group"),
        (lambda: related(AllOf((A, B, C)), [(0,), (1,), (2,)], 0, 30), "between two"),
        (lambda: moved(AllOf((A, AnyOf((B, C)))), [(1,)], (1, 0)), "into itself"),
        (lambda: shifted(AllOf((A, B)), (1,), 1), "moved further"),
        (lambda: shifted(Near(0, 1, A, B), (1,), -1), "moved further"),
        (lambda: shifted(A, (), 1), "moved further"),
        (lambda: retimed(AllOf((A, B)), (), 0, 1), "no relation"),
        (lambda: retimed(Near(0, 30, A, B), (), 2, 1), "leave nothing"),
    ],
)
def test_a_step_that_cannot_be(edited: Callable[[], Node], told: str) -> None:
    with pytest.raises(QueryError, match=told):
        edited()


def test_a_filter_is_moved_out_of_its_bracket() -> None:
    female = FieldIs("sex", "female")
    bracket = AllOf((A, AllOf((B, C, female))))
    assert set(leaves(moved(bracket, [(1, 2), (0,)], (1, 0)))) == {A, B, C, female}


@given(TREES, st.data())
def test_what_is_moved_and_what_stays_is_all_there(tree: Node, data: st.DataObject) -> None:
    places = list(_places(tree))
    chosen = data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=3, unique=True))
    free = [p for p in places if not any(p[: len(one)] == one for one in chosen)]
    if not free or any(isinstance(n, Timed) for n in every(tree)):
        return
    edited = moved(tree, chosen, data.draw(st.sampled_from(free)))
    assert set(leaves(edited)) == set(leaves(tree))


def _places(node: Node, here: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    return [here, *(p for n, part in enumerate(parts(node)) for p in _places(part, (*here, n)))]


def test_a_field_beside_another_value_of_it_is_an_alternative() -> None:
    tree = added(AllOf((A, FieldIs("section", "plan"))), (), FieldIs("section", "history"))
    assert at(tree, (1,)) == AnyOf((FieldIs("section", "plan"), FieldIs("section", "history")))
    assert added(AllOf((A, Words("x"))), (), Words("y")) == AllOf((A, Words("x"), Words("y")))


def first(node: Node) -> Node:
    return Pick("first", node)


def same_day(node: Node) -> Node:
    return together("day", parts(node))


@pytest.mark.parametrize(
    ("edited", "expected"),
    [
        (lambda: timed(AllOf((A, B)), (1,), first), AllOf((A, Pick("first", B)))),
        (lambda: timed(AllOf((A, Not(B))), (1,), first), AllOf((A, Not(Pick("first", B))))),
        (lambda: timed(Near(0, 30, A, B), (1,), first), Near(0, 30, A, Pick("first", B))),
        (lambda: timed(Near(0, 30, A, B), (), first), Pick("first", Near(0, 30, A, B))),
        (lambda: retold(AllOf((A, AtLeast(2, "notes", B))), (1,), first), AllOf((A, Pick("first", B)))),
        (lambda: retold(AllOf((A, Together("note", (B, C)))), (1,), same_day), AllOf((A, Together("day", (B, C))))),
        (lambda: untimed(AllOf((A, Pick("first", B))), (1,)), AllOf((A, B))),
        (lambda: untimed(AllOf((A, Near(0, 30, B, C))), (1,)), AllOf((A, B, C))),
        (lambda: untimed(AnyOf((A, Together("note", (B, C)))), (1,)), AnyOf((A, AllOf((B, C))))),
        (
            lambda: brought_together(AllOf((A, B, C)), [(2,), (0,)], same_day),
            AllOf((Together("day", (A, C)), B)),
        ),
        (lambda: added(Together("day", (A, B)), (), C), Together("day", (A, B, C))),
        (lambda: moved(AllOf((A, Together("day", (B, C)))), [(0,)], (1,)), Together("day", (B, C, A))),
        (lambda: moved(AllOf((A, Together("day", (B, C)))), [(1, 0)], ()), AllOf((A, C, B))),
        (lambda: shifted(Together("day", (A, B)), (0,), 1), Together("day", (B, A))),
    ],
)
def test_a_step_in_time(edited: Callable[[], Node], expected: Node) -> None:
    assert edited() == expected


@pytest.mark.parametrize(
    ("edited", "told"),
    [
        (lambda: timed(AllOf((A, FEMALE)), (1,), first), "no place in time"),
        (lambda: related(AllOf((A, FEMALE)), [(0,), (1,)], 0, 30), "no place in time"),
        (lambda: brought_together(AllOf((A, FEMALE)), [(0,), (1,)], same_day), "no place in time"),
        (lambda: brought_together(AllOf((A, B)), [(0,)], same_day), "in one group"),
        (lambda: added(Together("day", (A, B)), (), FEMALE), "no place in time"),
        (lambda: retold(Near(0, 30, A, B), (), first), "Nothing is said"),
        (lambda: retold(AllOf((A, B)), (1,), first), "Nothing is said"),
        (lambda: untimed(AllOf((A, B)), ()), "Nothing is said"),
    ],
)
def test_a_step_in_time_that_cannot_be(edited: Callable[[], Node], told: str) -> None:
    with pytest.raises(QueryError, match=told):
        edited()
