"""Composite aggregations: every bucket, exact, page after page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from search_stack.cohorts.clauses import Clause
from search_stack.index.engine import Engine

PAGE = 10_000
TOGETHER = 4
"""Searches of one request: more would only wait for the engine's threads, and lie in memory here."""


def terms(field: str, name: str = "") -> Clause:
    """The values of ``field`` as a source of buckets, under ``name`` where it shall have another."""
    return {name or field: {"terms": {"field": field}}}


def composite(clause: Clause, sources: Sequence[Clause], after: Mapping[str, Any] | None) -> dict[str, Any]:
    """A search for the page of buckets behind the one with the key ``after``."""
    page: dict[str, Any] = {"size": PAGE, "sources": list(sources), **({"after": after} if after else {})}
    return {"size": 0, "track_total_hits": False, "query": clause, "aggs": {"rows": {"composite": page}}}


def buckets(engine: Engine, clauses: Sequence[Clause], sources: Sequence[Clause]) -> Iterator[Mapping[str, Any]]:
    """Every bucket of each of ``clauses``."""
    left: list[tuple[Clause, Mapping[str, Any] | None]] = [(clause, None) for clause in clauses]
    while left:
        now, left = left[:TOGETHER], left[TOGETHER:]
        for (clause, _), response in zip(now, engine([composite(c, sources, after) for c, after in now]), strict=True):
            found = response["aggregations"]["rows"]
            yield from found["buckets"]
            if len(found["buckets"]) == PAGE:
                left.append((clause, found["after_key"]))
