"""How long something lasts, how much of a drug somebody gets, how often they came: nothing that notes tell is compared
with it, so that it is left aside with the way to ask for notes that name the number. Where it is left out, or denied,
it stays words: who is excluded with less said would be more."""

from __future__ import annotations

import re

from search_stack.language.units import NUMBER
from search_stack.query.items import Notice, Part
from search_stack.query.nodes import Words
from search_stack.query.number_words import ONE_TO_TEN, TWO_TO_FOUR, TWO_TO_SIX, TWO_TO_TWELVE
from search_stack.query.plain.closing import ENDS
from search_stack.query.plain.comparing import ANY_SIGN
from search_stack.query.plain.denied import is_left_out
from search_stack.query.plain.stretch import Stretch

_TIME = r"(?:minutes?|mins?|hours?|hrs?|h|days?|(?<=\d)d|weeks?|wks?|months?|mths?|years?|yrs?)"
_EACH = (
    r"(?:\s?/\s?(?:d(?:ay)?|kg|24\s?h(?:rs?|ours?)?|h(?:r|our)?|min(?:ute)?|w(?:ee)?k|m2)(?!\w))*"
    r"(?:\s+(?:daily|weekly|(?:an?|per|each|every)\s+(?:day|week|hour|minute)|od|bd|bid|tds|tid|qds|qid|nocte))?"
)
_DOSE = (
    rf"(?:mg|mcg|µg|ug|g|(?:milli|micro)?grams?|units?|iu|mmol|meq|tabs?|tablets?|puffs?|drops?|l(?=\s?/\s?m)){_EACH}"
)
_SIGN = rf"{ANY_SIGN}|longer\s+than|shorter\s+than"
_MORE = r"(?:\s+(?:or|and)\s+(?:more|longer|higher|above|over|beyond|less|shorter|lower|below|under)(?!\s+than)|\s?\+)"
_LEAD = (
    r"(?:(?:(?:symptoms?\s+|disease\s+)?duration|that|which|has|have|had|lasting|lasts|lasted|for|of|over|x|going\s+on"
    r"|persisting)\s+)*"
)
_TAIL = r"(?:['’]?s?\s+(?:in\s+)?duration(?!\w))?"
_COMPARED = re.compile(
    rf"(?<![\w<>]){_LEAD}(?:(?:{_SIGN})\s*(?P<told>(?:an?(?=\s)|{NUMBER})[\s-]?(?:(?P<lasts>{_TIME})|{_DOSE})(?!\w))(?![\s-]+(?:olds?|of\s+age)\b)"
    rf"|(?P<first>{NUMBER}[\s-]?(?:(?P<lasted>{_TIME})|{_DOSE}))(?!\w){_MORE}(?!\w)){_TAIL}",
    re.IGNORECASE,
)
_SOME = (
    rf"(?:\d{{1,3}}(?:\s?(?:-|–|to)\s?\d{{1,3}})?|an?|{ONE_TO_TEN}|several|many"
    r"|(?:a\s+)?few|(?:a\s+)?couple(?:\s+of)?)"
)
_SPAN = r"(?:hours?|hrs?|days?|weeks?|wks?|months?|mths?|years?|yrs?)"
_NO_PREGNANCY = r"(?:\d{1,3}\s?(?:hours?|hrs?|days?|months?|mths?|years?|yrs?)|[1-9]\s?(?:weeks?|wks?))"
"""So many weeks as none is told by; "bleeding at 12 weeks" may be."""
_POINTS = ("within", "in", "first", "last", "past", "next", "every", "at", "after", "by", "day")
_NO_POINT = "".join(rf"(?<!\b{word}\s)" for word in _POINTS)
"""Behind these a number of hours is a point of time, or how far one lies away."""
_RATE = re.compile(rf"\s*(?:{ANY_SIGN})\s*(?P<told>{NUMBER})(?=\s*(?:$|[,;.)]\s|[,;]))")
"""Behind a drug, a dose without its unit: "norad > 0.2"."""
_FOR_SO_LONG = re.compile(
    rf"""(?<![\w/.<>-])(?:
      (?:(?:(?:lasting|lasted|lasts|persisting)\s)?(?:for|x|×|over)|lasting|lasted|lasts)\s?(?:(?:the|over|about|around|last|past)\s+)*(?:{_SOME}[\s-]?)?(?:{_SPAN}|(?<=\d)[dwh]|(?<=\d\s)[dwh])
    | (?:for|x|×)\s?\d{{1,2}}\s?/\s?(?:7|52|12)
    | (?<=[^\W\d_]\s){_NO_PREGNANCY}{ENDS}
    | (?:at|by)\s{_NO_PREGNANCY}(?:{ENDS}|(?=\s(?:in|on)\s))
    | (?:on\s+)?(?:the\s+)?(?<!cycle\s\d\s)(?<!-op\s)(?<!postop\s)(?<!operative\s)(?:hospital\s+)?
      day\s+\#?\d{{1,2}}(?:\s+of(?=\s+\w))?
    | (?<=[^\W\d_]{{2}}\s){_NO_POINT}\d{{2,3}}\s?h
    | (?<=[^\W\d_]{{2}}\s){_NO_POINT}\d{{1,2}}d{ENDS}
    | every\s+(?:\d{{1,2}}(?:\s?(?:-|–|to)\s?\d{{1,2}})?\s?|other\s+)(?:{_SPAN}|(?<=\d)[dwh])
    | (?<=[^\W\d_]\s)\d{{1,2}}\s?/\s?(?:7|52|12){ENDS}
    | (?:an?\s+)?{_SOME}[\s-]?(?:{_SPAN}|(?<![^\W\d_])[dwh]|/\s?(?:7|52|12))['’]?\s+(?:history|hx|h/o)(?:\s+of)?
    | (?:(?:which|that|onset|start(?:ed|ing)|beg[au]n|beginning)\s+)*{_SOME}\s+(?:hours?|hrs?|days?)\s+ago
    )(?!\w)(?!\s+(?:of|before|after|prior|post|following|or\s+(?:more|less|longer))\b)""",
    re.VERBOSE | re.IGNORECASE,
)
"""How long something has lasted, or how few days ago it began: "cough x3d", "2 week history of cough"."""
_MANY = rf"(?:\d{{1,2}}|{TWO_TO_SIX})"
_VISITS = (
    r"(?:(?:ed|er|a&e|gp|icu|hospital|clinic|emergency|outpatient|unplanned|previous|prior|separate|documented)\s+)*"
    r"(?:admissions?|visits?|attendances?|presentations?|hospitali[sz]ations?|exacerbations?|flares?|relapses?|recurrences?|attacks?|episodes?)(?!\w)"
)
_OFTEN = re.compile(
    rf"(?<![\w<>.-])(?:(?:{ANY_SIGN}|exactly)\s*{_MANY}|{_MANY}(?:\s+or\s+more|\s?\+)|(?:[2-9]|{TWO_TO_SIX}))(?=\s+(?P<what>{_VISITS}))"
    r"(?!\s+[\w&\s]{1,30}?\s(?:of|for|with)\s)",
    re.IGNORECASE,
)
_LINES = re.compile(
    rf"(?<![\w<>.-])(?:(?:{ANY_SIGN}|exactly)\s*{_MANY}|{_MANY}(?:\s+or\s+more|\s?\+)|(?:{TWO_TO_FOUR}|[2-9])(?=\s+(?:prior|previous)))"
    r"\s+(?:(?:prior|previous|different)\s+)*(?:(?<=prior\s)lines?(?=\s*(?:$|[,;.)]))"
    r"|lines?\s+of\s+(?:(?:prior|systemic|previous)\s+)*(?:therapy|treatment|chemotherapy))(?!\w)",
    re.IGNORECASE,
)
"""How many treatments came before: "≥ 2 prior lines of therapy"."""
_UNITS = re.compile(
    rf"(?<![\w<>.-])(?:(?:{ANY_SIGN})\s*)?(?:\d{{1,2}}|{TWO_TO_SIX})(?:\s+or\s+more|\s?\+)?\s+units?\s+(?:of\s+)?"
    r"(?=(?:packed|p?rbcs?|red\s+(?:blood\s+)?cells?|ffp|fresh|platelets|blood|cryo\w*|plasma)(?!\w))",
    re.IGNORECASE,
)
"""How much blood somebody was given: "≥2 units of packed cells"."""
SPAN_OF = re.compile(
    rf"\s+(?:(?:in|within|over|during|per|each|every)\s+)?(?:(?:an?|one|any|the\s+same|per|each|every|a\s+single|\d{{1,2}}|{TWO_TO_TWELVE})[\s-]+)?"
    r"(?P<unit>(?:day|week|month|year)s?)(?:\s+period)?(?!\w)(?!\s+(?:after|before|of|ago|later|post|prior|follow\w+)\b)",
    re.IGNORECASE,
)
"""Behind how often: within how long, wherever that lies: "3 UTIs in a year"."""
_SHUT = re.compile(
    r"(?:\b(?:no|not|without|den(?:y|ies|ied|ying)|never|exclud\w*|except|unless)\b[^,;.]*|(?:^|[\s(])-\(?[^\s,;-][^,;]*)$",
    re.IGNORECASE,
)
_LEAD_ALONE = re.compile(r"^(?:for|over|x|×)\s+(?:(?:the|about|around|last|past)\s+)*", re.IGNORECASE)
_NUMBERED = re.compile(rf"\d|\b(?:an?|{TWO_TO_SIX})\s", re.IGNORECASE)
_EXPECTED = re.compile(r"(?<!\w)life\s+expectancy\s*$", re.IGNORECASE)
_COURSE = re.compile(
    r"\b(?:wors\w+|progress\w+|gradual\w*|increas\w+|decreas\w+|declin\w+|deteriorat\w+|develop\w*|loss|lost|falling|rising)\b[^,;.]*$",
    re.IGNORECASE,
)
"""Behind it "over 3 days" is in which time: "worsening over 3 days"."""


