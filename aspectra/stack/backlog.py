"""How far the notes are, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from ingest.ledger import Ledger
from ingest.ledger.backlog import Backlog, backlog
from ingest.ledger.database import is_there
from ingest.ledger.runs import Run
from ingest.ledger.tables import DELETING, INDEXED, PENDING
from search_stack.core.settings import Settings


def backlog_lines(settings: Settings, now: datetime) -> list[str]:
    """What `aspectra status` says of the ledger. Changes nothing.

    Raises:
        AspectraError: the ledger cannot be read.
    """
    if not is_there(settings.ledger_address):
        return ["There is no ledger yet: no note was ingested."]
    ledger = Ledger.from_settings(settings)
    try:
        return [*_lines(backlog(ledger), now), *_of_facts(ledger.facts.counts())]
    finally:
        ledger.engine.dispose()


def _lines(found: Backlog, now: datetime) -> Iterator[str]:
    yield (
        f"Notes: {found.indexed:,} indexed, {found.waiting:,} waiting, {found.claimed:,} claimed "
        f"({found.claims:,} claims out), {found.failed:,} failed, {found.deleting:,} being deleted."
    )
    if found.moved and (found.waiting or found.claimed or found.deleting):
        yield f"Nothing has moved since {_clock(found.moved)}, for {_span((now - found.moved).total_seconds())}."
    if found.last:
        yield _of_run(found.last)


def _of_facts(counts: Mapping[str, int]) -> Iterator[str]:
    if any(counts.values()):
        waiting = f"{counts[PENDING]:,} waiting, {counts[DELETING]:,} being deleted"
        yield f"Facts: {counts[INDEXED]:,} indexed, {waiting}."


def _of_run(run: Run) -> str:
    begun = f"Last ingest: run {run.number}, {run.format}, {_clock(run.started)}"
    if run.finished is None:
        return f"{begun}; it has not read to its end."
    counts = ", ".join(f"{number:,} {outcome}" for outcome, number in run.counts.items())
    return f"{begun}: {counts}."


def _clock(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _span(seconds: float) -> str:
    """
    >>> [_span(s) for s in (0, 59, 60, 7300)]
    ['0 s', '59 s', '1 min', '2 h']
    """
    if seconds < 60:
        return f"{max(0.0, seconds):.0f} s"
    return f"{seconds // 60:.0f} min" if seconds < 7200 else f"{seconds // 3600:.0f} h"
