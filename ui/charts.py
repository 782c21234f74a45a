"""The geometry of charts, and nothing of how they look: pure functions. Lengths are percent unless said otherwise."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

CLOSE = 50
"""Halvings of an interval: more than floating point can tell apart."""


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    count: int
    length: float
    """Of the longest."""
    share: str
    """Of the whole, in words."""


@dataclass(frozen=True, slots=True)
class Part:
    """Of a stacked bar."""

    count: int
    begin: float
    length: float


@dataclass(frozen=True, slots=True)
class Stack:
    label: str
    count: int
    parts: tuple[Part, ...]
    """One for each kind, of no length where there is nobody."""


@dataclass(frozen=True, slots=True)
class Column:
    label: str
    count: int
    begin: float
    width: float
    height: float
    ticked: bool
    """Whether its label stands below: not all have room."""


@dataclass(frozen=True, slots=True)
class Circle:
    x: float
    y: float
    r: float


@dataclass(frozen=True, slots=True)
class Number:
    """Of a part of a Venn diagram, where there is room for it."""

    x: float
    count: int


@dataclass(frozen=True, slots=True)
class Venn:
    """Two circles whose areas, and that of what they share, are in proportion to the counts. Lengths in user units of
    a drawing ``width`` by ``height``."""

    width: float
    height: float
    first: Circle
    second: Circle
    numbers: tuple[Number, ...]


def share(count: int, whole: int) -> str:
    """
    >>> share(1, 3), share(1, 5000), share(0, 0)
    ('33 %', 'under 1 %', '')
    """
    if not whole:
        return ""
    percent = 100 * count / whole
    return "under 1 %" if 0 < percent < 1 else f"{percent:.0f} %"


def bars(values: Iterable[tuple[str, int]], whole: int) -> tuple[Bar, ...]:
    told = list(values)
    most = max((count for _, count in told), default=0)
    return tuple(Bar(label, count, _percent(count, most), share(count, whole)) for label, count in told)


def stacks(values: Sequence[tuple[str, Sequence[int]]]) -> tuple[Stack, ...]:
    most = max((sum(counts) for _, counts in values), default=0)
    return tuple(Stack(label, sum(counts), _parts(counts, most)) for label, counts in values)


def _parts(counts: Sequence[int], most: int) -> tuple[Part, ...]:
    return tuple(Part(n, _percent(sum(counts[:place]), most), _percent(n, most)) for place, n in enumerate(counts))


def columns(values: Sequence[tuple[str, int]], labels: int = 8) -> tuple[Column, ...]:
    """
    Args:
        labels: at most so many are ticked, evenly.
    """
    most = max((count for _, count in values), default=0)
    step = 100 / max(1, len(values))
    every = -(-len(values) // labels)
    return tuple(
        Column(
            label,
            count,
            round(place * step + step * 0.1, 2),
            round(step * 0.8, 2),
            _percent(count, most),
            place % every == 0,
        )
        for place, (label, count) in enumerate(values)
    )


def all_years(values: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Years in their order, those between that nobody has as well: a gap must look like one.

    >>> all_years([("2019", 2), ("2021", 1)])
    [('2019', 2), ('2020', 0), ('2021', 1)]
    """
    told = {int(year): count for year, count in values}
    return [(str(year), told.get(year, 0)) for year in range(min(told), max(told) + 1)] if told else []


def venn(only_first: int, both: int, only_second: int, radius: float = 80.0, margin: float = 4.0) -> Venn:
    """
    Args:
        radius: of the greater circle.
    """
    first, second = only_first + both, only_second + both
    most = max(first, second, 1)
    a, b = (radius * math.sqrt(count / most) for count in (first, second))
    distance = _distance(a, b, math.pi * radius**2 * both / most)
    if not both:
        distance += 2 * margin
    one = Circle(round(margin + a, 2), radius + margin, round(a, 2))
    other = Circle(round(one.x + distance, 2), radius + margin, round(b, 2))
    edges = (one.x - a, other.x - b, one.x + a, other.x + b)
    numbers = _numbers(edges, (only_first, both, only_second))
    return Venn(round(edges[3] + margin, 2), 2 * (radius + margin), one, other, numbers)


def lens(a: float, b: float, distance: float) -> float:
    """The area that two circles of radius ``a`` and ``b`` share."""
    if distance >= a + b:
        return 0.0
    if distance <= abs(a - b):
        return math.pi * min(a, b) ** 2
    first = math.acos(_within((distance**2 + a**2 - b**2) / (2 * distance * a)))
    second = math.acos(_within((distance**2 + b**2 - a**2) / (2 * distance * b)))
    return a**2 * (first - math.sin(2 * first) / 2) + b**2 * (second - math.sin(2 * second) / 2)


def _within(cosine: float) -> float:
    """Rounding may take it a hair beyond."""
    return max(-1.0, min(1.0, cosine))


def _distance(a: float, b: float, area: float) -> float:
    """Of the centres of circles that share ``area``."""
    near, far = abs(a - b), a + b
    for _ in range(CLOSE):
        middle = (near + far) / 2
        near, far = (middle, far) if lens(a, b, middle) > area else (near, middle)
    return (near + far) / 2


def _numbers(edges: tuple[float, float, float, float], counts: tuple[int, int, int]) -> tuple[Number, ...]:
    """
    Args:
        edges: left of the first circle, left of the second, right of the first, right of the second.
    """
    begin, begin_second, end_first, end = edges
    both = (max(begin, begin_second), min(end_first, end))
    rooms = ((begin, begin_second), both, (end_first, end))
    return tuple(
        Number(round((left + right) / 2, 2), count)
        for (left, right), count in zip(rooms, counts, strict=True)
        if count and right - left >= 8 * len(f"{count:,}") + 8
    )


def _percent(count: int, most: int) -> float:
    return round(100 * count / most, 2) if most else 0.0
