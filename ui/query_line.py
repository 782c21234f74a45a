"""Criteria back to a query line: the inverse of `search_stack.criteria.parse`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from search_stack.criteria import AnyTerm, ConceptTerm, Query, QueryError, Term, parse

MULTIPLE = {
    "aspect": "aspects",
    "section": "sections",
    "type": "types",
    "patient": "patients",
    "note": "notes",
    "collection": "collections",
}
"""Fields of the query line that may stand there more than once, and where `Query` keeps them."""


def write(query: Query) -> str:
    """The shortest line that reads as ``query``; empty for an empty one.

    >>> write(parse('effusion NOT "pleural plaque" after:2019-01-01 section:impression'))
    'effusion -"pleural plaque" section:impression after:2019'
    """
    parts = [" OR ".join(map(_term, clause)) for clause in query.clauses]
    parts += [_excluded(term) for term in query.excluded]
    for field, attribute in MULTIPLE.items():
        parts += [_field(field, value) for value in values(query, attribute)]
    for field, day in (("after", query.after), ("before", query.before)):
        if day:
            parts.append(f"{field}:{short_day(day)}")
    return " ".join(parts)


def values(query: Query, attribute: str) -> tuple[str, ...]:
    found: Sequence[str] = getattr(query, attribute)
    return tuple(found)


def writable(field: str, value: str) -> bool:
    """Whether a query line can ask for ``value``: not where it is empty or holds a quote."""
    return _reads_as(f'{field}:"{value}"', field, value)


def short_day(day: date) -> str:
    """A day as the line may shorten it: the first of a year is that year.

    >>> short_day(date(2019, 1, 1)), short_day(date(2019, 3, 1)), short_day(date(2019, 3, 2))
    ('2019', '2019-03', '2019-03-02')
    """
    if day.day != 1:
        return day.isoformat()
    return f"{day.year:04}" if day.month == 1 else f"{day.year:04}-{day.month:02}"


def _term(term: AnyTerm) -> str:
    if isinstance(term, ConceptTerm):
        return _concept(term)
    if term.phrase or _read(term.text) != Query(clauses=((term,),)):
        return f'"{term.text}"'
    return term.text


def _excluded(term: AnyTerm) -> str:
    if isinstance(term, ConceptTerm):
        return f"-{_concept(term)}"
    if term.phrase or _read(f"a -{term.text}") != Query(clauses=((Term("a"),),), excluded=(term,)):
        return f'-"{term.text}"'
    return f"-{term.text}"


def _concept(term: ConceptTerm) -> str:
    named = f'{term.role}:"{term.name}"' if re.search(r"[\s:]", term.name) else f"{term.role}:{term.name}"
    return f"{named} {term.assertion}" if term.role == "finding" else named


def _field(field: str, value: str) -> str:
    bare = f"{field}:{value}"
    return bare if _reads_as(bare, field, value) else f'{field}:"{value}"'


def _reads_as(line: str, field: str, value: str) -> bool:
    query = _read(line)
    wanted: dict[str, Any] = {MULTIPLE[field]: (value,)}
    return query == Query(**wanted)


def _read(line: str) -> Query | None:
    try:
        return parse(line)
    except QueryError:
        return None
