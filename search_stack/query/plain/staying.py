"""What happened in hospital: "fall during their admission". Where no name has it, no note says so: it is left aside."""

from __future__ import annotations

import re

from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_STAY = re.compile(
    r"(?<!\w)(?:while\s+(?:(?:an?\s+)?inpatient|(?:they\s+were\s+)?(?:admitted|in\s+(?:the\s+)?hospital))|(?:(?:during|throughout)\s+(?:(?:an?|the|their|his|her|this|that|same)\s+)?|this\s+)(?:hospital\s+|inpatient\s+|index\s+)?"
    r"(?:admission|stay|hospitali[sz]ation))(?!\w)(?!\s+(?:for|with|due|of|after|in)\b)",
    re.IGNORECASE,
)
_HOURS = re.compile(r"(?<!\w)(?:this\s+(?:morning|afternoon|evening)|last\s+night|tonight)(?!\w)", re.IGNORECASE)


def in_stay(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with it as names have it, and without the time of a day."""
    for found in list(_HOURS.finditer(shadow.text)):
        why = 'notes have days, and no hours; "today" and "yesterday" may be asked for'
        shadow = s.left_aside(shadow, *found.span(), why, "time")
    if not _STAY.search(shadow.text):
        return shadow
    shadow = shadow.written(_STAY, lambda m: "during admission")
    for found in _STAY.finditer(shadow.text):
        named = s.known.matcher.mentions(shadow.text, 0, len(shadow.text), asked=True)
        if any(b <= found.start() < e for m in named for b, e in m.parts):
            continue
        why = "notes do not say of everything whether it was in hospital"
        shadow = s.left_aside(shadow, *found.span(), why, "time")
    return shadow
