"""The wait until every note of the ledger is indexed, and what is done where nothing moves."""

from __future__ import annotations

import time
from collections.abc import Mapping

from ingest.ledger import Ledger
from ingest.ledger.tables import PENDING
from ingest.run.watcher import Watcher
from ingest.work.dispatch import Dispatcher
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings

TICK = 0.5
STILL, PAUSE = 3.0, 5.0
"""Seconds without movement after which the watcher hears of it, and at least between two times."""
GIVE_UP = 600.0
"""Seconds without any note indexed after which waiting ends; the notes stay in the ledger."""


class Stalled(AspectraError):
    """Notes wait, and no worker takes them."""


def wait(ledger: Ledger, settings: Settings, watcher: Watcher, dispatcher: Dispatcher | None = None) -> None:
    """Feed the workers and wait until no note is pending.

    Raises:
        Stalled: nothing has moved for `GIVE_UP` seconds.
    """
    total = ledger.counts()[PENDING]
    if not total:
        return
    dispatcher = dispatcher or Dispatcher(ledger, settings)
    patience = _Patience(watcher)
    while True:
        dispatcher.try_tick()  # an absent broker shows as a stall
        counts = ledger.counts()
        watcher.indexing(max(0, total - counts[PENDING]), total)
        if not counts[PENDING]:
            return
        patience.look(counts, time.monotonic())
        time.sleep(TICK)


class _Patience:
    """Where nothing moves the watcher may bring back what died; in the end it is given up."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._before: Mapping[str, int] = {}
        self._since = self._told = 0.0

    def look(self, counts: Mapping[str, int], now: float) -> None:
        """``now``: monotonic seconds."""
        if counts != self._before:
            self._before, self._since = counts, now
        if now - self._since > GIVE_UP:
            raise Stalled(
                f"No note was indexed for {GIVE_UP / 60:.0f} minutes; the notes are safe in the ledger.",
                "See `aspectra status`; then run the same command again.",
            )
        if now - self._since >= STILL and now - self._told >= PAUSE:
            self._told = now
            self._watcher.stopped()
