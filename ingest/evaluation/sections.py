"""How well headings are found, against those that a site printed in bold (the format of MTSamples)."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ingest.evaluation.classes import Scores, of_counts
from ingest.sections import sections
from search_stack.errors import AspectraError
from search_stack.evaluation.compare import Interval, paired_bootstrap

_CAPITALS = re.compile(r"^[ \t]*([A-Z][A-Z0-9 /&,()'-]{2,60}):", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Case:
    """A note and the offsets at which its headings begin."""

    text: str
    gold: frozenset[int]


def load_cases(file: Path, limit: int | None = None) -> list[Case]:
    """Notes that have headings, one JSON object a line with ``text`` and ``headings``.

    Raises:
        AspectraError: the file cannot be read, or a line is not of this shape.
    """
    out: list[Case] = []
    try:
        with file.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip() and (case := _case(line, f"{file}:{number}")).gold:
                    out.append(case)
                if limit and len(out) == limit:
                    break
    except OSError as e:
        raise AspectraError(f"{file}: cannot be read ({e.strerror}).", "Name a file of notes.") from e
    except UnicodeDecodeError as e:
        raise AspectraError(f"{file}: not UTF-8.", "Save it as JSON lines in UTF-8.") from e
    if not out:
        raise AspectraError(f"{file}: no note has headings.", "Name a file of notes with headings.")
    return out


def _case(line: str, where: str) -> Case:
    remedy = 'Write each line as: {"text": "PLAN: Rest.", "headings": ["PLAN:"]}'
    try:
        row = json.loads(line)
        text, headings = row["text"], row["headings"]
    except (ValueError, KeyError, TypeError):
        raise AspectraError(f"{where}: not an object with text and headings.", remedy) from None
    if not isinstance(text, str) or not isinstance(headings, list) or not all(isinstance(h, str) for h in headings):
        raise AspectraError(f"{where}: text or headings has the wrong type.", remedy)
    gold, at = [], 0
    for heading in headings:
        found = text.find(heading, at)
        if found < 0:
            raise AspectraError(f"{where}: headings: one is not in the text after the one before it.", remedy)
        gold.append(found)
        at = found + len(heading)
    return Case(text, frozenset(gold))


def ours(text: str) -> set[int]:
    return {s.heading_begin for s in sections(text) if s.heading}


def capitals_and_colon(text: str) -> set[int]:
    """The baseline: capitals at the beginning of a line, with a colon."""
    return {m.start(1) for m in _CAPITALS.finditer(text)}


@dataclass(frozen=True, slots=True)
class SectionsReport:
    heading: Scores
    baseline: Scores
    interval: Interval
    """F1 of each note, ours minus the baseline's."""
    notes_per_second: float
    notes: int
    headings: int


def evaluate(cases: Sequence[Case]) -> SectionsReport:
    """Headings found by the sectioner and by the baseline; a heading is right where it begins at a gold one."""
    ours("A:")  # tables are read once, and not while the clock runs
    began = time.perf_counter()
    found = [ours(c.text) for c in cases]
    seconds = time.perf_counter() - began
    ruled = [capitals_and_colon(c.text) for c in cases]
    return SectionsReport(
        heading=_total(cases, found),
        baseline=_total(cases, ruled),
        interval=paired_bootstrap(_each(cases, found), _each(cases, ruled)),
        notes_per_second=len(cases) / seconds,
        notes=len(cases),
        headings=sum(len(c.gold) for c in cases),
    )


Offsets = Sequence[Iterable[int]]


def _total(cases: Sequence[Case], found: Offsets) -> Scores:
    sets = [set(f) for f in found]
    hits = sum(len(f & c.gold) for f, c in zip(sets, cases, strict=True))
    return of_counts(hits, sum(map(len, sets)), sum(len(c.gold) for c in cases))


def _each(cases: Sequence[Case], found: Offsets) -> list[float]:
    one: Callable[[Case, set[int]], float] = lambda c, f: of_counts(len(f & c.gold), len(f), len(c.gold)).f1  # noqa: E731
    return [one(c, set(f)) for c, f in zip(cases, found, strict=True)]
