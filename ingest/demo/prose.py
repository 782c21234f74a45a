"""Templates of sentences: ``[one|another]`` is a choice, ``{name}`` a slot; both nest.

A choice deals its options like cards: none comes twice before all have come once, so
notes written from one template differ as much as the template allows. Choices that start
with the same ``@tag:`` belong together: within one patient they take the same place.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise

TAG = re.compile(r"@(\w+):")


class TemplateError(ValueError):
    """``words`` of the template are wrong."""

    def __init__(self, message: str, words: str, remedy: str) -> None:
        super().__init__(message)
        self.words, self.remedy = words, remedy


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
        TemplateError: a bracket or brace stands alone.
    """
    out: list[str] = []
    for kind, inner in _parts(template):
        if kind == "[":
            out.append(render(_choose(inner, chooser), lookup, chooser))
        elif kind == "{":
            out.append(render(lookup(inner), lookup, chooser))
        else:
            out.append(inner)
    return "".join(out)


def follow(template: str, lookup: Callable[[str], str], within: tuple[str, ...] = ()) -> None:
    """Goes through every option of every choice and slot of ``template``; ``within`` are slots it comes from.

    Raises:
        TemplateError: a bracket or brace stands alone, or a slot stands for nothing or for itself.
    """
    for kind, inner in _parts(template):
        if kind == "[":
            for option in _options(TAG.sub("", inner, count=1)):
                follow(option, lookup, within)
        elif kind == "{" and inner in within:
            raise TemplateError(f"{{{inner}}} stands for itself", f"{{{inner}}}", "Write its text there.")
        elif kind == "{":
            try:
                value = lookup(inner)
            except (KeyError, ValueError) as e:
                remedy = "Give the patients a fact of this name, or mend the name; README.md lists the others."
                raise TemplateError(f"{{{inner}}} stands for nothing", f"{{{inner}}}", remedy) from e
            follow(value, lookup, (*within, inner))


@cache
def _parts(template: str) -> tuple[tuple[str, str], ...]:
    """Plain text, choices and slots in turn: the bracket or brace, if any, and what it holds."""
    parts, at = [], 0
    while opened := re.compile(r"[\[{]").search(template, at):
        end = _closing(template, opened.start())
        parts += [("", _plain(template[at : opened.start()])), (opened[0], template[opened.end() : end])]
        at = end + 1
    return (*parts, ("", _plain(template[at:])))


def _plain(text: str) -> str:
    if stray := re.search(r"[\]}|]", text):
        words = text[max(0, stray.start() - 40) : stray.end()]
        raise TemplateError(f"{stray[0]} without a bracket before it", words, "Put the bracket in.")
    return text


def _closing(template: str, begin: int) -> int:
    if template[begin] == "{":
        end = template.find("}", begin)
    else:
        end = next((at for at, depth in enumerate(_depths(template[begin:]), start=begin) if not depth), -1)
    if end < 0:
        words = template[begin : begin + 40]
        raise TemplateError(f"bracket left open: {words[0]}", words, "Close it.")
    return end


@cache
def _options(inner: str) -> tuple[str, ...]:
    bars = (at for at, depth in enumerate(_depths(inner)) if inner[at] == "|" and not depth)
    return tuple(inner[a + 1 : b] for a, b in pairwise((-1, *bars, len(inner))))


def _depths(text: str) -> Iterator[int]:
    return accumulate((char == "[") - (char == "]") for char in text)


def _choose(inner: str, chooser: Chooser) -> str:
    tag = TAG.match(inner)
    if tag is None:
        return chooser.pick(_options(inner), inner)
    options = _options(inner[tag.end() :])
    return options[chooser.place(tag[1], len(options))]
