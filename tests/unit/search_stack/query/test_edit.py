"""Trees edited a step at a time, as the builder does: what each step asks for, and that nothing is lost by it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.query.edit import added, grouped, moved, negated, related, retimed, shifted, turned
from search_stack.query.nodes import AllOf, AnyOf, FieldIs, Finding, Near, Node, Not, Timed, Words
from search_stack.query.tree import QueryError, at, every, leaves, parts
from tests.unit.search_stack.query.trees import TREES

A, B, C, D = (Finding(name) for name in ("asthma", "cough", "fever", "fracture"))


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
        (lambda: grouped(AllOf((A, B, C)), [(2,), (0,)], "any"), AllOf((AnyOf((A, C)), B))),
        (lambda: grouped(AllOf((A, B)), [(0,), (1,)], "any"), AnyOf((A, B))),
        (lambda: grouped(AnyOf((A, B, C)), [(0,), (1,)], "all"), AnyOf((AllOf((A, B)), C))),
        (lambda: related(AllOf((A, B, C)), [(0,), (2,)], 0, 30), AllOf((Near(0, 30, A, C), B))),
        (lambda: retimed(AllOf((A, Not(Near(0, 30, B, C)))), (1, 0), -7, None), AllOf((A, Not(Near(-7, None, B, C))))),
        (lambda: moved(AllOf((A, AnyOf((B, C)))), [(0,)], (1,)), AnyOf((B, C, A))),
        (lambda: moved(AllOf((A, AnyOf((B, C)))), [(1, 0)], ()), AllOf((A, C, B))),
        (lambda: moved(AllOf((A, B, C)), [(0,)], ()), AllOf((B, C, A))),
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
