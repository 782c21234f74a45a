"""Days as sources write them, also those that are known in part."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

from ingest.readers.record import FieldError

_DAY = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)(?:[T ].*)?)?)?", re.DOTALL)
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)")


def today() -> date:
    return datetime.now(UTC).date()


def whole_day(value: str, field: str) -> date | None:
    """The day of a date, date-time or instant as written, whatever the time zone. None where the value is empty, and
    where it tells only a month or a year: what has no day is undated.

    >>> whole_day("2019-05-03T23:30:00.5+02:00", "date"), whole_day("20190503", "date"), whole_day("2019-05", "date")
    (datetime.date(2019, 5, 3), datetime.date(2019, 5, 3), None)

    Raises:
        FieldError: it is no date.
    """
    year, month, day = _parts(value, field)
    if day is None:
        if month is not None:
            _date(year or 1, month, 1, field)
        return None
    return _date(year or 0, month or 0, day, field)


def birth_date(value: str, field: str) -> date | None:
    """A birth date; the 15th of a month and 1 July of a year where no more is known.

    >>> birth_date("1958", "birth_date"), birth_date("1958-02", "birth_date")
    (datetime.date(1958, 7, 1), datetime.date(1958, 2, 15))

    Raises:
        FieldError: it is no date.
    """
    year, month, day = _parts(value, field)
    return None if year is None else birth_of(year, month, day, field)


def birth_of(year: int, month: int | None, day: int | None, field: str) -> date:
    """The middle of what is known: an age then is at most a year off, and as often too high as too low. Who was born
    this year, or this month, was not born after today.

    Raises:
        FieldError: there is no such day.
    """
    if month is not None and day is not None:
        return _date(year, month, day, field)
    first = _date(year, month or 1, 1, field)
    middle = first.replace(month=7) if month is None else first.replace(day=15)
    return min(middle, today()) if first <= today() else middle


def _parts(value: str, field: str) -> tuple[int | None, int | None, int | None]:
    value = value.strip()
    if not value:
        return None, None, None
    if compact := _COMPACT.fullmatch(value):
        year, month, day = map(int, compact.groups())
        return year, month, day
    found = _DAY.fullmatch(value)
    if not found:
        raise FieldError(field, "not an ISO date")
    known = [int(part) if part else None for part in found.groups()]
    return known[0], known[1], known[2]


def _date(year: int, month: int, day: int, field: str) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise FieldError(field, "not an ISO date") from None
