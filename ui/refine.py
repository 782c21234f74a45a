"""Ways to go on from an answer: filters to take off, facets to put on. Each is a whole query line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, TypeVar

from search_stack.answer import FacetValue
from search_stack.criteria import Query
from ui.query_line import MULTIPLE, values, writable, write
from ui.wording import named

_T = TypeVar("_T")
FACETS = {"type": "Note type", "section": "Section"}


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is on. ``line`` is the query without it, empty where nothing is left."""

    name: str
    value: str
    line: str


@dataclass(frozen=True, slots=True)
class FacetRow:
    """``share`` is the bar's length, 1 to 100. ``line`` switches the filter; None where no line can say it."""

    value: str
    passages: int
    share: int
    active: bool
    line: str | None


@dataclass(frozen=True, slots=True)
class Facet:
    name: str
    rows: tuple[FacetRow, ...]


def chips(query: Query, understood: Query) -> tuple[Chip, ...]:
    """The filters and exclusions of ``query`` as it was typed, in the order in which the line is written;
    ``understood`` also excludes what was said in words ("without pneumothorax"), after those."""
    out = []
    for n, term in enumerate(understood.excluded):
        whole = query if n < len(query.excluded) else replace(understood, within=None)
        out.append(Chip("without", named(term), write(replace(whole, excluded=_less(whole.excluded, n)))))
    for field, attribute in MULTIPLE.items():
        held = values(query, attribute)
        out += [Chip(field, value, write(_with(query, attribute, _less(held, n)))) for n, value in enumerate(held)]
    if query.after:
        out.append(Chip("from", query.after.isoformat(), write(replace(query, after=None))))
    if query.before:
        out.append(Chip("before", query.before.isoformat(), write(replace(query, before=None))))
    return tuple(out)


def facets(query: Query, counted: Mapping[str, Sequence[FacetValue]]) -> tuple[Facet, ...]:
    """Note types and sections, the commonest first, each with the line that switches it."""
    out = []
    for field, name in FACETS.items():
        found = counted.get(field, ())
        most = max((v.passages for v in found), default=1)
        rows = tuple(_row(query, field, v, most) for v in found)
        if rows:
            out.append(Facet(name, rows))
    return tuple(out)


def years(query: Query, counted: Sequence[FacetValue]) -> tuple[FacetRow, ...]:
    """Years in their order; choosing one replaces the dates of the query, choosing it again lifts them."""
    most = max((v.passages for v in counted), default=1)
    out = []
    for v in sorted(counted, key=lambda v: int(v.value)):
        year = int(v.value)
        span = (date(year, 1, 1), date(year + 1, 1, 1)) if year < date.max.year else (date(year, 1, 1), None)
        active = (query.after, query.before) == span
        after, before = (None, None) if active else span
        line = write(replace(query, after=after, before=before))
        out.append(FacetRow(v.value, v.passages, _share(v.passages, most), active, line))
    return tuple(out)


def with_patient(query: Query, patient_id: str) -> str | None:
    """The same search in one patient's notes; None where no line can name the patient."""
    return write(replace(query, patients=(patient_id,))) if writable("patient", patient_id) else None


def with_note(query: Query, note_id: str) -> str | None:
    """The same search in one note; None where no line can name it."""
    return write(replace(query, notes=(note_id,))) if writable("note", note_id) else None


def _row(query: Query, field: str, counted: FacetValue, most: int) -> FacetRow:
    held = values(query, MULTIPLE[field])
    kept = tuple(h for h in held if h.casefold() != counted.value.casefold())
    active = kept != held
    line = None
    if active:
        line = write(_with(query, MULTIPLE[field], kept))
    elif writable(field, counted.value):
        line = write(_with(query, MULTIPLE[field], (*held, counted.value)))
    return FacetRow(counted.value, counted.passages, _share(counted.passages, most), active, line)


def _share(passages: int, most: int) -> int:
    return max(1, round(100 * passages / most))


def _with(query: Query, attribute: str, held: tuple[str, ...]) -> Query:
    change: dict[str, Any] = {attribute: held}
    return replace(query, **change)


def _less(items: tuple[_T, ...], position: int) -> tuple[_T, ...]:
    return items[:position] + items[position + 1 :]
