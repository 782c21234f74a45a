"""Where a number, a result, or what is of another kind stands for itself beside what "and" joins to it: "GCS 15 and PE
ruled out", "negative stress test and migraine", "AF and aspirin not given"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from search_stack.language.assertion.scopes import DONE_OR_TAKEN
from search_stack.language.lexicon.mention import Mention
from search_stack.query.plain.comparing import amount_at
from search_stack.query.plain.denied import denies
from search_stack.query.plain.stretch import EXCLUDING, Stretch

_LINK = re.compile(
    r"(?:\s+(?:and|with|plus|\+)|\s*,(?=\s+also\s))\s+(?:also\s+)?(?P<result>(?:neg(?:ative)?|pos(?:itive)?|normal|abnormal)\s+)?"
    r"(?P<guess>(?:suspected|possible|probable|likely|unlikely)\s+)?"
    r"(?:(?:an?|the|no)\s+)?",
    re.IGNORECASE,
)
_BESIDES = re.compile(r"\s+(?:with|plus)\s", re.IGNORECASE)
_RESULT_BEFORE = re.compile(r"(?<!\w)(?:neg(?:ative)?|pos(?:itive)?|normal|abnormal)\s+$", re.IGNORECASE)
_DENIED_BEHIND = re.compile(
    r"\s+(?:(?:is|was|were|are|has\s+been|have\s+been)\s+)?(?:not\s+(?:yet\s+)?[^\W\d_]+|never\s+[^\W\d_]+|denied|declined|refused"
    r"|excluded|ruled\s+out|absent|unlikely)(?!\w)",
    re.IGNORECASE,
)
_LEAVES_OUT = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(EXCLUDING)))})\s[^,;.]*$", re.IGNORECASE)


def own_statements(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """The blanks before such links."""
    named = sorted((m for m in mentions if not s.known.is_of(m, "anatomy")), key=lambda m: m.begin)
    if s.listed:
        return []
    return [
        one.end
        for one, other in pairwise(named)
        if (link := _LINK.fullmatch(s.shadow.text, one.end, other.begin)) and _is_apart(s, one, other, link)
    ]


def _is_apart(s: Stretch, one: Mention, other: Mention, link: re.Match[str]) -> bool:
    text = s.shadow.text
    before = text[: one.begin]
    tested, test = (s.known.is_of(m, "procedure") for m in (one, other))
    numbered, number = (amount_at(s, m) is not None for m in (one, other))
    if tested and _RESULT_BEFORE.search(before):
        return not test or number or bool(link["result"])
    if test and link["result"]:
        return True
    if numbered != number:
        return not _LEAVES_OUT.search(before) and not (numbered and denies(before, len(before)))
    if link["guess"]:
        return not denies(before, len(before))
    kinds = [(s.known.is_of(m, "drug"), s.known.is_of(m, *DONE_OR_TAKEN)) for m in (one, other)]
    own = (kinds[0] != kinds[1] or _BESIDES.match(link[0])) and _DENIED_BEHIND.match(text, other.end)
    return bool(own) and not denies(before, len(before))
