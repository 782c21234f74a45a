"""What a note, a section or a passage is about, not only what it mentions."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from search_stack.core.schema import Entity, Finding, Section
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.matcher import Matcher

_T = TypeVar("_T", Finding, Entity)
MOST = 3
"""Entities that dominate one note, section or passage, at most."""
SHARE = 0.34
"""A concept dominates where it has at least this share of the mentions of the commonest one."""


def dominant(
    text: str,
    title: str,
    sections: Sequence[Section],
    findings: Sequence[Finding],
    lexicon: Lexicon,
    matcher: Matcher,
) -> list[Entity]:
    """Entities of the note (those of its title first), then those of each section."""
    titled = [m.concept for m in matcher.mentions(title, 0, len(title))] if title else []
    out = _entities(findings, "note", titled)
    if titled:
        seen = {e.concept for e in out}
        # A title's own concept counts though the text never names it.
        out += [
            Entity(c, lexicon.concepts[c].name, lexicon.concepts[c].kind, "note", 0, 0, 0)
            for c in dict.fromkeys(titled)
            if c not in seen
        ]
    for section in sections:
        named = [f.concept for f in inside(findings, section.heading_begin, section.heading_end)]
        out += _entities(inside(findings, section.begin, section.end), "section", named)
    return out


def inside(items: Sequence[_T], begin: int, end: int) -> list[_T]:
    """Those of ``items``, which are in the order of the text, that begin in ``[begin, end)``."""
    left = bisect_left(items, begin, key=lambda i: i.begin)
    return list(items[left : bisect_left(items, end, left, key=lambda i: i.begin)])


def of_passage(note: Iterable[Entity], section: Iterable[Entity], own: Sequence[Finding]) -> list[str]:
    """Ids of the concepts that a passage is about: its own, its section's and its note's."""
    held = [*_entities(own, "passage", ()), *section, *note]
    return list(dict.fromkeys(e.concept for e in held))


def _entities(findings: Sequence[Finding], level: str, named: Sequence[str]) -> list[Entity]:
    """The concepts of ``named`` that are among the findings, and the commonest; in the order of the text."""
    counts = Counter(f.concept for f in findings)
    first = {f.concept: f for f in reversed(findings)}
    top = counts.most_common(MOST)
    chosen = [c for c, n in top if n >= SHARE * top[0][1]]
    chosen = list(dict.fromkeys([*(c for c in named if c in first), *chosen]))
    out = [Entity(c, first[c].name, first[c].kind, level, first[c].begin, first[c].end, counts[c]) for c in chosen]
    return sorted(out, key=lambda e: e.begin)
