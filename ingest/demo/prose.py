"""Templates of sentences: ``[one|another]`` is a choice, ``{name}`` a slot; both nest.

A choice deals its options like cards: none comes twice before all have come once, so
notes written from one template differ as much as the template allows. Choices that start
with the same ``@tag:`` belong together: within one patient they take the same place.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

TAG = re.compile(r"@(\w+):")


class Chooser:
    """Deals options and draws numbers; the same seed gives the same text."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self._decks: dict[str, list[str]] = {}
        self._places: dict[str, int] = {}

    def pick(self, options: Sequence[str], key: str = "") -> str:
        """Next card of the deck that ``key`` (or the options themselves) names."""
        deck = self._decks.setdefault(key or "|".join(options), [])
        if not deck:
            deck.extend(options)
            self.rng.shuffle(deck)
        return deck.pop()

    def place(self, tag: str, count: int) -> int:
        """The place, 0 to ``count`` - 1, that choices with this tag take for the present patient."""
        if tag not in self._places:
            self._places[tag] = int(self.pick([str(i) for i in range(count)], f"@{tag}"))
        return self._places[tag]

    def next_patient(self) -> None:
        self._places.clear()


def render(template: str, lookup: Callable[[str], str], chooser: Chooser) -> str:
    """Text of ``template``; ``lookup`` gives the value of a slot, which may itself be a template.

    Raises:
        ValueError: a bracket or brace is left open.
    """
    out: list[str] = []
    at = 0
    while at < len(template):
        if template[at] == "[":
            end = _closing(template, at)
            out.append(render(_choose(template[at + 1 : end], chooser), lookup, chooser))
        elif template[at] == "{":
            end = template.index("}", at)
            out.append(render(lookup(template[at + 1 : end]), lookup, chooser))
        else:
            end = at
            out.append(template[at])
        at = end + 1
    return "".join(out)


def _choose(inner: str, chooser: Chooser) -> str:
    tag = TAG.match(inner)
    if tag is None:
        return chooser.pick(_options(inner), inner)
    options = _options(inner[tag.end() :])
    return options[chooser.place(tag[1], len(options))]


def _closing(template: str, begin: int) -> int:
    depth = 0
    for at in range(begin, len(template)):
        depth += {"[": 1, "]": -1}.get(template[at], 0)
        if not depth:
            return at
    raise ValueError(f"bracket left open: {template[begin : begin + 40]!r}")


def _options(inner: str) -> list[str]:
    options, depth = [""], 0
    for char in inner:
        depth += {"[": 1, "]": -1}.get(char, 0)
        if char == "|" and not depth:
            options.append("")
        else:
            options[-1] += char
    return options
