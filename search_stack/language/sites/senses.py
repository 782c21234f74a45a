"""Another concept than its name stands for, by where it is, by ``senses.toml``: an effusion in the knee."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from search_stack.core.sites import split
from search_stack.language.alternation import any_of
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.mention import Mention
from search_stack.language.sites.table import wider

BEFORE, BEHIND = 120, 60
"""Characters around a mention in which words may tell."""


@dataclass(frozen=True, slots=True)
class Sense:
    """One row."""

    instead: str
    within: frozenset[str]
    words: re.Pattern[str]
    unless: re.Pattern[str]

    def holds(self, mention: Mention, around: str) -> bool:
        """Whether its sites, or else the words ``around`` it, say that it is this."""
        if parts := [part for _, part in map(split, mention.sites) if part]:
            return any(not self.within.isdisjoint(wider(part)) for part in parts)
        return self.words.search(around) is not None and self.unless.search(around) is None


def read_senses() -> list[dict[str, Any]]:
    """The rows as they stand in the file, with their examples."""
    text = (files("search_stack.language.sites") / "senses.toml").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = tomllib.loads(text)["rows"]
    return rows


@cache
def senses() -> dict[tuple[str, str], tuple[Sense, ...]]:
    """By concept and the one name by which it stands there."""
    out: dict[tuple[str, str], tuple[Sense, ...]] = {}
    for row in read_senses():
        sense = Sense(row["instead"], frozenset(row["within"]), _pattern(row["words"]), _pattern(row["unless"]))
        out[row["concept"], row["name"]] = (*out.get((row["concept"], row["name"]), ()), sense)
    return out


def sense_by_site(text: str, mention: Mention, lexicon: Lexicon, asked: bool) -> Mention:
    """``mention`` as one of the concept that its words stand for where it is; ``asked``: the sites alone tell it."""
    known = senses().get((mention.concept, mention.names[0])) if len(mention.names) == 1 else None
    if not known:
        return mention
    around = "" if asked else _around(text, mention)
    found = (s.instead for s in known if s.instead in lexicon.concepts and s.holds(mention, around))
    other = next(found, None)
    return replace(mention, concept=other, names=()) if other else mention


def _around(text: str, mention: Mention) -> str:
    """The words around it in its paragraph."""
    before = text[max(0, mention.begin - BEFORE) : mention.begin].rpartition("\n\n")[2]
    behind = text[mention.end : mention.end + BEHIND].partition("\n\n")[0]
    return f"{before} {behind}"


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{any_of(words)})\b", re.IGNORECASE)
