"""Feeds the broker from the ledger, and finishes what was left half-done."""

from __future__ import annotations

import logging

from celery import Celery
from opensearchpy import OpenSearch

from ingest.ledger import Ledger
from ingest.ledger.queue import Queue
from ingest.work.celery_app import make_celery, send
from ingest.work.fact_sweep import FactSweep
from ingest.work.fact_writer import index_facts
from ingest.work.orphans import OrphanSweep
from ingest.work.removal import remove_deleted
from ingest.work.writer import Writer
from search_stack.core.client import EngineUnavailable, connect
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from search_stack.index.meta import ForeignIndex

log = logging.getLogger(__name__)
FACTS_AT_ONCE = 20_000
"""Structured facts that one sweep writes at most: a few seconds."""


class BrokerUnavailable(AspectraError):
    """The broker takes no message now."""


def make_queue(ledger: Ledger, settings: Settings) -> Queue:
    return Queue(ledger, settings.batch_notes, settings.visibility_seconds, settings.max_attempts)


class Dispatcher:
    """Keeps a bounded number of claims in the broker; safe to run in any number of places."""

    def __init__(self, ledger: Ledger, settings: Settings, app: Celery | None = None) -> None:
        self._settings = settings
        self._ledger = ledger
        self._queue = make_queue(ledger, settings)
        self._app = app or make_celery(settings)
        self._client: OpenSearch = connect(settings)
        self._orphans = OrphanSweep(ledger, self._client, settings)
        self._facts = FactSweep(ledger, self._client, settings)

    def tick(self) -> int:
        """Send claims until enough wait; how many were sent.

        Raises:
            BrokerUnavailable: the claim stays in the ledger and is free again when its time is up.
        """
        sent = 0
        room = self._settings.queue_batches - self._queue.waiting()
        while sent < room and (claim := self._queue.claim()):
            try:
                send(self._app, claim)
            except Exception as e:  # each transport has errors of its own: a full disk is a ResponseError of Redis
                self._queue.disclaim(claim)
                remedy = "Check ASPECTRA_BROKER_URL." if self._settings.broker_url else "Start it: aspectra up"
                raise BrokerUnavailable("The broker does not answer.", remedy) from e
            sent += 1
        return sent

    def waiting(self) -> int:
        """Claims that are in the broker or at work."""
        return self._queue.waiting()

    def try_tick(self) -> None:
        """Like `tick`, where an absent broker is met later on."""
        try:
            self.tick()
        except BrokerUnavailable as e:
            log.info("%s", e.message)

    def sweep(self) -> int:
        """Finish deletions that were interrupted, look for passages that no note stands behind, and write the
        structured facts that wait.

        Returns:
            How many notes were deleted.
        """
        try:
            done = remove_deleted(self._ledger, Writer(self._client, self._settings), self._client, self._settings)
            if orphans := self._orphans.step():
                log.warning("%d passages were deleted that no note of the ledger stands behind", orphans)
            if amiss := self._facts.step():
                log.warning("%d structured facts of the index were not as the ledger has them; mended", amiss)
            index_facts(self._ledger, self._client, self._settings, FACTS_AT_ONCE)
        except (EngineUnavailable, ForeignIndex):
            return 0
        return done
