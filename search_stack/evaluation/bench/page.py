"""The running page's own search, as a browser asks for it, beside the engine's BM25 request alone."""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from os import getloadavg
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import numpy as np
from opensearchpy import OpenSearch

from search_stack.core.client import engine_errors
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from search_stack.core.timing import Paired
from search_stack.index.mapping import alias
from search_stack.retrieval import dsl

GOALS = {"first": 500.0, "final": 1500.0}
"""Milliseconds until the first order and the final one are there."""
SIZE = 10
"""Passages that the engine's request brings."""
PATIENCE = 60.0
"""Seconds for one answer."""
_REORDERED = re.compile(rb'data-reordered="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Asked:
    """Milliseconds from the question until the first order was there, and the final one."""

    first: float
    final: float
    reads: bool
    """Whether the cross-encoder has a say, so that another order follows the first."""


class PageClient:
    """Asks the page at ``address`` over one connection, as a browser keeps it.

    Raises:
        AspectraError: the page does not answer, wants somebody to sign in, or refuses so many requests.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        parts = urlsplit(address)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connection = kind(parts.hostname or "", parts.port, timeout=PATIENCE)
        self._cookie = ""
        self._answer("GET", "/")

    def ask(self, line: str) -> Asked:
        began = time.perf_counter()
        where, _ = self._answer("POST", "/search", {"line": line, "scope": "passage", "order": "first"})
        _, page = self._answer("GET", where)
        first = _since(began)
        found = _REORDERED.search(page)
        if found:
            self._answer("GET", unescape(found[1].decode()))
        return Asked(first, _since(began), found is not None)

    def close(self) -> None:
        self._connection.close()

    def _answer(self, method: str, where: str, form: dict[str, str] | None = None) -> tuple[str, bytes]:
        """Where an answer leads to, and what it holds."""
        headers = {"Cookie": self._cookie} if self._cookie else {}
        if form is not None:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": self._address}
        try:
            self._connection.request(method, where, urlencode(form) if form else None, headers)
            answer = self._connection.getresponse()
            held = answer.read()
        except (OSError, HTTPException):
            raise AspectraError(f"No page answers at {self._address}.", "Start it: aspectra up") from None
        if cookie := answer.getheader("Set-Cookie"):
            self._cookie = cookie.partition(";")[0]
        to = answer.getheader("Location") or ""
        if answer.status in (401, 403) or urlsplit(to).path.startswith("/sign-in"):
            raise AspectraError("The page asks who you are.", "Time one without accounts: ASPECTRA_ACCOUNTS=0.")
        if answer.status == 429:
            raise AspectraError(
                "The page refuses so many requests.", "Start it with ASPECTRA_WEB_REQUESTS_PER_MINUTE=0, or ask less."
            )
        if answer.status >= 400:
            raise AspectraError(f"The page answered {answer.status}.", "See what is amiss: aspectra doctor")
        moved = urlsplit(urljoin(where, to)) if to else None
        return (f"{moved.path}?{moved.query}" if moved else "", held)


def bench_page(settings: Settings, client: OpenSearch, queries: Sequence[str], runs: int) -> dict[str, Any]:
    """``queries`` asked of the page that runs by ``settings``, in turn with the BM25 request for their words that the
    engine answers with a first page of passages.

    Raises:
        AspectraError: see `PageClient`; or the engine does not answer.
    """
    page = PageClient(settings.web_local_address)
    asked: list[Asked] = []
    engine: list[float] = []
    try:
        with engine_errors(settings):
            passages = int(client.count(index=alias(settings))["count"])
            for text in queries:
                for turn in range(runs + 1):
                    one = page.ask(text)
                    began = time.perf_counter()
                    client.search(index=alias(settings), body=dsl.by_words(text, SIZE))
                    took = _since(began)
                    if turn:  # the first of each is not counted
                        asked.append(one)
                        engine.append(took)
    finally:
        page.close()
    return {
        "peer": "the engine's BM25 request alone",
        "queries": len(queries),
        "read_closely": sum(a.reads for a in asked) // runs,
        "passages": passages,
        "first": _figures([a.first for a in asked], engine, GOALS["first"]),
        "final": _figures([a.final for a in asked], engine, GOALS["final"]),
        "load": round(getloadavg()[0], 1),
    }


def _figures(ours: Sequence[float], peer: Sequence[float], goal: float) -> dict[str, Any]:
    told = Paired(tuple(ours), tuple(peer)).json()
    ratios = [o / p for o, p in zip(ours, peer, strict=True)]
    return {
        "ours_ms": told["ours_ms"],
        "ours_p95_ms": round(float(np.percentile(ours, 95)), 1),
        "ours_max_ms": round(max(ours), 1),
        "peer_ms": told["peer_ms"],
        "times_peer": round(statistics.median(ratios), 2),
        "times_peer_min": round(min(ratios), 2),
        "times_peer_max": round(max(ratios), 2),
        "goal_ms": goal,
        "within_goal": round(sum(ms <= goal for ms in ours) / len(ours), 3),
        "runs": len(ours),
    }


def _since(began: float) -> float:
    return (time.perf_counter() - began) * 1000
