"""Log lines of a process that waits: a trouble is said at once, then at growing intervals, then that it is over."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from search_stack.core.errors import AspectraError

FIRST, LAST = 10.0, 600.0
"""Seconds after which the same trouble is said again: at first, and at last."""


class Complaints:
    """Says what keeps a process from working.

    Args:
        clock: monotonic seconds.
    """

    def __init__(self, log: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._log = log
        self._clock = clock
        self._said = ""
        self._pause = FIRST
        self._next = 0.0

    def about(self, error: Exception) -> None:
        """Say ``error``: an `AspectraError` in its words; of any other, whose words may be a note's, the kind."""
        words = str(error) if isinstance(error, AspectraError) else type(error).__name__
        now = self._clock()
        if words != self._said:
            self._pause = FIRST
        elif now < self._next:
            return
        else:
            self._pause = min(LAST, 2 * self._pause)
        self._said, self._next = words, now + self._pause
        self._log.error("waiting: %s", words)

    def over(self) -> None:
        """Say once that work goes on."""
        if self._said:
            self._log.warning("goes on")
            self._said = ""
