"""Who is asked for by an operation that leaves something: whoever has had it, then or since. "Kidney transplant" is
present in notes of the stay in which it was done, and past in all later ones."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files

from search_stack.language.lexicon.concepts import Concept, Lexicon
from search_stack.query.fields import BY_KEY
from search_stack.query.nodes import ANY, AllOf, AnyOf, FieldIs, Finding, Leaf, Node, Timed
from search_stack.query.tree import any_of, every, is_filter, leaves, parts, rebuilt

NOW, BEFORE = "present", "historical"
_KINDS = ("procedure", "device")
_OF_NOW = re.compile(
    r"\b(?:this\s+(?:admission|stay|visit|encounter|hospitali[sz]ation|time)|today|tonight|undergoing|undergoes"
    r"|(?:now|in|here|admitted|presents|presenting|listed|scheduled|consented|booked)\s+for)\b",
    re.IGNORECASE,
)
"""That the operation of these days is meant, and none of before: "CABG this admission", "now for AVR"."""
_ELSE = frozenset(("", BEFORE, "absent", ANY))
"""What else may be asked of it so that its being there is asked alone; the first is that time is compared."""


@dataclass(frozen=True, slots=True)
class _Table:
    named: re.Pattern[str]
    but: re.Pattern[str]
    ids: frozenset[str]


def or_before(query: Node, lexicon: Lexicon, is_open: Callable[[Finding], bool]) -> Node:
    """``query`` with every such operation that is asked for as there, and of which nothing else is asked, as there or
    past; but where time is compared, which is that of the notes. Only leaves that are ``is_open`` change."""
    names = _names(lexicon)
    if not any(isinstance(leaf, Finding) and leaf.name in names for leaf in leaves(query)):
        return query
    said = _asked(query)

    def meant(leaf: Leaf) -> Node:
        if not isinstance(leaf, Finding) or leaf.assertion != NOW or leaf.name not in names:
            return leaf
        alone = said[leaf.name].isdisjoint(_ELSE) and is_open(leaf)
        return any_of((leaf, replace(leaf, assertion=BEFORE))) if alone else leaf

    return _changed(query, meant)


@lru_cache(maxsize=2)
def _names(lexicon: Lexicon) -> frozenset[str]:
    """How trees name such operations."""
    return frozenset(
        lexicon.name_of(concept.id)
        for concept in lexicon.concepts.values()
        if concept.kind in _KINDS and leaves_something(concept, lexicon)
    )


def is_of_now(line: str) -> bool:
    """Whether ``line`` speaks of an operation that is being done, so that one of before is none that it asks for.

    >>> is_of_now("hip replacement this admission"), is_of_now("hip replacement and gout")
    (True, False)
    """
    return _OF_NOW.search(line) is not None


def leaves_something(concept: Concept, lexicon: Lexicon) -> bool:
    """Whether who has had what ``concept`` names has something of it for good."""
    table = _table()
    if table.but.search(concept.name):
        return False
    if concept.kind == "procedure" and table.named.search(concept.name):
        return True
    return not table.ids.isdisjoint({concept.id, *lexicon.ancestors(concept.id)})


def _asked(query: Node) -> dict[str, set[str]]:
    """By name what is asked of it, and that time is compared: "a pacemaker and a pneumothorax after it"."""
    said: dict[str, set[str]] = {}
    for node in every(query):
        for leaf in leaves(node) if isinstance(node, Timed | Finding) else ():
            if isinstance(leaf, Finding):
                said.setdefault(leaf.name, set()).add("" if isinstance(node, Timed) else leaf.assertion)
    return said


def _changed(node: Node, change: Callable[[Leaf], Node]) -> Node:
    if isinstance(node, Leaf):
        return change(node)
    if isinstance(node, Timed) or (isinstance(node, AllOf | AnyOf) and any(map(_is_dated, node.children))):
        return node
    return rebuilt(node, [_changed(part, change) for part in parts(node)]) or node


def _is_dated(node: Node) -> bool:
    """Whether it says on which days notes must be."""
    return is_filter(node) and any(isinstance(leaf, FieldIs) and BY_KEY[leaf.field].is_day for leaf in leaves(node))


@cache
def _table() -> _Table:
    raw = tomllib.loads((files("search_stack.query") / "left_behind.toml").read_text(encoding="utf-8"))
    named, but = (re.compile(rf"\b{raw[key]}\b", re.IGNORECASE) for key in ("named", "but"))
    return _Table(named, but, frozenset(raw["ids"].split()))
