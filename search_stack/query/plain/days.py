"""Times written otherwise than `search_stack.query.dates` reads them: "3/15/2021", "Q3 2022", "> 10 years ago"."""

from __future__ import annotations

import re
from datetime import date

from search_stack.language.assertion.scopes import DONE_OR_TAKEN
from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.query.dates import MONTH_NAMES, YEAR, ago
from search_stack.query.items import Notice, Part
from search_stack.query.nodes import FieldIs, Finding
from search_stack.query.number_words import ONE_TO_TWELVE
from search_stack.query.plain.denied import is_denied
from search_stack.query.plain.short_forms import abbreviated
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow
from search_stack.query.tree import all_of, any_of

_IN_FIGURES = re.compile(
    rf"(?<![\w/.-])(?P<one>\d{{1,2}})(?P<sign>[/.-])(?P<two>\d{{1,2}})(?P=sign)(?P<year>{YEAR})(?![\w/-])"
)
_MONTH = re.compile(rf"(?<![\w/.-])(?P<month>0?[1-9]|1[0-2])/(?P<year>{YEAR})(?![\w/-])")
_MONTH_FIRST = re.compile(
    rf"(?<!\w)(?P<month>{MONTH_NAMES})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>{YEAR})(?!\w)",
    re.IGNORECASE,
)
_MONTHS = re.compile(
    rf"(?<!\w)(?:(?:in|during|from|between)\s+)?(?P<first>{MONTH_NAMES})\.?\s?(?:-|–|to|through|and|until)\s?(?P<last>{MONTH_NAMES})\.?\s+(?P<year>{YEAR})(?!\w)",
    re.IGNORECASE,
)
_QUARTER = re.compile(
    rf"(?<!\w)(?:(?:in|during)\s+)?Q(?P<quarter>[1-4])\s+(?:of\s+)?(?P<year>{YEAR})(?!\w)", re.IGNORECASE
)
_MONTHS_A_YEAR = 12
_QUARTERS = (("January", "March"), ("April", "June"), ("July", "September"), ("October", "December"))
_YEARS = re.compile(rf"(?<![\w/.-])(?P<year>{YEAR})/(?P<next>\d\d)(?![\w/.-])")
_OR_SO = (
    rf"(?P<many>an?|\d{{1,3}}|{ONE_TO_TWELVE})\s+"
    r"(?P<unit>day|week|month|year|yr)s?\s+ago(?!\w)"
)
_LESS_AGO = re.compile(rf"(?<![\w.-])(?:(?:less\s+than|under|within)\s+|<\s?){_OR_SO}", re.IGNORECASE)
_MORE_AGO = re.compile(rf"(?<![\w.-])(?:(?:more\s+than|over|at\s+least)\s+|>=?\s?){_OR_SO}", re.IGNORECASE)
_WAS = re.compile(
    r"(?<![\w-])(?<!family\s)(?:(?:(?:an?|past|prior|known|remote)\s+)*(?:history|hx)\s+of|h/o|previous|prior|past|old|remote)"
    r"\s+(?:an?\s+)?(?=[^\W\d_])",
    re.IGNORECASE,
)
"""Before what is past: "previous MI more than 4 weeks ago"."""
_HOURS = re.compile(
    r"(?<!\w)(?:within(?:\s+the\s+(?:last|past))?|(?:(?:in|during|over)\s+)?(?:the\s+)?(?:last|past|previous|preceding))\s+(?P<many>\d{2,3})\s?(?:h|hrs?|hours?)(?!\w)",
    re.IGNORECASE,
)
_SHORT_UNITS = {"d": "days", "7": "days", "52": "weeks", "12": "months", "w": "weeks", "m": "months", "y": "years"}
_SHORT_UNIT = r"(?:/\s?(?P<of>7|52|12)|(?P<unit>d|days?|weeks?|wks?|m|mo|mos|months?|mths?|mnths?|years?|yrs?|y))(?!\w)"
_SHORT_SPAN = re.compile(
    r"(?<!\w)(?P<in>(?:within|in)\s+(?:the\s+)?(?:(?:last|past|previous|preceding|prior)\s+)?|(?:last|past|previous)\s+)"
    rf"(?P<many>\d{{1,2}})\s?{_SHORT_UNIT}(?!\s*(?:olds?|of|after|before|post|from|following)(?!\w))",
    re.IGNORECASE,
)
"""As wards write a span: "in last 6/12", "within 12 wks"."""
_FROM = re.compile(
    r"(?<!\w)(?P<in>within\s+|<\s?|>\s?|over\s+|(?:more|less)\s+than\s+)?(?P<many>\d{1,2})/(?P<of>7|52|12)"
    r"(?=\s+(?:of|after|before|post|from|following)(?!\w))",
    re.IGNORECASE,
)
"""Likewise between two events: "within 4/52 of surgery"."""
_SO_OLD = re.compile(
    rf"(?P<lead>^\s*|(?<!\w))(?P<many>\d{{1,2}})\s?{_SHORT_UNIT.replace('years?|yrs?|y', 'd')}"
    r"(?:\s+old(?!\w)|(?=\s+(?:baby|infant|boy|girl|child|neonate)(?!\w))|(?<=/12|/52)(?=\s+(?:with|w/|c/o|p/w)\s))",
    re.IGNORECASE,
)
"""How old a child is: "6/12 with bronchiolitis", "12m old"."""
_NOT_LATELY = re.compile(
    r"(?<!\w)(?:no|nil|not|never|without)\s[^,;.]*?(?P<gap>\s+(?:in\s+|for\s+|x\s?)?"
    rf"(?P<many>\d{{1,2}})\s?{_SHORT_UNIT})(?=\s*(?:$|[,;.)]))",
    re.IGNORECASE,
)
"""For how long something has not been done: "no FBC 3/12"."""
_LOOKED = ("checked", "done", "seen", "reviewed", "measured", "taken", "levels", "level")
_UNITS = re.compile(r"(?<=\blast\s|\bpast\s)(?P<unit>fortnight|decade|quarter)(?!\w)", re.IGNORECASE)
_IN_UNITS = {"fortnight": "14 days", "decade": "10 years", "quarter": "3 months"}
_PRECEDING = re.compile(
    r"(?<!\w)(?:in|within|during)\s+the\s+(?:preceding|prior)(?=\s+(?:\d{1,3}|\w+)\s+(?:day|week|month|year)s?\s*(?:$|[,;.)]))",
    re.IGNORECASE,
)


