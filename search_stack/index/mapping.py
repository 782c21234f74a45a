"""The passages index, declared once: analyzers, mapping, template, pipeline, alias."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from opensearchpy import OpenSearch

from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from search_stack.index.meta import SCHEMA, UNSAID, IndexMeta, OutdatedIndex
from search_stack.index.passage import SORTED, IndexedPassage
from search_stack.index.versions import Versions
from search_stack.inference.bundle import Manifest

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


def mapping(dimensions: int, vector_engine: str, meta: IndexMeta = UNSAID) -> dict[str, Any]:
    """Field for field `IndexedPassage`; anything else is refused."""
    properties = {f.name: dict(f.metadata) for f in fields(IndexedPassage)}
    properties["vector"] |= {
        "dimension": dimensions,
        "method": {
            "name": "hnsw",
            "engine": vector_engine,
            "space_type": "cosinesimil",
            "parameters": {"m": 16, "ef_construction": 128},
        },
    }
    # The k-NN plugin keeps vectors out of the stored source and gives them back when asked,
    # so that a new index can take them over.
    return {"dynamic": "strict", "_meta": meta.body(), "properties": properties}


def index_body(settings: Settings, dimensions: int, meta: IndexMeta = UNSAID) -> dict[str, Any]:
    """Settings and mapping of a passages index that says ``meta`` of itself."""
    return {
        "settings": {
            "index": {
                "knn": True,
                "number_of_shards": settings.index_shards,
                "number_of_replicas": settings.index_replicas,
                "refresh_interval": "2s",
                "sort.field": list(SORTED),
                "sort.order": ["asc"] * len(SORTED),
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


class Indexes(Versions):
    """Versions of the passages index behind its alias."""

    def __init__(self, client: OpenSearch, settings: Settings) -> None:
        super().__init__(client, alias(settings))
        self._settings = settings

    def create(self, dimensions: int, meta: IndexMeta) -> str:
        """A new, empty version that says ``meta`` of itself; not behind the alias yet."""
        self._client.http.put(f"/_search/pipeline/{pipeline(self._settings)}", body=RRF_PIPELINE)
        return self.make(template(self._settings, dimensions, meta))

    def unfit(self, name: str, manifest: Manifest) -> AspectraError | None:
        """Why the encoder of ``manifest`` must neither write to ``name`` nor ask it; None where it may."""
        built = self.mappings(name)
        meta = IndexMeta.read(built)
        if meta.schema != SCHEMA:
            return OutdatedIndex(name, meta.schema)
        remedy = "Use the encoder that it was built with, or build it anew: aspectra reindex"
        if (found := built["properties"]["vector"]["dimension"]) != manifest.dimensions:
            said = f"The index {name} holds vectors of {found} numbers, the encoder gives {manifest.dimensions}."
            return AspectraError(said, remedy)
        if meta.encoder != manifest.identity:
            other = meta.encoder or "an unknown bundle"
            said = f"The index {name} holds vectors of {other}, and the encoder is {manifest.identity}."
            return AspectraError(said, remedy)
        return None
