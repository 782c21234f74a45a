"""How a line may go on: whole lines, each of which is read as what it says, with what it would count."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from search_stack.language.lexicon.completion import starting
from search_stack.language.lexicon.concepts import folded
from search_stack.query.asked import EXAMPLES
from search_stack.query.fields import BY_KEY
from search_stack.query.nodes import FieldIs, Finding, Leaf, Node, Topic
from search_stack.query.tree import QueryError, leaves
from search_stack.query.understand import Understanding
from search_stack.query.write import write

WORDS = 3
"""Words before the end of the line that may begin a name, at most."""
LONGEST = 300
_FIELD = re.compile(r"(?:^|(?<=[\s(-]))(?P<key>[a-z]+):(?P<value>\"[^\"]*|[^\s\"]*)$", re.IGNORECASE)
_LAST = re.compile(r"[^\s()\"]+$")


@dataclass(frozen=True, slots=True)
class Completion:
    """A line, what is added to it, and the passages that the line would count."""

    line: str
    kind: str
    passages: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line that goes on from what was typed; ``query`` is None where it is not whole yet, as "section:"."""

    line: str
    kind: str
    query: Node | None


def field_typed(start: str) -> tuple[str, str, str] | None:
    """The field that is being typed at the end, as what stands before it, its key and the value so far."""
    found = _FIELD.search(start)
    if not found or found["key"].lower() not in EXAMPLES:
        return None
    return start[: found.start()], found["key"].lower(), found["value"].strip('"')


def candidates(
    start: str, understanding: Understanding, values: Sequence[str] = (), size: int = 8
) -> Iterator[Candidate]:
    """Lines that go on from ``start``, at most ``size``; ``values`` are those of the field that is being typed.

    A line that would not be read as what it adds is not offered.
    """
    if len(start) > LONGEST:
        return
    offered: list[tuple[str, str, Leaf | None]] = []
    if typed := field_typed(start):
        before, key, begun = typed
        offered += _values(before, key, begun, values, understanding, size)
    else:
        offered += _names(start, understanding, size)
        offered += _keys(start)
    found = 0
    for line, kind, leaf in offered:
        if found == size:
            return
        query = _read(line, understanding, leaf)
        if query is not None or leaf is None:
            found += 1
            yield Candidate(line, kind, query)


def _values(
    before: str, key: str, begun: str, values: Sequence[str], understanding: Understanding, size: int
) -> Iterator[tuple[str, str, Leaf | None]]:
    if key in BY_KEY:
        for value in values:
            if value.casefold().startswith(begun.casefold()) and value.strip() and '"' not in value:
                leaf: Leaf = FieldIs(key, value)
                yield before + write(leaf), key, leaf
        return
    for _, id in starting(understanding.lexicon, begun, size):
        name = understanding.lexicon.concepts[id].name
        leaf = Topic(name) if key == "entity" else Finding(name)
        yield before + write(leaf), key, leaf


def _names(start: str, understanding: Understanding, size: int) -> Iterator[tuple[str, str, Leaf | None]]:
    """Names that go on from the last words, the most words that begin one."""
    words = re.split(r"(?<=\s)", start)
    for take in range(min(WORDS, len(words)), 0, -1):
        tail = "".join(words[-take:]).lstrip('-("')
        found = starting(understanding.lexicon, tail, size) if tail.strip() else []
        for name, id in found:
            concept = understanding.lexicon.concepts[id]
            called = concept.kind if name == folded(concept.name) else f"{concept.kind}: {concept.name}"
            yield start[: len(start) - len(tail)] + name, called, Finding(concept.name)
        if found:
            return


def _keys(start: str) -> Iterator[tuple[str, str, Leaf | None]]:
    last = _LAST.search(start)
    if last and len(last[0].lstrip("-")) > 1:
        begun = last[0].lstrip("-").lower()
        for key, example in EXAMPLES.items():
            if key.startswith(begun) and key != begun:
                yield f"{start[: len(start) - len(begun)]}{key}:", f"field, as in {example}", None


def _read(line: str, understanding: Understanding, leaf: Leaf | None) -> Node | None:
    """What the line means, where it holds ``leaf``."""
    if leaf is None:
        return None
    try:
        query = understanding.understand(line).query
    except QueryError:
        return None
    return query if any(_is(one, leaf) for one in leaves(query)) else None


def _is(one: Leaf, wanted: Leaf) -> bool:
    if isinstance(one, Finding) and isinstance(wanted, Finding):
        return one.name == wanted.name
    return one == wanted
