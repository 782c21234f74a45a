"""Kept cohorts in words: where a version comes from, and how often a schedule runs it."""

from __future__ import annotations

from datetime import datetime

from search_stack.cohorts.version import Asked, Combined, Origin
from search_stack.query.tree import QueryError
from search_stack.query.write import readable, write

SECONDS = {"m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
"""Of the units that periods are told in."""


def origin_words(origin: Origin) -> str:
    """Where a version comes from."""
    if isinstance(origin, Asked):
        try:
            return readable(origin.node)
        except QueryError:
            return "a query that this Aspectra cannot read"
    if isinstance(origin, Combined):
        return f"{origin.operation} of {' and '.join(o.name for o in origin.operands)}"
    return f"a list of {origin.ids:,} ids, {origin.unknown:,} of them unknown, {origin.duplicate:,} given before"


def asked_line(origin: Origin) -> str:
    """The line that asks a version's query anew, as it was typed where it was; empty where there is none, or it cannot
    be read by this Aspectra."""
    try:
        return (origin.line or write(origin.node)) if isinstance(origin, Asked) else ""
    except QueryError:
        return ""


def moment(at: datetime | None) -> str:
    return at.strftime("%Y-%m-%d %H:%M UTC") if at else ""


def period(seconds: int | None) -> str:
    """Seconds in the greatest unit that divides them.

    >>> period(86400), period(5400), period(None)
    ('1d', '90m', '')
    """
    if not seconds:
        return ""
    number, unit = in_units(seconds)
    return f"{number}{unit}"


def in_units(seconds: int) -> tuple[int, str]:
    """
    >>> in_units(1209600), in_units(61)
    ((2, 'w'), (61, 's'))
    """
    units = sorted(((size, unit) for unit, size in SECONDS.items()), reverse=True)
    size, unit = next(((size, unit) for size, unit in units if seconds % size == 0), (1, "s"))
    return seconds // size, unit