def lasting(s: Stretch) -> None:
    """Durations, and doses that are compared, are left aside, which is told."""
    if _NUMBERED.search(s.shadow.text):
        _rates(s)
        _compared(s)
        _times(s)
    _for_so_long(s)


def _rates(s: Stretch) -> None:
    for drug in reversed([m for m in s.mentions() if s.known.is_of(m, "drug")]):
        if found := _RATE.match(s.shadow.text, drug.end):
            begin, end = s.shadow.span(*found.span())
            if not (s.excluded or _SHUT.search(s.line[:begin])):
                _tell(s, (begin, end), found["told"], "a dose")
                s.leave_aside(*found.span())


def _compared(s: Stretch) -> None:
    for found in reversed(list(_COMPARED.finditer(s.shadow.text))):
        begin, end = s.shadow.span(*found.span())
        if s.excluded or _SHUT.search(s.line[:begin]):
            continue
        if s.line[begin:end].lower().startswith("over ") and _COURSE.search(s.line[:begin]):
            continue
        what = "how long something lasts" if found["lasts"] or found["lasted"] else "a dose"
        if expected := _EXPECTED.search(s.shadow.text, 0, found.start()):
            s.parts.append(
                Part(Words("life expectancy"), *s.shadow.span(*expected.span()))
            )  # no topic: "stroke; prognosis"
            s.shadow = s.shadow.blank(*expected.span())
        _tell(s, (begin, end), s.typed(*s.shadow.span(*found.span("told" if found["told"] else "first"))), what)
        s.leave_aside(*found.span())


