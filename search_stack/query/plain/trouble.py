"""Trouble with something: "problems with constipation" are constipation."""

from __future__ import annotations

import re

from search_stack.query.plain.stretch import Stretch

_FELT = frozenset(("symptom", "disorder", "finding"))
"""Kinds of which somebody's trouble is the thing itself; trouble with a drug is none of these."""
_SMALL = re.compile(r"\s+(?:(?:an?|any)\s+)*", re.IGNORECASE)
"""Not "her": who has no problems with her asthma has asthma."""


def trouble(s: Stretch) -> None:
    """Words of trouble before a symptom or disorder left aside, so that what denies them denies it."""
    felt = {m.begin for m in s.mentions() if s.known.is_of(m, *_FELT)}
    for found in list(s.table.trouble.finditer(s.shadow.text)):
        small = _SMALL.match(s.shadow.text, found.end())
        if small and small.end() in felt:
            s.leave_aside(*found.span())
