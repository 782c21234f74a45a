"""What happened in hospital: "fall during their admission". Where no name has it, no note says so: it is left aside."""

from __future__ import annotations

import re

from search_stack.query.items import Part
from search_stack.query.nodes import Words
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow
from search_stack.query.tree import any_of

_STAY = re.compile(
    r"(?<!\w)(?:while\s+(?:(?:an?\s+)?inpatient|(?:they\s+were\s+)?(?:admitted|in\s+(?:the\s+)?hospital))|(?:(?:during|throughout)\s+(?:(?:an?|the|their|his|her|this|that|same)\s+)?|this\s+)(?:hospital\s+|inpatient\s+|index\s+)?"
    r"(?:admission|stay|hospitali[sz]ation))(?!\w)(?!\s+(?:for|with|due|of|after|in)\b)",
    re.IGNORECASE,
)
_NOT_ON_ADMISSION = re.compile(
    r"(?<!\w)(?:(?:that|which|who)\s+)?(?:(?:was|were|is|are)(?:\s+|n['’]t\s+))?(?:not\s+)?(?:(?<=not\s)|(?<=n't\s)|(?<=n’t\s))"
    r"(?:yet\s+)?(?:(?:present|there|noted)\s+(?:on|at|upon)\s+(?:admission|arrival)|poa)(?!\w)",
    re.IGNORECASE,
)
_ACQUIRED = ("not present on admission", "hospital acquired", "not poa")
"""As notes tell what came in hospital."""
_HOURS = re.compile(r"(?<!\w)(?:this\s+(?:morning|afternoon|evening)|last\s+night|tonight)(?!\w)", re.IGNORECASE)


def in_stay(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with it as names have it, and without the time of a day."""
    for found in list(_HOURS.finditer(shadow.text)):
        why = 'notes have days, and no hours; "today" and "yesterday" may be asked for'
        shadow = s.left_aside(shadow, *found.span(), why, "time")
    for found in list(_NOT_ON_ADMISSION.finditer(shadow.text)):
        ways = any_of(map(Words, _ACQUIRED))
        s.reading.ways.append(ways)
        s.parts.append(Part(ways, *shadow.span(*found.span())))
        shadow = shadow.blank(*found.span())
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
