"""One run, from the source to notes that can be found."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing

from ingest.ledger import Ledger
from ingest.prepare_index import ensure_index
from ingest.readers import Source
from ingest.run.rejects import Rejects, remove_old
from ingest.run.replacing import retire
from ingest.run.summary import Summary, summary
from ingest.run.taking_in import take_in
from ingest.run.waiting import wait as wait_for_workers
from ingest.run.watcher import Watcher
from ingest.work.dispatch import Dispatcher
from ingest.work.fact_writer import index_facts
from ingest.work.removal import remove_deleted
from ingest.work.writer import Writer
from search_stack.core.client import connect, engine_errors
from search_stack.core.settings import Settings
from search_stack.index.mapping import Indexes
from search_stack.inference.bundle import load_bundle

FEED_EVERY = 1.0
"""Seconds between two looks, while notes still come in, whether the workers have enough to do."""


def run_ingest(
    source: Source,
    ledger: Ledger,
    settings: Settings,
    wait: bool = True,
    watcher: Watcher | None = None,
    replace: bool = False,
) -> Summary:
    """Take ``source`` into the ledger and have it indexed; ``wait`` until every note can be found, and every structured
    fact counts. With ``replace`` facts and parents of codes go that an earlier run brought and this one does not.

    Raises:
        AspectraError: the source cannot be read to its end, the index is not this ledger's, or no
            worker takes the notes. What is in the ledger stays there and is worked on.
    """
    watcher = watcher or Watcher()
    client = connect(settings)
    ensure_index(client, settings, load_bundle(settings.encoder_bundle, "bi").manifest, ledger)
    run = ledger.start_run(source.origin, source.format)
    dispatcher = Dispatcher(ledger, settings)
    began = time.monotonic()
    watcher.reading(0)
    with closing(_rejects(settings, run)) as rejects:
        totals = take_in(source, source.name, ledger, run, rejects, _feeding(watcher, dispatcher))
    if replace:
        totals += retire(source, ledger, run, totals)
    outcomes = ("new", "unchanged", "changed", "rejected")
    ledger.finish_run(run, {k: totals[k] + totals[f"{k} facts"] + totals[f"{k} codes"] for k in outcomes})
    if totals["withdrawn"]:
        remove_deleted(ledger, Writer(client, settings), client, settings)
    if wait:
        index_facts(ledger, client, settings, progress=watcher.writing_facts)
        wait_for_workers(ledger, settings, watcher, dispatcher)
    done = summary(totals, ledger, run, time.monotonic() - began, rejects)
    if wait:
        expected = ledger.expected_passages()
        with engine_errors(settings):
            indexes = Indexes(client, settings)
            indexes.refresh()
            done.index_lacks = indexes.count() < expected
    return done


def _rejects(settings: Settings, run: int) -> Rejects:
    folder = settings.data_dir / "rejects"
    remove_old(folder, settings.rejects_keep_days)
    return Rejects(folder / f"run-{run}.jsonl", settings.rejects_lines)


def _feeding(watcher: Watcher, dispatcher: Dispatcher) -> Callable[[int], None]:
    """Workers begin while the rest is read."""
    fed = 0.0

    def chunk_done(read: int) -> None:
        nonlocal fed
        watcher.reading(read)
        if time.monotonic() - fed > FEED_EVERY:
            fed = time.monotonic()
            dispatcher.try_tick()

    return chunk_done
