"""The axis of time of a record: notes and structured facts by their days."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from ingest.ledger.listing import ListedFact
from ui.note_row import NoteRow

DOTS = 150
"""Notes up to which each has a dot on the axis; more are counted in bars, and those that the search shows have dots."""
BARS = 60
_APART = 2.6
"""Percent of the axis that two dots of a row are apart."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A note on the axis. ``x`` in percent from the left; rows are counted from the axis up."""

    x: float
    row: int
    url: str
    title: str
    hues: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    x: float
    width: float
    height: float
    """Percent of the highest."""
    title: str


class Tick(NamedTuple):
    x: float
    label: str

    @property
    def is_beside_end(self) -> bool:
        """Whether on a narrow screen the day of the first or last note takes its room."""
        return 10 < self.x < 30 or 70 < self.x < 90


@dataclass(frozen=True, slots=True)
class Axis:
    dots: tuple[Dot, ...]
    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    facts: tuple[tuple[float, str], ...]
    """Days of structured facts, and what they are."""
    rows: int
    """Of dots."""


def axis(rows: Sequence[NoteRow], facts: Sequence[ListedFact]) -> Axis | None:
    """Notes and structured facts by their days; None where none has one."""
    days = [date.fromisoformat(row.day) for row in rows if row.day]
    coded = [fact for fact in facts if fact.day]
    every = [*days, *(fact.day for fact in coded if fact.day)]
    if not every:
        return None
    first, last = min(every), max(every)
    span = max(1, (last - first).days)

    def x(day: date) -> float:
        return round(3 + 94 * (day - first).days / span, 2)

    dated = [row for row in rows if row.day]
    many = len(dated) > DOTS
    dots = _dots([row for row in dated if row.hues or not many][:DOTS], x)
    return Axis(
        dots,
        _bars(days, first, span) if many else (),
        tuple(_ticks(first, last, x)),
        tuple((x(fact.day), f"{fact.day.isoformat()} {fact.name or fact.code}") for fact in coded if fact.day),
        max((dot.row for dot in dots), default=-1) + 1,
    )


def _dots(rows: Sequence[NoteRow], x: Callable[[date], float]) -> tuple[Dot, ...]:
    ends: list[float] = []
    out = []
    for row in rows:
        at = x(date.fromisoformat(row.day))
        level = next((n for n, end in enumerate(ends) if at - end >= _APART), len(ends))
        ends[level : level + 1] = [at]
        out.append(Dot(at, level, row.url, f"{row.day} {row.name}", tuple(sorted({hue for hue, _ in row.hues}))))
    return tuple(out)


def _bars(days: Sequence[date], first: date, span: int) -> tuple[Bar, ...]:
    counts: dict[int, int] = {}
    for day in days:
        place = min(BARS - 1, (day - first).days * BARS // span)
        counts[place] = counts.get(place, 0) + 1
    most, width = max(counts.values()), 94 / BARS
    return tuple(
        Bar(round(3 + place * width, 2), round(width * 0.8, 2), round(100 * count / most, 1), f"{count} notes")
        for place, count in sorted(counts.items())
    )


def _ticks(first: date, last: date, x: Callable[[date], float]) -> Iterable[Tick]:
    """First and last day, and the years between, where they have room."""
    yield Tick(x(first), first.isoformat())
    years = range(first.year + 1, last.year + 1)
    for year in years[:: -(-len(years) // 8) or 1]:
        at = x(date(year, 1, 1))
        if 12 < at < 88:
            yield Tick(at, str(year))
    if last != first:
        yield Tick(x(last), last.isoformat())
