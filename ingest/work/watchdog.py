"""Tells when a worker hangs: Celery's consumers have, after a lost connection to the broker."""

from __future__ import annotations

from collections.abc import Mapping

from ingest.ledger.tables import PENDING


class Watchdog:
    """Watches the ledger's counts.

    Args:
        patience: seconds for which notes may wait while nothing at all moves. Longer than any
            claim lives, so that a broker that was wiped is not taken for a worker that hangs.
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._before: Mapping[str, int] = {}
        self._since = 0.0

    def stuck(self, counts: Mapping[str, int], now: float) -> bool:
        """Whether notes wait and nothing has moved for too long. ``now``: monotonic seconds."""
        if counts != self._before or not counts[PENDING]:
            self._before, self._since = dict(counts), now
            return False
        return now - self._since > self._patience
