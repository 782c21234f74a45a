"""The pages of kept cohorts: the list of them, and one version at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ingest.cohorts.records import Cohort, Edition
from ingest.cohorts.store import LONGEST_DESCRIPTION
from ingest.cohorts.words import in_units, moment, origin_words
from search_stack.cohorts.overview import Overview
from search_stack.cohorts.version import Asked, Imported, Left, Provenance, Version
from search_stack.core.schema import STATED
from ui.charts import Bar, Column, Stack, all_years, bars, columns, share, stacks
from ui.cohort_head import Head
from ui.frame import Frame
from ui.wording import counted

SHOWN, LISTED = 12, 500
"""Types and findings in a chart, and in the table behind it."""
UNITS = {"m": "minute", "h": "hour", "d": "day", "w": "week", "s": "second"}


@dataclass(frozen=True, slots=True)
class CohortRow:
    cohort: Cohort
    asks: str
    made: str
    runs: str
    """How often it is run; empty where it is not."""
    looked: str


@dataclass(frozen=True, slots=True)
class CohortsPage:
    frame: Frame
    rows: tuple[CohortRow, ...]


@dataclass(frozen=True, slots=True)
class StepBar:
    """A step of the attrition."""

    label: str
    patients: int
    notes: int
    length: float
    share: str
    lost: int
    """Patients of the step before who are not in this one."""


@dataclass(frozen=True, slots=True)
class Cell:
    """How many patients have a finding with an assertion."""

    count: int
    length: float


@dataclass(frozen=True, slots=True)
class FindingRow:
    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """The overview, ready to be drawn."""

    sexes: tuple[str, ...]
    of_sex: tuple[Bar, ...]
    ages: tuple[Stack, ...]
    years: tuple[Column, ...]
    types: tuple[Bar, ...]
    assertions: tuple[str, ...]
    findings: tuple[FindingRow, ...]
    total: int
    """Findings, of which the greatest are in `findings`."""


@dataclass(frozen=True, slots=True)
class Circumstance:
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class CohortPage:
    frame: Frame
    head: Head
    steps: tuple[StepBar, ...]
    figures: Figures | None
    problem: str
    """Why there are no figures."""
    listed: bool
    """It is a list that was given, and has no evidence."""
    editions: tuple[Edition, ...]
    """The newest first."""
    runs: str
    every: tuple[int, str]
    """Number and unit of the schedule; what is offered where there is none."""
    can_run: bool
    """A query made it."""
    found_by: tuple[Circumstance, ...]
    shown: int = SHOWN
    longest: int = LONGEST_DESCRIPTION


def cohort_row(cohort: Cohort) -> CohortRow:
    newest = cohort.newest
    return CohortRow(
        cohort, origin_words(newest.origin), moment(newest.made), runs(cohort.every), moment(cohort.looked)
    )


def runs(every: int | None) -> str:
    """
    >>> runs(86400), runs(1209600), runs(None)
    ('every day', 'every 2 weeks', '')
    """
    if not every:
        return ""
    number, unit = in_units(every)
    return f"every {UNITS[unit]}" if number == 1 else f"every {counted(number, UNITS[unit])}"


def cohort_page(
    frame: Frame, head: Head, overview: Overview | None, problem: str, editions: Sequence[Edition]
) -> CohortPage:
    """
    Args:
        editions: of the cohort, the oldest first.
    """
    version, every = head.version, head.cohort.every
    return CohortPage(
        frame=frame,
        head=head,
        steps=step_bars(version.steps),
        figures=figures(overview, overview.total) if overview else None,
        problem=problem,
        listed=isinstance(version.origin, Imported),
        editions=tuple(reversed(editions)),
        runs=runs(every),
        every=in_units(every) if every else (1, "d"),
        can_run=isinstance(head.cohort.newest.origin, Asked),
        found_by=tuple(_found_by(version)),
    )


def step_bars(steps: Sequence[Left]) -> tuple[StepBar, ...]:
    most = max((step.patients for step in steps), default=0)
    before = [step.patients for step in steps[:1]] + [step.patients for step in steps]
    return tuple(
        StepBar(
            step.step,
            step.patients,
            step.notes,
            100 * step.patients / most if most else 0.0,
            share(step.patients, most),
            max(0, earlier - step.patients),
        )
        for step, earlier in zip(steps, before, strict=False)
    )


def figures(overview: Overview, patients: int) -> Figures:
    of_sex = [(sex, sum(counts[n] for _, counts in overview.ages)) for n, sex in enumerate(overview.sexes)]
    held = [a for a in STATED if any(a in one.patients for one in overview.findings)]
    most = overview.findings[0].most if overview.findings else 0
    return Figures(
        sexes=overview.sexes,
        of_sex=bars(of_sex, patients),
        ages=stacks(overview.ages),
        years=columns(all_years((year.value, year.patients) for year in overview.years)),
        types=bars(((one.value, one.patients) for one in overview.types[:LISTED]), patients),
        assertions=tuple(held),
        findings=tuple(
            FindingRow(one.name, tuple(_cell(one.patients.get(assertion, 0), most) for assertion in held))
            for one in overview.findings[:LISTED]
        ),
        total=len(overview.findings),
    )


def _cell(count: int, most: int) -> Cell:
    return Cell(count, round(100 * count / most, 2) if most else 0.0)


def _found_by(version: Version) -> list[Circumstance]:
    p: Provenance = version.provenance
    told = (
        ("Cohorts that it names", ", ".join(p.cohorts)),
        ("Looked at", moment(p.seen)),
        ("State of the index", p.generation),
        ("Labels", ", ".join(p.labels)),
        ("Lexicon", p.lexicon[:16]),
        ("Rules", p.rules[:16]),
        ("Encoder", p.encoder),
        ("Reranker", p.reranker),
        ("Ledger", p.ledger),
        ("Aspectra", p.program),
        ("Digest", version.digest[:16]),
    )
    return [Circumstance(*one) for one in told if one[1]]
