"""How well headings are found, against those that a site printed in bold."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from search_stack.evaluation.compare import Interval, paired_bootstrap
from search_stack.evaluation.datasets.headed_notes import HeadedNote
from search_stack.evaluation.measures.precision_recall import PrecisionRecall, of_counts
from search_stack.language.sections import sections

_CAPITALS = re.compile(r"^[ \t]*([A-Z][A-Z0-9 /&,()'-]{2,60}):", re.MULTILINE)


def ours(text: str) -> set[int]:
    return {s.heading_begin for s in sections(text) if s.heading}


def capitals_and_colon(text: str) -> set[int]:
    """The baseline: capitals at the beginning of a line, with a colon."""
    return {m.start(1) for m in _CAPITALS.finditer(text)}


@dataclass(frozen=True, slots=True)
class SectionsReport:
    heading: PrecisionRecall
    baseline: PrecisionRecall
    interval: Interval
    """F1 of each note, ours minus the baseline's."""
    notes_per_second: float
    notes: int
    headings: int


def evaluate(notes: Sequence[HeadedNote]) -> SectionsReport:
    """Headings found by the sectioner and by the baseline; a heading is right where it begins at a gold one."""
    ours("A:")  # tables are read once, and not while the clock runs
    began = time.perf_counter()
    found = [ours(n.text) for n in notes]
    seconds = time.perf_counter() - began
    ruled = [capitals_and_colon(n.text) for n in notes]
    return SectionsReport(
        heading=_total(notes, found),
        baseline=_total(notes, ruled),
        interval=paired_bootstrap(_each(notes, found), _each(notes, ruled)),
        notes_per_second=len(notes) / seconds,
        notes=len(notes),
        headings=sum(len(n.gold) for n in notes),
    )


Offsets = Sequence[Iterable[int]]


def _total(notes: Sequence[HeadedNote], found: Offsets) -> PrecisionRecall:
    sets = [set(f) for f in found]
    hits = sum(len(f & n.gold) for f, n in zip(sets, notes, strict=True))
    return of_counts(hits, sum(map(len, sets)), sum(len(n.gold) for n in notes))


def _each(notes: Sequence[HeadedNote], found: Offsets) -> list[float]:
    """F1 of each note."""
    pairs = ((n.gold, set(f)) for n, f in zip(notes, found, strict=True))
    return [of_counts(len(f & gold), len(f), len(gold)).f1 for gold, f in pairs]
