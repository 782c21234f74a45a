"""A run of an ingest: records into the ledger, claims to the workers, the wait for the end; without a terminal."""

from __future__ import annotations

from ingest.run.run import run_ingest
from ingest.run.summary import Summary
from ingest.run.waiting import Stalled, wait
from ingest.run.watcher import Watcher

__all__ = ["Stalled", "Summary", "Watcher", "run_ingest", "wait"]
