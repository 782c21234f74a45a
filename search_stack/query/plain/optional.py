"""What a name may come with or not: "cough with or without fever" asks for every cough."""

from __future__ import annotations

import re

from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_EITHER_WAY = re.compile(
    r"(?<=[\w)])[\s,]*(?:(?<!\w)(?:with\s*(?:or|and|and/or|/)\s*without|(?:whether|if)\s+or\s+not|regardless\s+of(?:\s+whether)?|irrespective\s+of|w/?\s*(?:or|and|/)\s*w/?o|w/\s?wo)(?!\w)|(?<!\w)(?:\+\s?/\s?-|±))"
    r"\s*(?:(?:an?|the|any|some|(?:history|hx)\s+of|they|there|he|she|have|has|had|having|is|are|was|were|been|being|on|taking|receiving)\s+)*",
    re.IGNORECASE,
)
_OR = re.compile(r"\s*(?:,\s*)?(?:or|and/or)\s+", re.IGNORECASE)
_WORD = re.compile(r"\w[\w'-]*")
_QUALIFIES = re.compile(r"(?:(?!(?:or|and|with|without|on|in|for|who|not|no)\s)[\w'-]+\s+){0,2}", re.IGNORECASE)
"""What may stand before the name: "with or without mild effusion"."""


def optional(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without what may be there or not, which is told: it leaves nobody out."""
    for found in reversed(list(_EITHER_WAY.finditer(shadow.text))):
        end = _named_from(s, shadow.text, found.end())
        if not end:
            continue
        while (joined := _OR.match(shadow.text, end)) and (further := _named_from(s, shadow.text, joined.end())):
            end = further
        begin = found.start() + len(found[0]) - len(found[0].lstrip(" ,"))
        shadow = s.left_aside(shadow, begin, end, "with it or without it, all are asked for")
    return shadow


def _named_from(s: Stretch, text: str, begin: int) -> int:
    """Where the name ends that begins there, or the word; 0 where there is none."""
    named = [m for m in s.known.named(text, begin) if _QUALIFIES.fullmatch(text, begin, m.begin)]
    first = min((m.begin for m in named), default=0)
    word = _WORD.match(text, begin)
    return max((m.end for m in named if m.begin == first), default=word.end() if word else 0)
