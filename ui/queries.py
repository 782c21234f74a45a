"""Query lines that the server keeps, so that no address ever holds one."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict


class QueryStore:
    """Query lines under random tokens of 128 bits, in memory only; the longest unused goes first."""

    def __init__(self, capacity: int = 2000) -> None:
        self._capacity = capacity
        self._lines: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, line: str) -> str:
        token = secrets.token_urlsafe(16)
        with self._lock:
            self._lines[token] = line
            while len(self._lines) > self._capacity:
                self._lines.popitem(last=False)
        return token

    def get(self, token: str) -> str | None:
        """The line under ``token``; None where it was never given or has been let go."""
        with self._lock:
            if token in self._lines:
                self._lines.move_to_end(token)
            return self._lines.get(token)

    def __len__(self) -> int:
        with self._lock:
            return len(self._lines)
