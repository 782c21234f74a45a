"""How often somebody was admitted with what is named: on so many days that notes tell of it, since one stay has many
notes, and no note counts stays."""

from __future__ import annotations

import re

from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.query.items import Notice
from search_stack.query.number_words import ONE_TO_TEN
from search_stack.query.plain.cutting import count
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_N = rf"(?:\d{{1,2}}|{ONE_TO_TEN})"
_HOW_OFTEN = (
    rf"(?:(?:at\s+least|no\s+fewer\s+than|>=|≥)\s*(?P<least>{_N})|(?<!no\s)(?<!not\s)(?P<over>more\s+than\s|>(?!=))\s*(?P<above>{_N})"
    rf"|(?P<many>{_N})(?:\s+or\s+more|\s?\+)?|(?P<twice>twice|more\s+than\s+once|two\s+times|multiple|several|(?<!how\s)(?<!too\s)many|numerous|repeated|recurrent|frequent))"
)
_STAYS = r"(?:hospital\s+)?(?:admissions|hospitali[sz]ations)"
_WHEN = (
    r"(?P<when>\s+(?:in|over|within|during)\s+(?:the\s+)?(?:last|past|previous)\s+(?:\w+\s+)?(?:week|month|year)s?)?"
)
_WITH = r"\s+(?:with|for|due\s+to|because\s+of)\s+(?:an?\s+)?(?=[^\W\d_])"
_FEWER = r"(?<!most\s)(?<!than\s)(?<!exactly\s)(?<!only\s)(?<!just\s)(?<![\w-])"
_ADMITTED = re.compile(
    rf"{_FEWER}(?:(?:admitted|hospitali[sz]ed)(?:\s+to\s+hospital)?\s+{_HOW_OFTEN}(?:\s+times)?"
    rf"|{_HOW_OFTEN.replace('?P<', '?P<s_')}\s+{_STAYS}){_WHEN}{_WITH}",
    re.IGNORECASE,
)
_ITS_STAYS = re.compile(rf"{_FEWER}{_HOW_OFTEN}\s+(?P<what>[^\W\d_][^,;.]{{1,50}}?)\s+{_STAYS}(?!\w)", re.IGNORECASE)
"""With the name between: "more than two DKA admissions"."""


def admitted(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with days in the place of stays; where no note has a day, notes are counted."""
    if not s.reading.told.days:
        return shadow
    for found in reversed(list(_ADMITTED.finditer(shadow.text))):
        named = s.known.beginning(shadow.text, found.end(), *CONDITIONS)
        if (number := _number(s, found)) > 1 and named:
            shadow = _on_days(s, shadow, found, number, "", max(m.end for m in named))
    for found in reversed(list(_ITS_STAYS.finditer(shadow.text))):
        what = shadow.text[slice(*found.span("what"))]
        named = s.known.beginning(what, 0, *CONDITIONS)
        if (number := _number(s, found)) > 1 and any(m.end == len(what) for m in named):
            shadow = _on_days(s, shadow, found, number, what, found.end())
    return shadow


def _on_days(s: Stretch, shadow: Shadow, found: re.Match[str], number: int, what: str, end: int) -> Shadow:
    typed = s.typed(*shadow.span(found.start(), end))
    told = f'"{typed}" counts days that notes tell of it: how many stays there were no note counts.'
    s.reading.notices.append(Notice("time", told, typed))
    when = found.groupdict().get("when") or ""
    return shadow.rewritten(*found.span(), f"{when.strip()} on at least {number} different days with {what}")


def _number(s: Stretch, found: re.Match[str]) -> int:
    groups = {key.removeprefix("s_"): value for key, value in found.groupdict().items() if value}
    if "twice" in groups:
        return 2
    many = next(groups[key] for key in ("least", "above", "many") if key in groups)
    return count(s, many) + ("above" in groups)
