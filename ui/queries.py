"""Query lines that the server keeps, so that no address ever holds one."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict

SOON = 60.0
"""Seconds in which the final order of an answer follows the first."""
NOBODY = ""
"""Owner of what comes without the page's cookie: all of that shares one allowance."""


class QueryStore:
    """Query lines under random tokens of 128 bits, in memory only; whoever has the token may read the line.

    Each browser has an allowance of its own, so that no other one can push its searches out; within it
    the longest unused goes first. Where all together have too many, the browser that was longest away loses.
    """

    def __init__(self, capacity: int = 5000, each: int = 200) -> None:
        self._capacity = capacity
        self._each = each
        self._lines: dict[str, str] = {}
        self._owner: dict[str, str] = {}
        self._told: dict[str, tuple[float, frozenset[str]]] = {}
        self._before: dict[str, tuple[str, str]] = {}
        self._tokens: OrderedDict[str, OrderedDict[str, None]] = OrderedDict()
        """By owner, longest away first, its tokens, longest unused first."""
        self._lock = threading.Lock()

    def put(self, line: str, owner: str = NOBODY, before: tuple[str, str] | None = None) -> str:
        """Keep ``line`` and give its token. ``before``: the token of the search from which the reader took this step,
        and its scope."""
        token = secrets.token_urlsafe(16)
        with self._lock:
            self._lines[token], self._owner[token] = line, owner
            if before:
                self._before[token] = before
            self._touch(token)
            if len(self._tokens[owner]) > self._each:
                self._drop_first(owner)
            while len(self._lines) > self._capacity:
                self._drop_first(next(iter(self._tokens)))
        return token

    def put_once(self, line: str, owner: str = NOBODY) -> str:
        """`put`, or the token that ``owner`` has for the same line: what the page itself asks again and again must not
        push the reader's searches out."""
        with self._lock:
            known = next((t for t in reversed(self._tokens.get(owner, {})) if self._lines[t] == line), None)
        return known or self.put(line, owner)

    def get(self, token: str) -> str | None:
        """The line under ``token``; None where it was never given or has been let go."""
        with self._lock:
            if token in self._lines:
                self._touch(token)
            return self._lines.get(token)

    def owner_of(self, token: str) -> str | None:
        """Whose search it was; None where it is not kept."""
        with self._lock:
            return self._owner.get(token)

    def before(self, token: str) -> tuple[str, str] | None:
        """As it was put."""
        with self._lock:
            return self._before.get(token)

    def told(self, token: str, notes: frozenset[str]) -> None:
        """The audit trail has ``notes`` as shown by the search under ``token``."""
        with self._lock:
            if token in self._lines:
                self._told[token] = time.monotonic(), notes

    def take_told(self, token: str) -> frozenset[str]:
        """What was told last; none a second time, or after `SOON`: whoever looks again leaves an entry again."""
        with self._lock:
            at, notes = self._told.pop(token, (0.0, frozenset()))
        return notes if time.monotonic() - at < SOON else frozenset()

    def knows(self, owner: str) -> bool:
        """Whether a line of ``owner`` is kept."""
        with self._lock:
            return owner in self._tokens

    def __len__(self) -> int:
        with self._lock:
            return len(self._lines)

    def _touch(self, token: str) -> None:
        owner = self._owner[token]
        tokens = self._tokens.setdefault(owner, OrderedDict())
        tokens[token] = None
        tokens.move_to_end(token)
        self._tokens.move_to_end(owner)

    def _drop_first(self, owner: str) -> None:
        tokens = self._tokens[owner]
        token, _ = tokens.popitem(last=False)
        del self._lines[token], self._owner[token]
        self._told.pop(token, None)
        self._before.pop(token, None)
        if not tokens:
            del self._tokens[owner]
