"""Where in a stay something was: "fall during their admission", "delirium on arrival", "discharged on apixaban". Where
no name has it, hardly a note says so beside what is asked: it is left aside, which is told."""

from __future__ import annotations

import re
from collections.abc import Iterator

from search_stack.query.items import Part
from search_stack.query.nodes import Words
from search_stack.query.plain.closing import ENDS
from search_stack.query.plain.denied import is_denied, is_left_out
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
_GOT_THERE = re.compile(
    r"(?<![\w-])(?:(?:acquired|contracted|caught|picked\s+up)\s+in\s+(?:the\s+)?hospital|(?:hospital|in-?patient)[\s-](?:acquired|onset)|nosocomial)(?![\w-])",
    re.IGNORECASE,
)
"""The same in other words: "C. difficile acquired in hospital"."""
_ACQUIRED = ("not present on admission", "hospital acquired", "not poa", "nosocomial")
"""As notes tell what came in hospital."""
_HOURS = re.compile(
    r"(?<!\w)(?:this\s+(?:morning|afternoon|evening)|last\s+night|tonight|(?<=[\w#]\s)over[\s-]?night(?:"
    + ENDS
    + r"|(?=\s+(?:given|needing|requiring|after|on|in)\s)))(?!\w)",
    re.IGNORECASE,
)
_EDGE = (
    r"(?<![\w-])(?:on|upon|at|by|prior\s+to|before|after|following|post|since)[\s-]+"
    r"(?:(?:the\s+)?(?:time|day|point)\s+of\s+)?(?:(?:hospital|initial|their|the)\s+)*"
    r"(?:arrival|admission|discharge|d/c|triage|(?<=since\s)last\s+(?:visit|review|appointment|seen|clinic))(?!\w)"
    r"(?!\s+(?:to|from|for|with|due|notes?|letters?|reports?|summar\w+|me?d\w+|diagnos\w+|plan\w*|instructions?|destination|unit|ward|days?)\b|-|\s?:)"
)
_DISCHARGED_ON = (
    r"(?:(?<![\w-])(?:(?:discharged|(?:d/c|dc)['’]?d|sent)(?:\s+home)?|went\s+home)\s+(?:on|with)"
    r"|(?<=,\s)home\s+on(?!\s+(?:o2|oxygen)(?!\w)))(?=\s+\w)"
)
_SENT_HOME = (
    r"(?<![\w-])(?:d\s?/\s?c(?:['’]?d)?|dc(?:['’]?d)?|discharged|sent|went|allowed)\s+home(?=\s*(?:$|[,;.)]|from\s))"
)
_AT_FIRST = (
    r"(?<![\w-])(?:at|on|upon)\s+(?:(?:the\s+)?(?:time|point)\s+of\s+)?(?:(?:initial|first|their|the)\s+)*"
    r"(?:diagnosis|presentation|baseline|onset)(?:\s+of(?=\s+[^\W\d_]))?(?!\w)"
)
"""When in its course: "weight loss at diagnosis of lymphoma"."""
_SINCE = r"(?<=\w)\s+(?:ever\s+)?since(?:\s+then)?(?=\s*(?:$|[,;.)]))"
"""Since what stands before: "no seizures since"."""
_AT_EDGE = re.compile(rf"{_EDGE}|{_AT_FIRST}|{_DISCHARGED_ON}|{_SENT_HOME}|{_SINCE}", re.IGNORECASE)
"""Where a stay begins and ends, and what somebody left with."""
_CAME = re.compile(
    r"(?<![\w-])(?:(?:first|initially|originally)\s+)?(?:(?:re-?)?present(?:ed|ing|s)?|came|comes?|coming|attend(?:ed|ing|s)?|seen|brought(?:\s+in)?|turned\s+up|walk(?:ed)?\s+in(?:to)?)\s+"
    r"(?:(?:to|in|at|by|into|via|through)\s+)?(?:(?:an?|the|their|our|local)\s+)?(?P<where>ED|ER|A\s?&\s?E|emergency(?:\s+(?:department|room|dept))?|casualty|(?<!by\s)clinic|outpatients?|hospital|GP|ambulance)"
    r"(?=\s+(?:with|for|after|following|because|due|in|and|from|who|complaining|c/o|on|since|last|by|having|as)(?!\w)|\s*(?:$|[,;.]))",
    re.IGNORECASE,
)
"""Where somebody came to with what is named: hardly a note says it beside that."""
_SPAN_BEFORE = re.compile(
    r"(?:\b(?:hours?|hrs?|h|days?|d|weeks?|wks?|months?|mos?|years?|first|next)|\d[hd])\s*$", re.IGNORECASE
)
"""Before an edge it is a time from there on: "within 24 hours of admission"."""


