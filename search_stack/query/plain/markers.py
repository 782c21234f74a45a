"""Results as they are written short: "ER+ HER2-", "HIV+", "ER positive HER2 negative"."""

from __future__ import annotations

import re

from search_stack.language.assertion.clauses import MARKERS
from search_stack.query.plain.known import Known
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

SIGNED_MARKER = re.compile(
    r"(?<![\w-])(?P<marker>[a-z][a-z0-9]{0,5}(?:-\d)?)(?P<sign>\+|-(?!\w))(?=[\s,;/)]|$)", re.IGNORECASE
)
"""As markers are written short: "ER+ HER2-"."""
_NEXT_RESULT = re.compile(
    r"(?P<one>(?<![\w-])[\w-]+\s+(?:positive|negative))\s+(?=(?!for\b)[\w-]+\s+(?:positive|negative)(?!\w))",
    re.IGNORECASE,
)
"""A result, before the next one: "ER positive HER2 negative"."""
SHORTEST = 3
"""Characters of a marker that no table has."""


def results(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with signs in words, and a comma between two results, which each have a name of their own."""
    shadow = shadow.written(SIGNED_MARKER, lambda m: result(s.known, m))
    return shadow.written(_NEXT_RESULT, lambda m: f"{m['one']}, ")


def result(known: Known, found: re.Match[str]) -> str:
    """A marker, or what somebody may carry, with its sign in words: "HER2-", "HIV+"."""
    marker, sign = found["marker"], "positive" if found["sign"] == "+" else "negative"
    concept = known.lexicon.find(known.abbreviations.folded.get(marker.casefold(), marker))
    written = marker.isupper() and len(marker) >= SHORTEST and found["sign"] == "+"  # "HLA B27+", not "T2+"
    carried = marker.casefold() in MARKERS or (concept is not None and concept.kind == "disorder")
    return f"{marker} {sign}" if carried or written else found[0]
