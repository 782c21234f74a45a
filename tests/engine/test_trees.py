"""Random trees over random collections: what the engine counts and lists is what a look at every passage finds."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pytest

from search_stack.cohorts import facets
from search_stack.cohorts.evaluate import Unit
from search_stack.core.reach import NOTHING, Reach
from search_stack.core.settings import Settings
from search_stack.inference.models import Encoder
from search_stack.query.nodes import ANY, AllOf, AnyOf, Finding, Node, Not
from search_stack.query.tree import DEEPEST, all_of, any_of, not_
from search_stack.query.write import readable
from search_stack.retrieval import dsl
from search_stack.retrieval.answer import SCOPES, Answer, Group, Scope
from search_stack.retrieval.searcher import Searcher
from tests.trees import brute
from tests.trees.collection import COLLECTIONS, Plain, collection
from tests.trees.grow import grown, leaf
from tests.trees.indexed import indexed

pytestmark = pytest.mark.engine
SEEDS = (1, 8, 13)
TREES = int(os.environ.get("TREES", "30"))
"""Of each seed at least, each in every scope; ``make trees`` takes more than 2,000 cases."""
DEPTH = 40
"""Candidates of each stage: fewer than most trees count, so that the list goes on behind those that are ranked."""

COUNTED = (dsl.WHOLE, dsl.FILTERS)
"""What a hit that is counted says of itself."""


@dataclass(frozen=True)
class World:
    """A collection in an index of its own, and trees to ask it."""

    passages: tuple[Plain, ...]
    searcher: Searcher
    trees: list[Node]


@pytest.fixture(scope="module", params=SEEDS)
def world(request: pytest.FixtureRequest, stack: Settings, encoder: Encoder) -> Iterator[World]:
    rng = random.Random(request.param)
    passages = collection(rng)
    settings = stack.model_copy(update={"candidate_depth": DEPTH})
    with indexed(passages, settings, encoder) as searcher:
        yield World(passages, searcher, grown(rng, passages, TREES))


@pytest.mark.parametrize("scope", SCOPES)
def test_a_tree_counts_and_lists_what_a_look_at_every_passage_finds(scope: Scope, world: World) -> None:
    unit = brute.UNITS[scope]
    there = {str(unit(p)) for p in world.passages}
    telling = 0
    for number, tree in enumerate(world.trees):
        found = brute.counted(tree, world.passages, scope)
        expected = {str(unit(p)) for p in found}
        telling += expected not in (set(), there)
        size = 100 if number % 3 else 30
        answer = world.searcher.search(tree, scope, size=size)
        assert_counts(answer, tree, world, found)
        assert_list(listed(world.searcher, answer, size), answer, expected, found)
        at_a_time = 500 if number % 2 else 40
        assert_everything(list(world.searcher.everything(tree, scope, at_a_time)), tree, expected, found)
    # Many trees tell some from others, so that the two do not agree by finding all or nothing.
    assert telling > 0.4 * len(world.trees)


@pytest.mark.parametrize("scope", SCOPES)
def test_within_a_collection_nothing_else_is_there(scope: Scope, world: World) -> None:
    """Hits, counts, facets and lists are those of a look at the passages of that collection only."""
    near = replace(
        world,
        passages=tuple(p for p in world.passages if p.collection == COLLECTIONS[0]),
        searcher=world.searcher.within(Reach(frozenset(COLLECTIONS[:1])), None),
    )
    unit = brute.UNITS[scope]
    fewer = 0
    for number, tree in enumerate(near.trees):
        found = brute.counted(tree, near.passages, scope)
        fewer += len(found) < len(brute.counted(tree, world.passages, scope))
        expected = {str(unit(p)) for p in found}
        answer = near.searcher.search(tree, scope, size=100)
        assert_counts(answer, tree, near, found)
        groups = listed(near.searcher, answer, 100)
        assert_list(groups, answer, expected, found)
        assert {h.collection for g in groups for h in g.hits} <= {COLLECTIONS[0]}
        if number % 4 == 0:
            assert_everything(list(near.searcher.everything(tree, scope)), tree, expected, found)
            world.searcher.search(tree, scope)  # what one remembers is nothing to the other
    assert fewer > 0.4 * len(near.trees)
    nowhere = world.searcher.within(NOTHING, None)
    assert nowhere.search(Finding("fever", ANY), scope).counts.passages == 0
    offered = {c.line: c.passages for c in nowhere.complete("fev")}
    assert set(offered.values()) == {0}
    offered = {c.line: c.passages for c in near.searcher.complete("fev")}
    assert offered["fever"] == len(brute.counted(Finding("fever"), near.passages, "passage"))


def assert_counts(answer: Answer, tree: Node, world: World, found: Sequence[Plain]) -> None:
    said = f"{answer.scope}: {readable(tree)}"
    counts = answer.counts
    assert (counts.passages, counts.notes, counts.patients) == brute.numbers(found), said
    assert counts.undated_notes == brute.undated(tree, world.passages, answer.scope), said
    assert answer.criteria == brute.alone(tree, world.passages, answer.scope), said
    for name in dsl.FACETS if answer.scope == "passage" else (*dsl.FACETS, "sex", "age"):
        assert {v.value: v.count for v in answer.facets[name]} == brute.facet(found, name, answer.scope), (name, said)


@pytest.mark.parametrize("unit", ["note", "patient"])
def test_the_patients_of_a_cohort_are_counted_by_value(
    unit: Unit, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facets, "PAGE", 50)
    for tree in world.trees[::4]:
        shown = brute.counted(tree, world.passages, unit)
        found, _, told = world.searcher.described(tree, unit)
        assert len(found.patients) == len({p.patient for p in shown})
        counted = {name: {v.value: v.patients for v in values} for name, values in told.items()}
        assert counted == brute.of_patients(shown, world.passages), readable(tree)


def listed(searcher: Searcher, first: Answer, size: int) -> list[Group]:
    """The groups of all pages; there is no page behind the last."""
    groups = list(first.groups)
    pages = max(1, first.pages)
    for page in range(2, pages + 1):
        groups += searcher.search(first.query, first.scope, page, size).groups
    if pages > 1:
        assert searcher.search(first.query, first.scope, pages + 1, size).groups == ()
    return groups


def assert_list(groups: Sequence[Group], answer: Answer, expected: set[str], found: Sequence[Plain]) -> None:
    """Each counted one once, shown by a passage that satisfies the query; then each that comes close."""
    said = f"{answer.scope}: {readable(answer.query)}"
    keys = [g.key for g in groups]
    assert len(keys) == len(set(keys)) == answer.listed == len(expected) + answer.close, said
    assert set(keys[: len(expected)]) == expected, said
    shown = {p.id for p in found}
    for group in groups:
        first, *_ = group.hits
        assert (first.passage_id in shown) == (group.key in expected) == (first.matched in COUNTED), said


def assert_everything(groups: Sequence[Group], tree: Node, expected: set[str], found: Sequence[Plain]) -> None:
    """Each counted one once, with all its passages that satisfy the query."""
    keys = [g.key for g in groups]
    assert len(keys) == len(set(keys)), readable(tree)
    assert set(keys) == expected, readable(tree)
    assert sorted(h.passage_id for g in groups for h in g.hits) == sorted(p.id for p in found), readable(tree)


def test_trees_as_deep_as_they_may_be_are_answered(world: World) -> None:
    rng = random.Random(len(world.passages))
    tree: Node = Finding("fever")
    while depth(tree) < DEEPEST:
        more = leaf(rng, world.passages)
        tree = rng.choice((all_of, any_of))([not_(tree) if rng.random() < 0.2 else tree, more])
    for scope in SCOPES:
        found = brute.counted(tree, world.passages, scope)
        assert_counts(world.searcher.search(tree, scope), tree, world, found)


def depth(node: Node) -> int:
    if isinstance(node, AllOf | AnyOf):
        return 1 + max(map(depth, node.children))
    return 1 + depth(node.child) if isinstance(node, Not) else 0
