"""Two versions side by side: whom they share, and how their patients differ."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.cohorts.records import Edition
from search_stack.cohorts.contrast import KINDS, Contrast, Difference, Kind, Spread
from search_stack.cohorts.version import Version
from ui.charts import Bar, Venn, bars, venn
from ui.frame import Frame

SHOWN = 8
"""Differences of a kind that stand open; the others are folded."""
CLIPPED = 2.0
"""Standardised differences are drawn up to this."""
TITLES: dict[Kind, str] = {"sex": "Sex", "age band": "Age", "note type": "Types of notes", "finding": "Findings"}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A version that can be compared, as a choice of a form."""

    value: str
    """Id of the cohort and number of the version, with a dot between."""
    name: str
    patients: int


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    value: str
    first: int
    first_share: str
    second: int
    second_share: str
    standardised: str
    begin: float
    """Of its bar, in percent, 50 being no difference."""
    length: float


@dataclass(frozen=True, slots=True)
class Differences:
    title: str
    rows: tuple[DifferenceRow, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    first: Version
    second: Version
    venn: Venn
    parts: tuple[Bar, ...]
    everyone: int
    ages: tuple[str, str]
    age: str
    differences: tuple[Differences, ...]


@dataclass(frozen=True, slots=True)
class ComparePage:
    frame: Frame
    choices: tuple[Chosen, ...]
    a: str
    b: str
    compared: Compared | None
    problem: str = ""
    """Why the two that are named cannot be compared."""
    shown: int = SHOWN

    def others(self, than: str) -> tuple[Chosen, ...]:
        """What can be compared with the version ``than``; all where it is none."""
        return tuple(one for one in self.choices if one.value != than)


def chosen(cohort: int, edition: Edition) -> Chosen:
    return Chosen(f"{cohort}.{edition.number}", edition.name, edition.patients)


def compared_page(first: Version, second: Version, found: Contrast) -> Compared:
    counts = (found.only_first, found.both, found.only_second)
    names = (f"Only in {first.name}", "In both", f"Only in {second.name}")
    return Compared(
        first=first,
        second=second,
        venn=venn(*counts),
        parts=bars(zip(names, counts, strict=True), sum(counts)),
        everyone=sum(counts),
        ages=(_spread(found.ages[0]), _spread(found.ages[1])),
        age=standardised(found.age, "not known"),
        differences=tuple(of_kind(kind, found.differences) for kind in KINDS),
    )


def standardised(value: float | None, missing: str) -> str:
    """
    >>> standardised(0.1234, ""), standardised(-2, ""), standardised(None, "not known")
    ('+0.12', '−2.00', 'not known')
    """
    return missing if value is None else f"{value:+.2f}".replace("-", "−")


def of_kind(kind: Kind, differences: Sequence[Difference]) -> Differences:
    """Those of a kind in their order; ages in that of their bands."""
    own = [d for d in differences if d.kind == kind]
    return Differences(
        TITLES[kind], tuple(map(_row, sorted(own, key=lambda d: first_age(d.value)) if kind == "age band" else own))
    )


def first_age(band: str) -> float:
    """By which bands of ages stand in their order, as nothing else does.

    >>> sorted(["not known", "90 and older", "20-29", "0-9"], key=first_age)
    ['0-9', '20-29', '90 and older', 'not known']
    """
    first = re.match(r"\d+", band)
    return int(first[0]) if first else math.inf


def _row(d: Difference) -> DifferenceRow:
    without_bound = CLIPPED if d.first_share > d.second_share else -CLIPPED
    size = without_bound if d.standardised is None else max(-CLIPPED, min(CLIPPED, d.standardised))
    length = 50 * abs(size) / CLIPPED
    return DifferenceRow(
        d.value,
        d.first,
        f"{d.first_share:.1%}",
        d.second,
        f"{d.second_share:.1%}",
        standardised(d.standardised, "without bound"),
        round(50 - length if size < 0 else 50, 2),
        round(length, 2),
    )


def _spread(one: Spread) -> str:
    if one.mean is None:
        return "not known"
    return f"{one.mean:.1f}" + (f" ± {one.deviation:.1f}" if one.deviation is not None else "")
