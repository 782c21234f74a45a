"""Times in words: "since 2019", "in the last two years", "between March 2015 and 2018"."""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

MONTHS = {name.lower(): n for n, name in enumerate(calendar.month_name) if name}
MONTHS |= {name.lower(): n for n, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
MONTH_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY = rf"(?:(?:\d{{1,2}}(?:st|nd|rd|th)?\s)?(?:{MONTH_NAMES})\.?,?\s(?:of\s)?)?(?:19|20)\d\d(?:-\d\d){{0,2}}(?![\d-])"
YEAR = r"(?:19|20)\d\d"
_NO_YEAR = r"mgs?|mcg|g|ml|kg|units?|iu|mm|cm|steps|calories|kcal|guidelines?|criteria|classification|edition|version|-"
"""Behind a number they say that it is no year."""
_TO = r"(?:and|to|until|till|through|up\ to|-|–)"
_UNIT = r"days?|weeks?|months?|years?|yrs?"
_SPAN = re.compile(
    rf"""\b(?:
      (?:between|from)\ (?P<from>{_DAY})\s?{_TO}\s?(?P<to>{_DAY})
    | (?:between|from)\ (?P<from_month>{MONTH_NAMES})\ {_TO}\ (?P<to_month>(?:{MONTH_NAMES})\ (?P<of>{YEAR}))
    | (?:(?:in|during)\ )?(?P<first>{YEAR})\s?(?:[-–]|(?<=\ )(?:to|through|until)(?=\ ))\s?(?P<last>{YEAR})
    | (?P<first_day>{_DAY})\s(?:[-–]|to|until)\s(?P<last_day>{_DAY})
    | (?P<later>{_DAY})\ (?:or\ later|or\ after|and\ later|and\ after|onwards?)
    | (?P<earlier>{_DAY})\ (?:or\ earlier|or\ before|and\ earlier|and\ before)
    | (?:after|later\ than|post(?=.(?:19|20)))[\ -](?:the\ (?:year|end\ of)\ )?(?P<after_day>{_DAY})
    | (?:since|from|starting(?:\ in)?|as\ of|not\ before|(?:on|in)\ or\ after)\ (?:the\ year\ )?
      (?P<since_day>{_DAY})(?:\ onwards?|\ on(?!\ \w)|\ and\ later)?
    | (?:before|prior\ to|earlier\ than|pre(?=.(?:19|20)))[\ -](?:the\ year\ )?(?P<until_day>{_DAY})
    | (?:until|till|through|up\ to|(?:on|in)\ or\ before)\ (?:the\ end\ of\ )?(?P<incl>{_DAY})
    | (?:in|during|throughout|within|of|dated|for)\ (?:the\ year\ )?(?P<in>{_DAY})
    | (?:since|from)\ (?:the\ (?:start|beginning)\ of\ )?(?:this|last)\ (?P<since_unit>week|month|year)(?:\ onwards?)?
    | (?:earlier\ |so\ far\ )?(?:(?:in|during|within)\ )?this\ (?P<this>week|month|year)
    | (?:during\ |from\ )?(?<!the\ )(?<!\bin\ )last\ (?P<last_unit>week|month|year)
    | (?:since|from)\ (?:last\ )?(?P<since_month>{MONTH_NAMES})(?:\ onwards?)?(?!\ (?:{YEAR}|\d))
    | (?:in|during)\ (?:last\ )?(?P<in_month>{MONTH_NAMES})(?!\ (?:{YEAR}|\d|{_TO}\ ))
    | (?P<since_yesterday>since\ yesterday) | (?P<yesterday>yesterday)
    | (?:(?:in|within|during|over|for|from)\ )?(?:the\ )?(?:last|past|previous)\ 
      (?:(?P<number>\d{{1,3}}|[a-z]+)\ (?:of\ )?)?(?P<unit>{_UNIT})
    | (?<![\w./:<>=#-])(?<![<>=]\ )(?P<bare>{_DAY})(?!\s?(?:{_NO_YEAR}|%)\b)(?![./]\w)
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)


_NOTES_FROM = re.compile(
    rf"\b(?:notes?|letters?|reports?|summar(?:y|ies)|records?|documents?|scans?|x-rays?|films?|imaging)\s+from\s+{_DAY}$",
    re.IGNORECASE,
)
"""Notes "from 2021" were written then; what happened "from 2021" goes on."""


@dataclass(frozen=True, slots=True)
class Time:
    """``text[begin:end]`` says: since the day ``after``, and before the day ``before``."""

    begin: int
    end: int
    after: date | None
    before: date | None
    bare: bool = False
    """Whether it is but a year, which a measured value may look like."""


def times(text: str, today: date, numbers: Mapping[str, int]) -> list[Time]:
    """The times that ``text`` names, in its order."""
    out = []
    for m in _SPAN.finditer(text):
        try:
            found = _read(m, today, numbers)
        except ValueError:
            continue
        if found:
            out.append(Time(m.start(), m.end(), *found, bare=bool(m["bare"]) and len(m["bare"]) == 4))
    return out


def _read(m: re.Match[str], today: date, numbers: Mapping[str, int]) -> tuple[date | None, date | None] | None:
    if m["from"]:
        return _first(m["from"]), _next(m["to"])
    if m["from_month"]:
        return _first(f"{m['from_month']} {m['of']}"), _next(m["to_month"])
    if m["first_day"]:
        return _first(m["first_day"]), _next(m["last_day"])
    if m["first"]:
        return _first(m["first"]), _next(m["last"])
    if m["later"]:
        return _first(m["later"]), None
    if m["earlier"]:
        return None, _next(m["earlier"])
    if m["after_day"]:
        return _next(m["after_day"]), None
    if m["since_day"]:
        until = _next(m["since_day"]) if _NOTES_FROM.search(m.string[: m.start()] + m[0]) else None
        return _first(m["since_day"]), until
    if m["until_day"]:
        return None, _first(m["until_day"])
    if m["incl"]:
        return None, _next(m["incl"])
    if m["in"] or m["bare"]:
        day = m["in"] or m["bare"]
        return (_first(day), _next(day)) if m["in"] or _first(day) <= today else None
    if named := m["since_month"] or m["in_month"]:
        first = _latest(MONTHS[named.lower()], today)
        return first, None if m["since_month"] else _after_month(first)
    if m["since_unit"] or m["this"] or m["last_unit"]:
        return _calendar(m, today)
    if m["since_yesterday"]:
        return today - timedelta(days=1), None
    if m["yesterday"]:
        return today - timedelta(days=1), today
    number = m["number"] or "1"
    many = int(number) if number.isdigit() else numbers.get(number.lower(), 0)
    return (ago(today, many, m["unit"][0].lower()), None) if many else None


def _calendar(m: re.Match[str], today: date) -> tuple[date, date | None]:
    """ "This month", "last year", "since last year": by the calendar, a week from its Monday."""
    unit = (m["since_unit"] or m["this"] or m["last_unit"]).lower()
    this = {
        "week": today - timedelta(days=today.weekday()),
        "month": today.replace(day=1),
        "year": today.replace(month=1, day=1),
    }[unit]
    if " last " not in f" {m[0].lower()} ":
        return this, None
    before = ago(this, 1, unit[0])
    return before, None if m["since_unit"] else this


def _latest(month: int, today: date) -> date:
    """The first day of the last ``month`` that has begun."""
    return date(today.year - (month > today.month), month, 1)


def _after_month(first: date) -> date:
    return date(first.year + first.month // 12, first.month % 12 + 1, 1)


def _parts(day: str) -> tuple[int, int | None, int | None]:
    """Year, month and day of a date, as far as it names them."""
    if m := re.fullmatch(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", day):
        return int(m[1]), int(m[2]) if m[2] else None, int(m[3]) if m[3] else None
    words = re.findall(r"[a-z]+|\d+", day.lower())
    month = next(MONTHS[w] for w in words if w in MONTHS)
    numbers = [int(w) for w in words if w.isdigit()]
    return numbers[-1], month, numbers[0] if len(numbers) > 1 else None


def _first(day: str) -> date:
    year, month, number = _parts(day)
    return date(year, month or 1, number or 1)


def _next(day: str) -> date:
    """The first day behind what ``day`` names: a year, a month or a day."""
    year, month, number = _parts(day)
    if number:
        return date(year, month or 1, number) + timedelta(days=1)
    if month:
        return _after_month(date(year, month, 1))
    return date(year + 1, 1, 1)


def ago(today: date, many: int, unit: str) -> date:
    """The day ``many`` days, weeks, months or years before ``today``; the last of the month where it lacks that day.

    Raises:
        ValueError: before the year 1.
    """
    if unit in "dw":
        return today - timedelta(days=many * (7 if unit == "w" else 1))
    months = today.year * 12 + today.month - 1 - many * (12 if unit == "y" else 1)
    year, month = divmod(months, 12)
    return date(year, month + 1, min(today.day, calendar.monthrange(year, month + 1)[1]))