def in_stay(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with it as names have it, and without the time of a day."""
    for found in list(_HOURS.finditer(shadow.text)):
        why = 'notes have days, and no hours; "today" and "yesterday" may be asked for'
        shadow = s.left_aside(shadow, *found.span(), why, "time")
    shadow = shadow.written(_GOT_THERE, lambda m: _left_out(s, m))
    got = [*_NOT_ON_ADMISSION.finditer(shadow.text), *_got_there(s, shadow)]
    for found in got:
        ways = any_of(map(Words, _ACQUIRED))
        s.reading.ways.append(ways)
        s.parts.append(Part(ways, *shadow.span(*found.span())))
        shadow = shadow.blank(*found.span())
    shadow = _at_edges(s, _where_to(s, shadow))
    if not _STAY.search(shadow.text):
        return shadow
    shadow = shadow.written(_STAY, lambda m: "during admission")
    for found in _STAY.finditer(shadow.text):
        named = s.known.named(shadow.text)
        if any(b <= found.start() < e for m in named for b, e in m.parts):
            continue
        why = "notes do not say of everything whether it was in hospital"
        shadow = s.left_aside(shadow, *found.span(), why, "time")
    return shadow


def _left_out(s: Stretch, found: re.Match[str]) -> str:
    """Where what is left out came in hospital, the one word, which notes write otherwise."""
    inside = any(m.begin < found.end() and found.start() < m.end for m in s.known.named(found.string))
    return found[0] if inside or not is_denied(found.string, found.start()) else "nosocomial"


def _got_there(s: Stretch, shadow: Shadow) -> Iterator[re.Match[str]]:
    """Where it says so beside a name that does not."""
    for found in _GOT_THERE.finditer(shadow.text):
        parts = [p for m in s.known.named(shadow.text) for p in m.parts]
        apart = parts and all(e <= found.start() or found.end() <= b for b, e in parts)
        if apart and not is_denied(shadow.text, found.start()):
            yield found


def _where_to(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without where somebody came to, beside what is named."""
    for found in reversed(list(_CAME.finditer(shadow.text))):
        rest = f"{shadow.text[: found.start()]} {shadow.text[found.end() :]}"
        if s.known.named(rest) and not is_left_out(shadow.text, found.start()):
            begin, end = shadow.span(*found.span())
            way = s.instead(begin, end, f'words:"{found["where"]}"')
            shadow = s.left_aside(shadow, *found.span(), "notes seldom say it beside what is asked", "time", way)
    return shadow


def _at_edges(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without where in a stay what is named was."""
    places = list(_AT_EDGE.finditer(shadow.text))
    if not places or s.excluded:
        return shadow
    named = [p for m in s.known.named(shadow.text) for p in m.parts]
    for found in reversed(places):
        begin, end = found.span()
        before = shadow.text[:begin]
        others = [(b, e) for b, e in named if e <= begin or end <= b]
        if len(others) < len(named) or not others or _SPAN_BEFORE.search(before) or is_left_out(shadow.text, begin):
            continue
        typed = s.typed(*shadow.span(begin, end))
        when = typed.removesuffix(" of")  # In quotes, "of" would go on behind them.
        way = s.instead(*shadow.span(begin, end), f'"{when}"')
        shadow = s.left_aside(shadow, begin, end, "notes seldom say it beside what is asked", "time", way)
    return shadow
