"""Results of tests that are said to be high or low: "raised creatinine", "CRP raised"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from search_stack.language.amounts import is_valued
from search_stack.language.lexicon.concepts import Concept
from search_stack.language.lexicon.mention import Mention
from search_stack.query.items import Part
from search_stack.query.nodes import Words
from search_stack.query.plain.denied import is_denied
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow
from search_stack.query.tree import any_of

_HIGH = r"raised|elevated|high|increased|rising"
_LOW = r"low|reduced|decreased|falling"
_LEVEL = re.compile(rf"(?<![\w-])(?:(?P<high>{_HIGH})|(?P<low>{_LOW}))(?![\w-])", re.IGNORECASE)
_RISEN = r"up|rose|risen|climbing|climbed|trending\s+up|going\s+up|went\s+up"
_FALLEN = r"down|fell|fallen|dropping|dropped|trending\s+down|going\s+down|went\s+down"
_MOVED = re.compile(
    rf"\s+(?:(?:is|was|are|were|has|have|levels?)\s+)*(?:(?P<high>{_RISEN})|(?P<low>{_FALLEN}))(?![\w-])"
    r"(?!\s+(?:to|from|by|in|on|after|with)\s)",
    re.IGNORECASE,
)
"""Behind a test, where it went: "CRP up"; not whence or how far."""
_WAYS = {
    "high": ("high", "elevated", "raised", "increased", "supratherapeutic", "toxic"),
    "low": ("low", "reduced", "decreased", "subtherapeutic"),
}
_BEFORE = re.compile(_LEVEL.pattern + r"\s+(?:serum\s+)?$", re.IGNORECASE)
_BEHIND = re.compile(r"\s+(?:(?:is|was|levels?)\s+)*" + _LEVEL.pattern, re.IGNORECASE)


def levels(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with the finding that a test and its level make, where that has a name; else without the level, which
    notes tell in several ways: "gentamicin level high"."""
    text = shadow.text
    if not (_LEVEL.search(text) or _MOVED.search(text)):
        return shadow
    for mention in reversed(s.known.named(text)):
        if not is_valued(mention.concept, s.known.lexicon) or len(mention.parts) > 1:
            continue
        before = _BEFORE.search(text, 0, mention.begin)
        behind = None if before else _BEHIND.match(text, mention.end) or _MOVED.match(text, mention.end)
        found = before or behind
        if found is None:
            continue
        name = level_name(s, mention, high=bool(found["high"]))
        begin, end = min(found.start(), mention.begin), max(mention.end, found.end() if behind else 0)
        if not name and not is_denied(text, begin):
            shadow = _in_any_words(s, shadow, found)
        elif name and re.search(r"\d", text[begin:end]) is None:
            whole = re.compile(rf"(?<!\w){re.escape(text[begin:end])}(?!\w)")
            shadow = shadow.written(whole, lambda _, name=name: name)  # type: ignore[misc]
    return shadow


def _in_any_words(s: Stretch, shadow: Shadow, found: re.Match[str]) -> Shadow:
    which = "high" if found["high"] else "low"
    typed = [found[which].lower()] if _LEVEL.fullmatch(found[which]) else []  # "up" stands in many a passage
    ways = any_of(map(Words, dict.fromkeys((*typed, *_WAYS[which]))))
    s.reading.ways.append(ways)
    s.parts.append(Part(ways, *shadow.span(*found.span(which))))
    return shadow.blank(*found.span(which))


def level_name(s: Stretch, mention: Mention, *, high: bool) -> str:
    """What the finding is called that a test and its level make; empty where it has no name."""
    concept = s.known.lexicon.concepts[mention.concept]
    found = (s.known.lexicon.find(name) for name in _names(concept, high=high))
    return next((one.name for one in found if one), "")


def _names(concept: Concept, *, high: bool) -> Iterator[str]:
    for level in ("elevated", "high", "raised") if high else ("low", "reduced", "decreased"):
        for name in (concept.name, *concept.synonyms, *concept.abbreviations):
            yield f"{level} {name}"
            yield f"{level} {name.removesuffix(' level')}"
