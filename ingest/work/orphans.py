"""Passages that must not be there: a sweep that compares what the index holds with the ledger.

A writer that slept through the deletion of its note, and was killed before it could take back
what it wrote, leaves passages that nobody else would ever look at. The ledger decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opensearchpy import OpenSearch

from ingest.ledger import Ledger
from ingest.ledger.tables import INDEXED
from ingest.work.writer import Writer, delete_action
from search_stack.core.client import engine_errors
from search_stack.core.settings import Settings
from search_stack.index.mapping import Indexes

PAGE = 10_000
"""Notes (and versions of them) that one step looks at: a tenth of a second."""


class OrphanSweep:
    """Goes round the serving index, a page of it at each step; remembers where it is."""

    def __init__(self, ledger: Ledger, client: OpenSearch, settings: Settings) -> None:
        self._ledger = ledger
        self._client = client
        self._settings = settings
        self._after: Mapping[str, Any] | None = None

    @property
    def round_done(self) -> bool:
        """Whether the next step begins at the beginning again."""
        return self._after is None

    def step(self) -> int:
        """Delete what the next page holds beyond the ledger; how many passages.

        Nothing in an index that was built from another ledger: there everything would seem too much.
        """
        indexes = Indexes(self._client, self._settings)
        with engine_errors(self._settings):
            live = indexes.live()
            if live is None or indexes.meta(live).ledger != self._ledger.identity:
                return 0
            found = self._page(live)
        keys = sorted({key for key, _ in found})
        standing = self._ledger.standing(keys)
        removed = 0
        for key, version in found:
            current, state = standing.get(key, (version + 1, INDEXED))
            if version < current and state == INDEXED:
                removed += self._remove(live, key, version)
        return removed

    def _page(self, live: str) -> list[tuple[int, int]]:
        """Notes with each version that the index holds of them."""
        sources = [{name: {"terms": {"field": name}}} for name in ("note_key", "note_version")]
        composite: dict[str, Any] = {"size": PAGE, "sources": sources}
        if self._after:
            composite["after"] = self._after
        body = {"size": 0, "track_total_hits": False, "aggs": {"held": {"composite": composite}}}
        page = self._client.search(index=live, body=body)["aggregations"]["held"]
        self._after = page.get("after_key") if len(page["buckets"]) == PAGE else None
        return [(b["key"]["note_key"], b["key"]["note_version"]) for b in page["buckets"]]

    def _remove(self, live: str, key: int, version: int) -> int:
        body = {
            "size": PAGE,
            "_source": ["ordinal"],
            "query": {"bool": {"filter": [{"term": {"note_key": key}}, {"term": {"note_version": version}}]}},
        }
        with engine_errors(self._settings):
            hits = self._client.search(index=live, body=body)["hits"]["hits"]
        # By its own version: what was written anew meanwhile stays.
        Writer(self._client, self._settings).write(
            delete_action(live, key, h["_source"]["ordinal"], version) for h in hits
        )
        return len(hits)
