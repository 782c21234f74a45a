"""A consumer that has lost its broker and does not know it.

Where an acknowledgement meets the loss before the waiting read does, Celery's consumer goes on to listen to a
connection that is closed, for ever. From within its loop an error of the connection makes it connect anew.
"""

from __future__ import annotations

import logging
from typing import Any

from celery.worker import state

log = logging.getLogger(__name__)
FIRST, LAST = 15.0, 240.0
"""Seconds for which claims may wait while this worker has nothing to do: at first, and at last."""


class Hearing:
    """Tells when nothing is heard that should be. What waits may be another worker's: hence the growing patience."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._patience = FIRST

    def lost(self, waiting: int, busy: bool, now: float) -> bool:
        """Whether claims wait for too long while this worker is not ``busy``. ``now``: monotonic seconds."""
        if busy or not waiting:
            self._since, self._patience = None, FIRST
            return False
        if self._since is None:
            self._since = now
        if now - self._since < self._patience:
            return False
        self._since, self._patience = now, min(LAST, 2 * self._patience)
        return True


def busy() -> bool:
    """Whether this worker has a task, in whichever of its processes."""
    return bool(state.active_requests or state.reserved_requests)


def connect_anew(consumer: Any) -> None:
    """Have Celery's ``consumer`` drop its connection to the broker and make another."""
    log.warning("claims wait and no task comes: connecting to the broker anew")
    consumer.call_soon(_lose)


def _lose() -> None:
    raise ConnectionResetError("no task came")
