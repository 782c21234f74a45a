"""Exports written by a worker: one that was killed is taken up by another where it stopped."""

from __future__ import annotations

import logging
from datetime import timedelta

from ingest.cohorts.finding import Finder
from ingest.cohorts.store import Store
from ingest.handover.export import check, export
from ingest.handover.jobs import Job, Jobs, Query
from ingest.handover.preparing import cover, gathering
from ingest.ledger import Ledger
from ingest.ledger.purposes import reach_of
from search_stack.cohorts.version import Found
from search_stack.core.client import EngineUnavailable
from search_stack.core.errors import AspectraError
from search_stack.query.tree_json import from_json
from search_stack.retrieval.searcher import Searcher

log = logging.getLogger(__name__)
AGAIN = timedelta(minutes=1)
"""Until another try, where the engine was away."""


class Taken(Exception):
    """Another worker has it by now: this one was silent for too long."""


def run_exports(finder: Finder, searcher: Searcher, ledger: Ledger) -> int:
    """Write all that wait, one after another, each with what its purpose covers; how many were claimed.

    What goes wrong with one is kept beside it, and keeps no other from being written.

    Raises:
        LedgerUnavailable: the claim lapses by itself.
    """
    jobs = Jobs(ledger.engine)
    count = 0
    while made := jobs.claim():
        count += 1
        claim, job = made
        try:
            reach = reach_of(ledger.engine, job.purpose)
            own = ledger.within(reach)
            _write(claim, job, jobs, finder.within(reach), searcher.within(reach, own), own)
            jobs.finish(claim)
        except Taken:
            log.warning("an export was taken over by another worker")
        except EngineUnavailable as e:
            jobs.release(claim, e.message, AGAIN)
        except AspectraError as e:
            log.warning("an export could not be written")
            jobs.finish(claim, f"{e.message} {e.remedy}".strip())
    return count


def _write(claim: str, job: Job, jobs: Jobs, finder: Finder, searcher: Searcher, ledger: Ledger) -> None:
    order = job.order
    if job.attempts > 1 and not order.begun and order.is_there(job.made):
        return
    check(order)
    store = Store.of(ledger)
    found = _found(job, store, finder)
    text = bool(job.options["text"])
    sheet = cover(found, store, searcher, job.form, job.by, job.made, text, job.options["definition"])

    def progress(stage: str, done: int, total: int) -> None:
        if not jobs.tell(claim, stage, done, total):
            raise Taken

    export(order, sheet, gathering(found, store, searcher, ledger, text), progress)


def _found(job: Job, store: Store, finder: Finder) -> Found:
    """
    Raises:
        AspectraError: the version is not kept any more.
    """
    if isinstance(job.of, Query):
        return finder.find(from_json(job.of.tree), job.of.unit, job.of.line)
    version = store.version(job.of.cohort, job.of.number)
    if version.id != job.of.id:
        raise AspectraError(f"{job.of.name} was deleted, and is another by now.", "Export that one by itself.")
    return version
