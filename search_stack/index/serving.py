"""What the serving index says of itself, looked at again every few seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from opensearchpy import OpenSearch

from search_stack.core.client import engine_errors
from search_stack.core.settings import Settings
from search_stack.index.mapping import Indexes
from search_stack.index.meta import SCHEMA, ForeignIndex, IndexMeta, OutdatedIndex

TRUSTED = 10.0
"""Seconds: an alias changes when an index is built anew, which is rare."""
LABEL_VERSIONS = {
    "size": 0,
    "track_total_hits": False,
    "aggs": {"labels": {"terms": {"field": "labels", "size": 1000, "missing": ""}}},
}
"""Passages by the version of their labels; those that carry none under an empty one."""
_T = TypeVar("_T")


class _Trusted(Generic[_T]):
    """What ``look`` saw, for `TRUSTED` seconds."""

    def __init__(self, look: Callable[[], _T]) -> None:
        self._look = look
        self._seen: tuple[float, _T] | None = None

    def __call__(self) -> _T:
        if self._seen is None or time.monotonic() - self._seen[0] >= TRUSTED:
            self._seen = (time.monotonic(), self._look())
        return self._seen[1]


class Serving:
    """The index ``name``, or the one behind that alias, whose mapping counts by ``schema``.

    Its methods raise AspectraError where the engine is away; where there is no index, nothing is wrong with it.
    """

    def __init__(self, client: OpenSearch, settings: Settings, name: str, schema: int = SCHEMA) -> None:
        self._client = client
        self._settings = settings
        self._name = name
        self._schema = schema
        self._metas = _Trusted(self._read_metas)
        self._labels = _Trusted(self._count_labels)

    def metas(self) -> Mapping[str, IndexMeta]:
        """What it says of itself, by the index's name; empty where there is none."""
        return self._metas()

    def encoded_by(self, encoder: str) -> bool:
        """Whether its vectors are those of ``encoder``: two encoders' have nothing to do with each other."""
        return all(meta.encoder == encoder for meta in self._metas().values())

    def need(self, ledger: str) -> None:
        """
        Raises:
            ForeignIndex: it was built from another ledger than ``ledger``.
            OutdatedIndex: another version made it.
        """
        for name, meta in self._metas().items():
            if meta.schema != self._schema:
                raise OutdatedIndex(name, meta.schema, self._schema)
            if meta.ledger != ledger:
                raise ForeignIndex(name)

    def labels(self) -> Mapping[str, int]:
        """Passages by the version of their labels; those from before labels had versions under an empty one."""
        return self._labels()

    def _read_metas(self) -> dict[str, IndexMeta]:
        with engine_errors(self._settings):
            return Indexes(self._client, self._settings).metas([self._name])

    def _count_labels(self) -> dict[str, int]:
        there = {"ignore_unavailable": "true", "allow_no_indices": "true"}
        with engine_errors(self._settings):
            found = self._client.search(index=self._name, body=LABEL_VERSIONS, params=there)
        buckets = found.get("aggregations", {}).get("labels", {}).get("buckets", ())
        return {b["key"]: b["doc_count"] for b in buckets}
