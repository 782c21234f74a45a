"""Vectors that the serving index holds already, so that labelling anew need not encode anew."""

from __future__ import annotations

from opensearchpy import OpenSearch

from ingest.work.indexer import Slice
from search_stack.core.client import engine_errors
from search_stack.core.schema import passage_id
from search_stack.core.settings import Settings
from search_stack.index.documents import around, encoded
from search_stack.inference.models import Encoder
from search_stack.retrieval.dsl import AROUND
from search_stack.retrieval.hits import read_around

FIELDS = ["text", "title", "section", *AROUND, "vector"]


class KeptVectors:
    """The vectors of passages that the encoder reads as before in ``index``; every other passage is encoded."""

    def __init__(self, client: OpenSearch, encoder: Encoder, settings: Settings, index: str | None) -> None:
        self._client = client
        self._encoder = encoder
        self._settings = settings
        self._index = index
        self.kept = 0
        self.encoded = 0

    def __call__(self, part: Slice) -> list[list[float]]:
        known = self._known(part)
        new = [(s, p) for s, p in part if passage_id(s.key, p.ordinal) not in known]
        fresh = iter(encoded(self._encoder, new) if new else ())
        self.kept += len(part) - len(new)
        self.encoded += len(new)
        return [known.get(passage_id(s.key, p.ordinal)) or next(fresh) for s, p in part]

    def _known(self, part: Slice) -> dict[str, list[float]]:
        if self._index is None:
            return {}
        texts = {passage_id(s.key, p.ordinal): self._encoder.readable(p.text, around(s, p)) for s, p in part}
        body = {"size": len(texts), "query": {"ids": {"values": list(texts)}}, "_source": FIELDS}
        with engine_errors(self._settings):
            found = self._client.search(index=self._index, body=body)["hits"]["hits"]
        return {
            h["_id"]: h["_source"]["vector"]
            for h in found
            if self._encoder.readable(h["_source"]["text"], read_around(h["_source"])) == texts[h["_id"]]
            and len(h["_source"].get("vector") or ()) == self._encoder.dimensions
        }
