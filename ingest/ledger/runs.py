"""Ingests, and what became of the notes that they brought."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Row, func, select

from ingest.ledger.tables import FAILED, PENDING, STATES, notes, runs

OUTCOMES = ("new", "unchanged", "changed", "rejected")


@dataclass(frozen=True, slots=True)
class Run:
    """One ingest. Its file's name, which may be a patient's, is left out."""

    number: int
    format: str
    started: datetime
    finished: datetime | None
    """None: it goes on, or was broken off, while it reads."""
    counts: Mapping[str, int]
    """Records by outcome; zero until it has finished."""


@dataclass(frozen=True, slots=True)
class Progress:
    """A run, and its notes as they stand now: those that no later run brought in another text."""

    run: Run
    came: int | None
    """Notes that it brought so far; None where it has finished and its counts say it."""
    waiting: int
    failed: int


class Standing(StrEnum):
    """How a run stands, where it is looked for by that."""

    UNREAD = "not read to its end"
    REJECTED = "records were rejected"
    WAITING = "notes wait"
    FAILED = "notes have failed"


@dataclass(frozen=True, slots=True)
class WantedRuns:
    """Which runs are looked for; empty or None where all are."""

    format: str = ""
    standing: Standing | None = None
    since: date | None = None
    until: date | None = None
    """Days on which they began, in UTC; the last one too."""

    def where(self) -> Iterator[ColumnElement[bool]]:
        if self.format:
            yield runs.c.format == self.format
        if self.since:
            yield runs.c.started >= datetime.combine(self.since, time(), UTC)
        if self.until and self.until < date.max:
            yield runs.c.started < datetime.combine(self.until + timedelta(days=1), time(), UTC)
        if self.standing is Standing.UNREAD:
            yield runs.c.finished.is_(None)
        elif self.standing is Standing.REJECTED:
            yield runs.c.rejected > 0
        elif self.standing:
            state = PENDING if self.standing is Standing.WAITING else FAILED
            yield runs.c.id.in_(select(notes.c.run).where(notes.c.state == state))


ALL = WantedRuns()


def formats_of(engine: Engine) -> tuple[str, ...]:
    """Those that some run read."""
    with engine.connect() as c:
        return tuple(c.scalars(select(runs.c.format).distinct().order_by(runs.c.format)))


def newest_runs(engine: Engine, most: int, wanted: WantedRuns = ALL) -> list[Progress]:
    """The newest first."""
    with engine.connect() as c:
        newest = select(runs).where(*wanted.where()).order_by(runs.c.id.desc()).limit(most)
        found = [run_of(row) for row in c.execute(newest)]
        waiting, failed = (_notes_of(c, found, notes.c.state == state) for state in (PENDING, FAILED))
        reading = [run for run in found if run.finished is None]
        since = min((run.started for run in reading), default=None)
        # State and time, so that an index leads to them: the rest of a large ledger is not read.
        came = _notes_of(c, reading, notes.c.state.in_(STATES), notes.c.updated >= since) if since else {}
    return [
        Progress(
            run,
            None if run.finished else came.get(run.number, 0),
            waiting.get(run.number, 0),
            failed.get(run.number, 0),
        )
        for run in found
    ]


def run_of(row: Row[Any]) -> Run:
    return Run(row.id, row.format, row.started, row.finished, {o: getattr(row, o) for o in OUTCOMES})


def _notes_of(c: Connection, some: Sequence[Run], *where: ColumnElement[bool]) -> dict[int, int]:
    """Notes that ``where`` is true of, by the number of their run."""
    mine = notes.c.run.in_([run.number for run in some])
    found = c.execute(select(notes.c.run, func.count()).where(mine, *where).group_by(notes.c.run))
    return {run: number for run, number in found}  # noqa: C416  # dict() takes no rows, for mypy
