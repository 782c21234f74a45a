"""Ways to go on from an answer: filters to put on or off, years, one patient. Each is a whole query line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from search_stack.query.fields import BY_KEY, FIELDS
from search_stack.query.nodes import FieldIs, Finding, Node
from search_stack.query.tree import all_of, criteria, is_filter, leaves, pruned, wanted
from search_stack.query.understand import Understood
from search_stack.query.write import write
from search_stack.retrieval.answer import FacetValue, FindingCounts
from ui.highlight import SIGNS

_BREAKS = frozenset("\n;•◦▪●○■·")
"""A line with one of these may have parts that a filter at its end would not reach."""
_FIELDS = re.compile(r'(?:\s+[A-Za-z]+:(?:"[^"]*"|[^\s()"]+))*\s*')
_LINKS = frozenset(("and", "or", "not", "but", "no", "nor", "with", "without", "&", "&&", "|", "||"))


@dataclass(frozen=True, slots=True)
class FacetRow:
    """``share`` is the bar's length, 1 to 100. ``line`` switches the filter; None where no line can say it."""

    value: str
    count: int
    share: int
    active: bool
    line: str | None

    @property
    def shown(self) -> str:
        """
        >>> FacetRow(">=80", 1, 1, False, None).shown, FacetRow("", 1, 1, False, None).shown
        ('80 or more', 'none given')
        """
        at_least = self.value.removeprefix(">=")
        return f"{at_least} or more" if at_least != self.value else self.value or "none given"


@dataclass(frozen=True, slots=True)
class Facet:
    name: str
    rows: tuple[FacetRow, ...]


@dataclass(frozen=True, slots=True)
class FindingCell:
    """What may be said of a finding, and the line that asks for it too."""

    assertion: str
    sign: str
    count: int
    line: str


@dataclass(frozen=True, slots=True)
class FindingRow:
    name: str
    cells: tuple[FindingCell, ...]


def findings(asked: Understood, counted: Sequence[FindingCounts]) -> tuple[FindingRow, ...]:
    """What else the notes say, each number with the line that has it as one more criterion."""
    return tuple(
        FindingRow(one.name, tuple(_cell(asked, Finding(one.name, v.value), v.count) for v in one.counts))
        for one in counted
    )


def _cell(asked: Understood, finding: Finding, count: int) -> FindingCell:
    line = write(all_of([*criteria(asked.query), finding]))
    return FindingCell(finding.assertion, SIGNS[finding.assertion], count, line)


def facets(asked: Understood, counted: Mapping[str, Sequence[FacetValue]]) -> tuple[Facet, ...]:
    """The facets of `search_stack.query.fields`, each row with the line that switches it."""
    out = []
    for field in FIELDS:
        found = counted.get(field.key, ()) if field.facet else ()
        most = max((v.count for v in found), default=1)
        rows = tuple(_row(asked, field.key, v, most) for v in found)
        if rows:
            out.append(Facet(field.facet, rows))
    return tuple(out)


def years(asked: Understood, counted: Sequence[FacetValue]) -> tuple[FacetRow, ...]:
    """Years in their order; choosing one replaces the dates of the query, choosing it again lifts them."""
    most = max((v.count for v in counted), default=1)
    held = {f for f in _filters(asked.query) if BY_KEY[f.field].is_day}
    rest = pruned(asked.query, lambda leaf: not (isinstance(leaf, FieldIs) and BY_KEY[leaf.field].is_day))
    rows = []
    for v in counted:
        span = _span(int(v.value))
        active = held == set(span)
        wished = rest if active else all_of([*(criteria(rest) if rest else ()), *span])
        rows.append(FacetRow(v.value, v.count, _share(v.count, most), active, write(wished) if wished else None))
    return tuple(rows)


def _span(year: int) -> list[FieldIs]:
    """The days of a year; the last year of the calendar has no day behind it."""
    days = {"after": date(year, 1, 1)} | ({"before": date(year + 1, 1, 1)} if year < date.max.year else {})
    return [FieldIs(key, day.isoformat()) for key, day in days.items()]


def with_patient(asked: Understood, patient_id: str) -> str | None:
    """The same search in one patient's notes; None where no line can name the patient, or it is that already."""
    return with_field(asked, "patient", patient_id)


def with_note(asked: Understood, note_id: str) -> str | None:
    """The same search in one note; None where no line can name it, or it is that already."""
    return with_field(asked, "note", note_id)


def with_field(asked: Understood, key: str, value: str) -> str | None:
    """The line with one more filter; it keeps what was typed where that is sure to mean the same."""
    one = FieldIs(key, value)
    if one in _filters(asked.query) or not _writable(value):
        return None
    others = [f for f in _filters(asked.query) if f.field == key]
    if others and key in ("patient", "note"):
        rest = pruned(asked.query, lambda leaf: leaf not in others)
        return write(all_of([*(criteria(rest) if rest else ()), one]))
    if not others and _is_one_part(asked) and not is_filter(asked.query) and _ends_in_a_criterion(asked):
        return f"{asked.line.strip()} {write(one)}"
    return write(all_of([*criteria(asked.query), one]))


def without_field(asked: Understood, one: FieldIs) -> str | None:
    """The line without that filter; None where nothing is left."""
    before, typed, behind = asked.line.partition(write(one))
    # Between two other criteria it may keep one from reaching the other: "no fever type:letter cough".
    if typed and typed not in behind and _is_one_part(asked) and _FIELDS.fullmatch(behind):
        words = before.split()
        left = " ".join((before + behind).split())
        if left and not (words and (not before[-1].isspace() or words[-1].casefold() in _LINKS)):
            return left
    rest = pruned(asked.query, lambda leaf: leaf != one)
    return write(rest) if rest else None


def _is_one_part(asked: Understood) -> bool:
    return _BREAKS.isdisjoint(asked.line) and not asked.aside and ". " not in asked.line


def _ends_in_a_criterion(asked: Understood) -> bool:
    """Not in a word that would say something of the filter behind it: "cough without"."""
    return " ".join(asked.line.split()).rstrip(" )?!.,").endswith(tuple(asked.typed.values()))


def _row(asked: Understood, key: str, counted: FacetValue, most: int) -> FacetRow:
    active = [f for f in _filters(asked.query) if f.field == key and f.value.casefold() == counted.value.casefold()]
    line = without_field(asked, active[0]) if active else with_field(asked, key, counted.value)
    return FacetRow(counted.value, counted.count, _share(counted.count, most), bool(active), line)


def _filters(query: Node) -> list[FieldIs]:
    """The fields that hold for the whole query."""
    whole = [c for c in criteria(query) if is_filter(c) and list(wanted(c)) == list(leaves(c))]
    return [leaf for c in whole for leaf in leaves(c) if isinstance(leaf, FieldIs)]


def _writable(value: str) -> bool:
    """Whether a query line can ask for ``value``: not where it is empty or holds a quote."""
    return any(c.isalnum() for c in value) and '"' not in value and " ".join(value.split()) == value


def _share(count: int, most: int) -> int:
    return max(1, round(100 * count / most))