def days_as_read(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with its times as they are read; which of two numbers is the day is told where either may be."""
    shadow = shadow.written(_HOURS, _in_days).written(_UNITS, lambda m: _IN_UNITS[m["unit"].lower()])
    shadow = shadow.written(_SO_OLD, lambda m: f"{m['lead']}{m['many']} {_unit(m)[:-1]} old")
    shadow = shadow.written(_FROM, lambda m: f"{m['in'] or ''}{m['many']} {_SHORT_UNITS[m['of']]}")
    shadow = _not_lately(s, shadow.written(_SHORT_SPAN, _in_full))
    shadow = shadow.written(_PRECEDING, lambda m: "in the last")
    shadow = shadow.written(_LESS_AGO, lambda m: f"within the last {m['many']} {m['unit']}s")
    shadow = _long_past(s, shadow).written(_MORE_AGO, lambda m: _before(s, m))
    if not re.search(YEAR, shadow.text):
        return shadow
    figures = shadow
    shadow = shadow.written(_IN_FIGURES, lambda m: _day(s, figures, m))
    shadow = shadow.written(_MONTH, lambda m: f"{m['year']}-{int(m['month']):02}")
    shadow = shadow.written(_MONTH_FIRST, lambda m: f"{m['day']} {m['month']} {m['year']}")
    shadow = shadow.written(_MONTHS, lambda m: f"between {m['first']} {m['year']} and {m['last']} {m['year']}")
    shadow = shadow.written(_QUARTER, _quarter)
    return shadow.written(_YEARS, _two_years)


def _in_full(found: re.Match[str]) -> str:
    return f"{found['in']}{found['many']} {_unit(found)}"


def _unit(found: re.Match[str]) -> str:
    return _SHORT_UNITS[(found["of"] or found["unit"][0]).lower()]


def _not_lately(s: Stretch, shadow: Shadow) -> Shadow:
    """ "No FBC 3/12" as not in the last three months; of what somebody has it is how long that has been away."""
    for found in reversed(list(_NOT_LATELY.finditer(shadow.text))):
        before = shadow.text[: found.start("gap")]
        if before.lower().endswith(_LOOKED) or s.known.ending(before, len(before), *DONE_OR_TAKEN):
            shadow = shadow.rewritten(*found.span("gap"), f" in the last {found['many']} {_unit(found)}")
    return shadow


def _day(s: Stretch, shadow: Shadow, found: re.Match[str]) -> str:
    """A dot parts the day from the month ("1.2.2020"); of other signs the month stands first where both may be one, and
    the other reading is offered."""
    one, two, year = int(found["one"]), int(found["two"]), int(found["year"])
    day_first, month_first = _told_by_others(s)
    orders = [(two, one), (one, two)] if found["sign"] == "." or day_first else [(one, two), (two, one)]
    meant = list(dict.fromkeys(day for month, number in orders if (day := _written(year, month, number))))
    if len(meant) > 1 and found["sign"] != "." and not (day_first or month_first):
        begin, end = shadow.span(*found.span())
        line = s.instead(begin, end, meant[1])
        told = f'"{found[0]}" was read as {meant[0]}. Did you mean {meant[1]}?'
        s.reading.notices.append(Notice("time", told, found[0], line))
    return meant[0] if meant else found[0]


def _told_by_others(s: Stretch) -> tuple[bool, bool]:
    """Whether another date of the line can only have the day first, "between 01/03/2022 and 30/06/2022", and whether
    one can only have the month first."""
    dates = list(_IN_FIGURES.finditer(s.line))
    day_first, month_first = (any(int(m[which]) > _MONTHS_A_YEAR for m in dates) for which in ("one", "two"))
    return day_first, month_first


def _written(year: int, month: int, day: int) -> str:
    """Empty where the calendar has no such day."""
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def _quarter(found: re.Match[str]) -> str:
    first, last = _QUARTERS[int(found["quarter"]) - 1]
    return f"between {first} {found['year']} and {last} {found['year']}"


def _two_years(found: re.Match[str]) -> str:
    """A year and the next one, "2021/22"; others are none."""
    year = int(found["year"])
    return f"{year}-{year + 1}" if int(found["next"]) == (year + 1) % 100 else found[0]


def _long_past(s: Stretch, shadow: Shadow) -> Shadow:
    """What is past, and was so long ago: that a note tells of it as past, whenever, or that an earlier one has it."""
    if not _MORE_AGO.search(shadow.text):
        return shadow
    notices = [*s.reading.notices]
    whole = abbreviated(s, shadow)  # "prior PE over a year ago"
    s.reading.notices[:] = notices
    for found in reversed(list(_MORE_AGO.finditer(whole.text))):
        begin = len(whole.text[: found.start()].rstrip(" ,"))
        named = next(iter(s.known.ending(whole.text, begin, *CONDITIONS, "procedure")), None)
        was = next((m for m in _WAS.finditer(whole.text) if named and m.end() == named.begin), None)
        day = _day_ago(s, found)
        if not (named and was and day) or is_denied(whole.text, was.start()):
            continue
        name = s.known.name_of(named.concept)
        then = all_of([Finding(name, "present"), FieldIs("before", day)])
        place = whole.span(was.start(), found.end())
        s.reading.ways.append(either := any_of([Finding(name, "historical"), then]))
        s.parts.append(Part(either, *place))
        told = f'"{s.typed(*place)}" was read as {name} that a note tells of as past, or that one before {day} has.'
        s.reading.notices.append(Notice("time", told, s.typed(*place)))
        shadow = shadow.blank(shadow.begins.index(place[0]), len(shadow.ends) - shadow.ends[::-1].index(place[1]))
    return shadow


def _day_ago(s: Stretch, found: re.Match[str]) -> str:
    """The day that was so long ago; empty where the calendar has none."""
    word = found["many"].lower()
    many = 1 if word in ("a", "an") else int(word) if word.isdigit() else s.table.numbers[word]
    try:
        return ago(s.known.today, many, found["unit"][0].lower()).isoformat()
    except ValueError:
        return ""


def _before(s: Stretch, found: re.Match[str]) -> str:
    """What was so long ago at least was before that day."""
    day = _day_ago(s, found)
    if not day:
        return found[0]
    told = f'"{found[0]}" was read as notes before {day}; what later notes tell as past is asked for with "history of".'
    s.reading.notices.append(Notice("time", told, found[0]))
    return f"before {day}"


def _in_days(found: re.Match[str]) -> str:
    """ "Within 48 hours" in days, in which time is compared; shorter times than half a day stay."""
    hours = int(found["many"])
    if hours < 12:
        return found[0]
    days = -(-hours // 24)
    last = (
        "the last " if found[0].split()[0].lower() != "within" or re.search(r"(?:last|past)\s", found[0], re.I) else ""
    )
    return f"within {last}{days} day{'s' if days > 1 or last else ''}"
