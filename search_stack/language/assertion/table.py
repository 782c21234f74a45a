"""The triggers of `triggers.toml`, as a tree over their words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]")
SAYS = (
    "absent",
    "normal",
    "possible",
    "hypothetical",
    "historical",
    "family",
    "pseudo",
    "end",
    "statement",
    "relative",
)
WHERE = ("forward", "backward", "both")


@dataclass(frozen=True, slots=True)
class Trigger:
    says: str
    where: str
    reach: int = 0
    """Words that the scope is long, at most; 0 where the clause alone ends it."""
    final: bool = False
    """Only where the clause ends behind it."""
    initial: bool = False
    """Only where a sentence begins."""
    unless: tuple[str, ...] = ()
    """Words; it says nothing of a mention right before one of them."""
    settled: bool = False
    """Of a condition: a denial behind it settles it."""


@dataclass(slots=True)
class Node:
    """Words that go on, and the triggers that end here."""

    onward: dict[str, Node] = field(default_factory=dict)
    triggers: tuple[Trigger, ...] = ()


def words(phrase: str) -> list[str]:
    return TOKEN.findall(phrase.lower().replace("’", "'"))


@cache
def tree() -> Node:
    """Every phrase of the table, word by word from the root.

    Raises:
        ValueError: the table says what there is not.
    """
    raw = tomllib.loads((files("search_stack.language.assertion") / "triggers.toml").read_text(encoding="utf-8"))
    root = Node()
    for group in raw["triggers"]:
        options = {name: value for name, value in group.items() if name != "phrases"}
        trigger = Trigger(**options | {"unless": tuple(group.get("unless", ()))})
        if trigger.says not in SAYS or trigger.where not in WHERE:
            raise ValueError(f"triggers.toml: says {trigger.says}, where {trigger.where}: no such thing")
        for phrase in group["phrases"]:
            node = root
            for word in words(phrase):
                node = node.onward.setdefault(word, Node())
            node.triggers = tuple(dict.fromkeys((*node.triggers, trigger)))
    return root


def longest(tokens: Sequence[str], at: int, stop: int) -> tuple[int, tuple[Trigger, ...]]:
    """The end of the longest phrase from ``at`` to ``stop`` at most, and its triggers; else ``at`` and none."""
    node: Node | None = tree()
    found: tuple[Trigger, ...] = ()
    end = n = at
    while n < stop and node is not None:
        node = node.onward.get(tokens[n])
        n += 1
        if node is not None and node.triggers:
            end, found = n, node.triggers
    return end, found
