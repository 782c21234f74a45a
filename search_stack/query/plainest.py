"""A tree as a clinician would type it, where that reads back as exactly the same tree; elsewhere as `write` has it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Protocol

from search_stack.query.fact import fact_text
from search_stack.query.fields import BY_KEY, age_in_words, day_of, short_day
from search_stack.query.nodes import ANY, AllOf, AnyOf, Fact, FieldIs, Finding, Leaf, Node, Not, Timed, Words
from search_stack.query.timed import timed_line, timed_words
from search_stack.query.tree import NodePath, QueryError, parts
from search_stack.query.write import SAYS, called, write

TYPED = SAYS | {
    "absent": "no {}",
    "historical": "history of {}",
    "family": "family history of {}",
    "hypothetical": "risk of {}",
    "past": "previous {}",
}
"""How a finding is typed of which that is said."""
SEXES = {"female": "women", "male": "men"}
AGES = {">=": "at least {}", "<=": "at most {}", ">": "over {}", "<": "under {}", "": "aged {}"}
PEOPLE = frozenset(("sex", "age"))
JOINTS = (", ", "; ")
"""What parts criteria: behind a semicolon nothing is taken for said of more than it."""
MOST_PARTS = 24
"""Parts up to which fewer than all are tried: it costs up to two readings of the line for each."""


class Reading(Protocol):
    """What a line is found to say; of `search_stack.query.understand.Understood` what is looked at here."""

    @property
    def query(self) -> Node: ...
    @property
    def aside(self) -> Collection[str]: ...
    @property
    def notices(self) -> Collection[object]: ...


def plainest(node: Node, *reads: Callable[[str], Reading]) -> str:
    """The line in plain language that each of ``reads`` reads as exactly ``node``, with nothing left aside and nothing
    to be noticed; where there is none, as much of it in plain language as may be."""
    everywhere = frozenset(_places(node))

    def says_it(line: str) -> bool:
        try:
            found = (read(line) for read in reads)
            return all(one.query == node and not one.aside and not one.notices for one in found)
        except QueryError:
            return False

    for joint, brackets in product(JOINTS, (False, True)):
        if says_it(line := _Line(everywhere, joint, brackets).of(node)):
            return line
    if len(everywhere) > MOST_PARTS or not says_it(_Line(frozenset()).of(node)):
        return write(node)

    def with_more(plain: frozenset[NodePath], places: Sequence[NodePath]) -> frozenset[NodePath]:
        """``plain`` and those of ``places`` that can be beside it, half by half: most often all but a few can."""
        if says_it(_Line(plain.union(places)).of(node)):
            return plain.union(places)
        half = len(places) // 2
        return with_more(with_more(plain, places[:half]), places[half:]) if half else plain

    return _Line(with_more(frozenset(), sorted(everywhere))).of(node)


def _places(node: Node, here: NodePath = ()) -> Iterator[NodePath]:
    yield here
    for n, part in enumerate(parts(node)):
        yield from _places(part, (*here, n))


@dataclass(frozen=True, slots=True)
class _Line:
    """How a tree is written: in plain language what stands at the places of ``plain``."""

    plain: frozenset[NodePath]
    joint: str = JOINTS[0]
    brackets: bool = True
    """Around what is set in time beside or inside of other things."""

    def of(self, node: Node, here: NodePath = ()) -> str:
        plainly = here in self.plain
        if isinstance(node, AllOf):
            return self._all(node, here)
        within = {id(part): self._inside(part, (*here, n)) for n, part in enumerate(parts(node))}
        if isinstance(node, AnyOf):
            return (" or " if plainly else " OR ").join(within[id(part)] for part in node.children)
        if isinstance(node, Not):
            return self._none(node.child, within[id(node.child)]) if plainly else f"NOT {within[id(node.child)]}"
        if isinstance(node, Timed):
            return (timed_words if plainly else timed_line)(node, lambda part: within[id(part)])
        if not plainly:
            return write(node)
        return _leaf(node)

    def _inside(self, node: Node, here: NodePath) -> str:
        said = self.of(node, here)
        apart = isinstance(node, AllOf | AnyOf) or (isinstance(node, Timed) and self.brackets)
        return f"({said})" if apart else said

    def _none(self, child: Node, said: str) -> str:
        if isinstance(child, Finding) and child.assertion == ANY:
            return f"no mention of {called(child)}"
        return f"without {said}"

    def _all(self, node: AllOf, here: NodePath) -> str:
        """Fields and what is excluded behind what stands before them; sex and age before what they are asked with."""
        joint = " and " if here else self.joint
        out, before = "", False
        for n, part in enumerate(node.children):
            place = (*here, n)
            person = isinstance(part, FieldIs) and part.field in PEOPLE and place in self.plain
            said = self._inside(part, place)
            close = said.startswith(("without ", "NOT ")) or (isinstance(part, FieldIs) and person == before)
            between = "" if not n else " " if close else " with " if before else joint
            out, before = out + between + said, person
        return out


def _leaf(leaf: Leaf) -> str:
    if isinstance(leaf, Finding):
        placed = replace(leaf, name=f"{leaf.site} {leaf.name}", site="") if leaf.site else leaf
        return TYPED[leaf.assertion].format(called(placed))
    if isinstance(leaf, Words):
        return leaf.text
    if isinstance(leaf, Fact):
        return f"fact:{fact_text(leaf)}"
    return _field(leaf) if isinstance(leaf, FieldIs) else write(leaf)


def _field(leaf: FieldIs) -> str:
    if leaf.field == "sex":
        return SEXES.get(leaf.value, write(leaf))
    if leaf.field == "age":
        return age_in_words(leaf.value, AGES)
    if BY_KEY[leaf.field].is_day:
        return BY_KEY[leaf.field].says(short_day(day_of(leaf.value)))
    return write(leaf)