def _for_so_long(s: Stretch) -> None:
    """How long something has lasted is left aside beside what has a name."""
    for found in reversed(list(_FOR_SO_LONG.finditer(s.shadow.text))):
        begin, end = s.shadow.span(*found.span())
        named = [p for m in s.mentions() for p in m.parts]
        others = [(b, e) for b, e in named if e <= found.start() or found.end() <= b]
        if not others or len(others) < len(named) or s.excluded or is_left_out(s.line, begin):
            continue
        _tell(s, (begin, end), _LEAD_ALONE.sub("", s.typed(begin, end)), "how long something lasts")
        s.leave_aside(*found.span())
        if found[0].endswith("h") and s.shadow.text[found.end() :].strip():
            s.shadow = s.shadow.with_mark(found.start(), ",")  # "cooled 72h normal MRI"


def _times(s: Stretch) -> None:
    """How often what names nothing came is left aside: "at least 2 admissions" counts no notes."""
    for found in reversed(list(_LINES.finditer(s.shadow.text))):
        if not s.excluded and not _SHUT.search(s.line[: s.shadow.span(*found.span())[0]]):
            s.leave_aside(*found.span(), "how many lines of treatment somebody had is not counted", "time")
    for found in reversed(list(_UNITS.finditer(s.shadow.text))):
        if not s.excluded and not _SHUT.search(s.line[: s.shadow.span(*found.span())[0]]):
            s.leave_aside(*found.span(), "how many units somebody was given is not counted")
    for found in reversed(list(_OFTEN.finditer(s.shadow.text))):
        begin, _ = s.shadow.span(*found.span())
        if s.excluded or _SHUT.search(s.line[:begin]):
            continue
        before = s.shadow.text[: found.start()].split()
        if before and before[-1].lower() in s.table.graded:
            continue  # "type 2 exacerbations"
        typed = s.typed(begin, s.shadow.span(*found.span("what"))[1])
        if within := SPAN_OF.match(s.shadow.text, found.end("what")):
            s.leave_aside(within.start() + 1, within.end())
        way = 'notes are counted, of what is named, as in "at least 2 admissions for asthma".'
        told = f'The number of "{typed}" was left aside: {way}'
        s.reading.notices.append(Notice("time", told, typed))
        s.leave_aside(*found.span())


def _tell(s: Stretch, place: tuple[int, int], number: str, what: str) -> None:
    """That it was left aside, with the line that asks for notes that name the number."""
    typed = s.typed(*place)
    named = any(c.isdigit() for c in number)
    way = f' "{number}" in quotes asks for notes that say so.' if named else ""
    line = s.instead(*place, f'"{number}"') if named else ""
    told = f'"{typed}" was left aside: {what} is not compared.{way}'
    s.reading.notices.append(Notice("field", told, typed, line))
