"""Values of a row, whatever its file kept them as: text, numbers, days."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from ingest.readers.days import whole_day
from ingest.readers.facts import number
from ingest.readers.fields import EXACT, INEXACT, as_string, identifier
from ingest.readers.record import FieldError

Row = Mapping[str, object]
"""By column in small letters; a column that the file has not is not there."""
NULLS = frozenset({"", r"\N", "NULL", "null"})
NULL_NUMBERS = NULLS | {"NA", "NaN", "nan"}
"""What databases and R write for a value that is missing; in text "NA" may be a code, such as that of sodium."""

_AS_FLOAT = re.compile(r"(\d{1,32})\.0*")


def text(row: Row, column: str) -> str:
    """
    Raises:
        FieldError: it is no text and no whole number.
    """
    value = row.get(column)
    if value is None:
        return ""
    if isinstance(value, date):
        value = value.isoformat()
    elif isinstance(value, Decimal):
        value = str(value.normalize()) if value.is_nan() or value % 1 else int(value)
    elif isinstance(value, float) and not value.is_integer():
        value = repr(value)
    written = as_string(value, column)
    return "" if written.strip() in NULLS else written


def whole(row: Row, column: str) -> int | None:
    """A whole number; None where there is none.

    Raises:
        FieldError: it is something else.
    """
    value = _numeric(row, column)
    if not value:
        return None
    digits = value.removesuffix(".0")
    if not (digits.isascii() and digits.removeprefix("-").isdigit() and len(digits) < 19):
        raise FieldError(column, "not a whole number")
    return int(digits)


def concept(row: Row, column: str) -> int:
    """A concept's id, 0 where none matches.

    Raises:
        FieldError: it is no whole number.
    """
    return whole(row, column) or 0


def decimal(row: Row, column: str) -> float | None:
    """
    Raises:
        FieldError: it is no number.
    """
    try:
        return number(_numeric(row, column))
    except FieldError as e:
        raise FieldError(column, e.reason) from None


def key(row: Row, column: str) -> str:
    """An id.

    Raises:
        FieldError: there is none.
    """
    return _id(_numeric(row, column), column)


def key_if_any(row: Row, column: str) -> str:
    """An id, or nothing."""
    value = _numeric(row, column)
    return _id(value, column) if value else ""


def day(row: Row, *columns: str) -> date | None:
    """The day in the first of ``columns`` that has one.

    Raises:
        FieldError: one before it is no date.
    """
    return next((d for c in columns if (d := whole_day(_numeric(row, c), c))), None)


def _id(value: str, column: str) -> str:
    """Ids are whole numbers, which data frames write as 7.0 where a column has gaps: 7 in another table is the same."""
    found = _AS_FLOAT.fullmatch(value)
    if found and int(found[1]) >= EXACT:
        raise FieldError(column, INEXACT)
    return identifier(found[1] if found else value, column)


def _numeric(row: Row, column: str) -> str:
    value = text(row, column).strip()
    return "" if value in NULL_NUMBERS else value
