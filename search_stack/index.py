"""The passages index, declared once: analyzers, mapping, template, pipeline, versions, alias."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from opensearchpy import OpenSearch

from search_stack.errors import AspectraError
from search_stack.index_meta import SCHEMA, UNSAID, IndexMeta
from search_stack.inference.bundle import Manifest
from search_stack.schema import ASSERTIONS
from search_stack.settings import Settings

MOST_KEYS = 1_000_000
"""Notes or patients that criteria may be joined over in one search."""

FUNCTION_WORDS = (  # noqa: SIM905 (a line of words reads better than a column)
    "a an and are as at be by do does for from has have how in is it its of on or that the their there these this to "
    "was were what when where which who why will with"
).split()
"""Words that a search leaves out. Those that deny (no, not, never, without) stay in."""

ANALYSIS: dict[str, Any] = {
    "filter": {
        "clinical_possessive": {"type": "stemmer", "language": "possessive_english"},
        "clinical_stemmer": {"type": "stemmer", "language": "english"},
        "clinical_function_words": {"type": "stop", "stopwords": FUNCTION_WORDS},
    },
    "analyzer": {
        "clinical": {
            "type": "custom",
            "tokenizer": "standard",
            "filter": ["lowercase", "asciifolding", "clinical_possessive", "clinical_stemmer"],
        },
        "clinical_search": {
            "type": "custom",
            "tokenizer": "standard",
            "filter": [
                "lowercase",
                "asciifolding",
                "clinical_function_words",
                "clinical_possessive",
                "clinical_stemmer",
            ],
        },
        "exact": {"type": "custom", "tokenizer": "standard", "filter": ["lowercase", "asciifolding"]},
    },
    "normalizer": {"folded": {"type": "custom", "filter": ["lowercase", "asciifolding"]}},
}

RRF_PIPELINE = {
    "description": "Reciprocal rank fusion inside the engine: what `aspectra bench search` compares ours with.",
    "phase_results_processors": [
        {"score-ranker-processor": {"combination": {"technique": "rrf", "rank_constant": 60}}}
    ],
}


def _text() -> dict[str, Any]:
    return {"type": "text", "analyzer": "clinical", "search_analyzer": "clinical_search"}


def mapping(dimensions: int, vector_engine: str, meta: IndexMeta = UNSAID) -> dict[str, Any]:
    """Field for field `search_stack.schema.IndexedPassage`; anything else is refused."""
    keyword = {"type": "keyword"}
    stored = {"type": "keyword", "index": False, "doc_values": False}
    folded = {"type": "keyword", "normalizer": "folded", "ignore_above": 512}
    return {
        "dynamic": "strict",
        # The k-NN plugin keeps vectors out of the stored source and gives them back when asked,
        # so that a new index can take them over.
        "_meta": meta.body(),
        "properties": {
            "note_id": keyword,
            "note_key": {"type": "long"},
            "note_version": {"type": "long"},
            "patient_id": keyword,
            "note_type": folded,
            "date": {"type": "date", "format": "strict_date"},
            "title": _text(),
            "collection": keyword,
            "ordinal": {"type": "integer"},
            "begin": {"type": "integer"},
            "end": {"type": "integer"},
            "section": {**_text(), "fields": {"name": folded}},
            "aspect": folded,
            "text": {**_text(), "fields": {"exact": {"type": "text", "analyzer": "exact"}}},
            "vector": {
                "type": "knn_vector",
                "dimension": dimensions,
                "method": {
                    "name": "hnsw",
                    "engine": vector_engine,
                    "space_type": "cosinesimil",
                    "parameters": {"m": 16, "ef_construction": 128},
                },
            },
            **dict.fromkeys((*ASSERTIONS, "mentioned", "entities"), keyword),
            "findings": {"type": "object", "enabled": False},
            "labels": keyword,
            "lead": stored,
            "before": stored,
        },
    }


def index_body(settings: Settings, dimensions: int, meta: IndexMeta = UNSAID) -> dict[str, Any]:
    """Settings and mapping of a passages index that says ``meta`` of itself."""
    return {
        "settings": {
            "index": {
                "knn": True,
                "number_of_shards": settings.index_shards,
                "number_of_replicas": settings.index_replicas,
                "refresh_interval": "2s",
                "max_terms_count": MOST_KEYS,
                # A deleted passage's version is remembered for longer than any task may still write it.
                "gc_deletes": f"{max(300, 4 * settings.task_seconds)}s",
            },
            "analysis": ANALYSIS,
        },
        "mappings": mapping(dimensions, settings.vector_engine, meta),
    }


def template(settings: Settings, dimensions: int, meta: IndexMeta = UNSAID) -> dict[str, Any]:
    return {"index_patterns": [f"{alias(settings)}-*"], "template": index_body(settings, dimensions, meta)}


def alias(settings: Settings) -> str:
    """The name under which the serving index is searched."""
    return f"{settings.index_prefix}-passages"


def pipeline(settings: Settings) -> str:
    return f"{settings.index_prefix}-rrf"


def next_name(settings: Settings, existing: Sequence[str]) -> str:
    """Name of the version after the newest of ``existing``: ``…-passages-000001``, ``…-000002``."""
    pattern = re.compile(re.escape(alias(settings)) + r"-(\d{6})$")
    numbers = [int(m.group(1)) for name in existing if (m := pattern.fullmatch(name))]
    return f"{alias(settings)}-{max(numbers, default=0) + 1:06d}"


class Indexes:
    """Versions of the passages index behind its alias."""

    def __init__(self, client: OpenSearch, settings: Settings) -> None:
        self._client = client
        self._settings = settings

    @property
    def alias(self) -> str:
        return alias(self._settings)

    def live(self) -> str | None:
        """The index behind the alias; None before the first."""
        if not self._client.indices.exists_alias(name=self.alias):
            return None
        return str(next(iter(self._client.indices.get_alias(name=self.alias))))

    def versions(self) -> list[str]:
        """Every version there is, serving or not."""
        found = self._client.indices.get(index=f"{self.alias}-*", params={"expand_wildcards": "all"})
        return sorted(name for name in found if re.fullmatch(re.escape(self.alias) + r"-\d{6}", name))

    def exists(self, name: str) -> bool:
        return bool(self._client.indices.exists(index=name))

    def create(self, dimensions: int, meta: IndexMeta) -> str:
        """A new, empty version that says ``meta`` of itself; not behind the alias yet."""
        self._client.http.put(f"/_search/pipeline/{pipeline(self._settings)}", body=RRF_PIPELINE)
        self._client.indices.put_index_template(name=self.alias, body=template(self._settings, dimensions, meta))
        existing = list(self._client.indices.get(index=f"{self.alias}-*", params={"expand_wildcards": "all"}))
        name = next_name(self._settings, existing)
        self._client.indices.create(index=name)
        return name

    def meta(self, name: str) -> IndexMeta:
        return IndexMeta.read(self._mappings(name))

    def metas(self, names: Sequence[str]) -> dict[str, IndexMeta]:
        """By index; aliases are followed, what is not there is left out."""
        there = {"ignore_unavailable": "true", "allow_no_indices": "true"}
        found = self._client.indices.get_mapping(index=",".join(names), params=there)
        return {name: IndexMeta.read(one["mappings"]) for name, one in found.items()}

    def bring_up_to_date(self, name: str, meta: IndexMeta) -> None:
        """Let ``name`` say ``meta`` of itself, and take the fields that its schema lacks."""
        added = {"labels": mapping(1, "lucene", meta)["properties"]["labels"]}
        self._client.indices.put_mapping(index=name, body={"_meta": meta.body(), "properties": added})

    def _mappings(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self._client.indices.get_mapping(index=name)[name]["mappings"]
        return found

    def unfit(self, name: str, manifest: Manifest) -> str:
        """Why the encoder of ``manifest`` must neither write to ``name`` nor ask it; empty where it may."""
        built = self._mappings(name)
        meta = IndexMeta.read(built)
        if meta.schema != SCHEMA:
            return f"The index {name} was built by another version of Aspectra."
        if (found := built["properties"]["vector"]["dimension"]) != manifest.dimensions:
            return f"The index {name} holds vectors of {found} numbers, the encoder gives {manifest.dimensions}."
        if meta.encoder != manifest.identity:
            other = meta.encoder or "an unknown bundle"
            return f"The index {name} holds vectors of {other}, and the encoder is {manifest.identity}."
        return ""

    def swap(self, name: str) -> None:
        """Put the alias on ``name`` and off every other index, in one step."""
        actions: list[dict[str, Any]] = [{"add": {"index": name, "alias": self.alias}}]
        if (old := self.live()) and old != name:
            actions.insert(0, {"remove": {"index": old, "alias": self.alias}})
        self._client.indices.update_aliases(body={"actions": actions})

    def drop(self, name: str) -> None:
        if name == self.live():
            raise AspectraError(f"{name} serves searches.", "Build another one first: aspectra reindex")
        self._client.indices.delete(index=name, params={"ignore_unavailable": "true"})

    def set_refresh(self, name: str, interval: str) -> None:
        self._client.indices.put_settings(index=name, body={"index": {"refresh_interval": interval}})

    def refresh(self, name: str | None = None) -> None:
        self._client.indices.refresh(index=name or self.alias)

    def count(self, name: str | None = None) -> int:
        return int(self._client.count(index=name or self.alias)["count"])
