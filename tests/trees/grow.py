"""Random trees that something in a random collection may satisfy."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from datetime import timedelta

from search_stack.core.amounts import Amount
from search_stack.core.schema import DENIED, STATED
from search_stack.query.nodes import (
    ANY,
    TOGETHER,
    AtAge,
    AtLeast,
    During,
    FieldIs,
    Finding,
    Leaf,
    Near,
    Node,
    Phrase,
    Pick,
    Topic,
    Words,
)
from search_stack.query.timed import together
from search_stack.query.tree import all_of, any_of, is_filter, not_
from tests.trees.brute import is_kind_of
from tests.trees.collection import (
    ASPECTS,
    COLLECTIONS,
    DAYS,
    FIRST_DAY,
    HEADINGS,
    NUMBERS,
    OTHER_NAMES,
    PARENTS,
    SITES,
    TYPES,
    VOCABULARY,
    Plain,
)

FURTHER = 3
"""Trees that are looked through for each that is taken."""


def grown(rng: random.Random, among: Sequence[Plain], count: int) -> list[Node]:
    """The first ``count`` trees, and of those that follow each with an operator that is in none before it."""
    trees = [grow(rng, among) for _ in range(FURTHER * count)]
    out = trees[:count]
    seen = {name for tree in out for name in operators(tree)}
    for tree in trees[count:]:
        if new := operators(tree) - seen:
            out.append(tree)
            seen |= new
    return out


def operators(tree: Node) -> set[str]:
    """Kinds of nodes anywhere in ``tree``, with the field, the unit, the end or the span that each names."""
    return {_operator(node) for node in _nodes(tree)}


def _operator(node: Node) -> str:
    named = [getattr(node, name, "") for name in ("field", "unit", "which", "by")]
    if isinstance(node, Finding) and node.less:
        named.append("less" if any(name in PARENTS for name in node.less) else "by name")
    if isinstance(node, Finding) and node.amount:
        named.append("amount")
    if isinstance(node, Finding) and node.site:
        named.append("denied at a site" if node.assertion in DENIED else "site")
    return " ".join((type(node).__name__, *filter(None, named)))


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for field in fields(node):
        inner = getattr(node, field.name)
        for child in inner if isinstance(inner, tuple) else (inner,):
            if is_dataclass(child):
                yield from _nodes(child)


def grow(rng: random.Random, among: Sequence[Plain], depth: int = 3) -> Node:
    """A tree of at most ``depth`` levels over a leaf, in normal form."""
    kind = rng.choices(("leaf", "all", "any", "not", "time"), (2, 5, 3, 2, 3))[0]
    if not depth or kind == "leaf":
        return leaf(rng, among)
    if kind == "time":
        return timed(rng, among, depth - 1)
    if kind == "not":
        return not_(grow(rng, among, depth - 1))
    children = [grow(rng, among, depth - 1) for _ in range(rng.randint(2, 3))]
    return all_of(children) if kind == "all" else any_of(children)


def timed(rng: random.Random, among: Sequence[Plain], depth: int) -> Node:
    """A criterion in time; what stands in it asks for something."""
    parts = [_operand(rng, among, depth) for _ in range(3)]
    days = sorted(rng.randrange(-60, 60) for _ in range(2))
    first, last = sorted(FIRST_DAY + timedelta(days=rng.randrange(DAYS)) for _ in range(2))
    open_: tuple[int | None, ...] = (None, days[0])
    return rng.choice(
        (
            AtLeast(rng.choice((2, 3)), rng.choice(("notes", "days")), parts[0]),
            Pick(rng.choice(("first", "last")), parts[0]),
            During(first.isoformat(), rng.choice(("", (last + timedelta(days=1)).isoformat())), parts[0]),
            AtAge(rng.choice((None, 50)), rng.choice((None, 65)), parts[0]),
            Near(rng.choice(open_), days[1], parts[0], parts[1]),
            Near(rng.choice((0, 1, 200)), None, parts[0], parts[1]),
            together(rng.choice(TOGETHER), parts[: rng.choice((2, 3))]),
        )
    )


def _operand(rng: random.Random, among: Sequence[Plain], depth: int) -> Node:
    node = grow(rng, among, depth)
    return Finding(rng.choice(tuple(PARENTS))) if is_filter(node) else node


def leaf(rng: random.Random, among: Sequence[Plain]) -> Leaf:
    kind = rng.choices(("finding", "topic", "words", "phrase", "field"), (8, 2, 3, 1, 5))[0]
    if kind == "finding":
        name = rng.choice(tuple(PARENTS))
        said = rng.choice((*("present",) * 8, *STATED, ANY))
        if rng.random() < 0.2:
            return Finding(name, said, amount=_amount(rng), site=rng.choice(("", "", *SITES)))
        if rng.random() < 0.15:
            return Finding(name, said, site=rng.choice(SITES))
        narrower = [n for n in PARENTS if n != name and is_kind_of(n, name)]
        less = rng.sample(narrower, rng.choice((0, 0, rng.randint(0, len(narrower)))))
        less += [n for n in OTHER_NAMES.get(name, ()) if rng.random() < 0.25]
        return Finding(name, said, tuple(sorted(less)))
    if kind == "topic":
        return Topic(rng.choice(tuple(PARENTS)), rng.choice(("", *ASPECTS)))
    if kind == "words":
        return Words(rng.choice((*VOCABULARY, *VOCABULARY, "impression", "plan amber", "the ember", "the")))
    if kind == "phrase":
        return Phrase(" ".join(rng.choice(among).text.split()[1:3]))
    return _field(rng, among)


def _amount(rng: random.Random) -> Amount:
    number = rng.randrange(NUMBERS)
    sign = rng.choice(("<", "<=", ">", ">=", "="))
    return Amount.by_sign(sign, float(number), float(number + (rng.randrange(4) if sign == "=" else 0)), "")


def _field(rng: random.Random, among: Sequence[Plain]) -> FieldIs:
    some = rng.choice(among)
    day = FIRST_DAY + timedelta(days=rng.randrange(DAYS))
    return rng.choice(
        (
            FieldIs("section", rng.choice((*ASPECTS, *map(str.lower, HEADINGS)))),
            FieldIs("section", rng.choice(ASPECTS)),
            FieldIs("type", rng.choice(TYPES)),
            FieldIs("aspect", rng.choice(ASPECTS)),
            FieldIs("after", day.isoformat()),
            FieldIs("before", day.isoformat()),
            FieldIs("patient", some.patient),
            FieldIs("note", some.note_id),
            FieldIs("collection", rng.choice(COLLECTIONS)),
            FieldIs("sex", rng.choice(("female", "male"))),
            FieldIs("age", rng.choice((">60", "50-65", "<55"))),
        )
    )
