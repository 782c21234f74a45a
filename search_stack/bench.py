"""Our search beside the raw engine's, in one run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from opensearchpy import OpenSearch

from search_stack import dsl
from search_stack.client import engine_errors
from search_stack.criteria import plain
from search_stack.index import alias, pipeline
from search_stack.inference.models import Encoder
from search_stack.searcher import Searcher
from search_stack.settings import Settings
from search_stack.timing import Paired, paired


def bench_search(settings: Settings, client: OpenSearch, queries: Sequence[str], runs: int) -> dict[str, Any]:
    """First stage of ``queries``: BM25 and k-NN in one request, fused here, against the engine's own
    ``hybrid`` query fused by its pipeline. Both include the encoding of the query."""
    encoder = Encoder.from_settings(settings)
    searcher = Searcher(client, settings, encoder, None)
    depth = settings.rerank_depth

    def peer(text: str) -> None:
        query = plain(text)
        vector = encoder.encode([query.text])[0].tolist()
        client.search(
            index=alias(settings),
            body=dsl.hybrid(query, vector, depth),
            params={"search_pipeline": pipeline(settings)},
        )

    ours: list[float] = []
    theirs: list[float] = []
    with engine_errors(settings):
        for text in queries:
            one = paired(lambda t=text: searcher.first_stage(plain(t), depth), lambda t=text: peer(t), runs)  # type: ignore[misc]
            ours += one.ours_ms
            theirs += one.peer_ms
    return {
        **Paired(tuple(ours), tuple(theirs)).json(),
        "peer": "OpenSearch hybrid query with the RRF pipeline",
        "queries": len(queries),
        "ours_p95_ms": round(float(np.percentile(ours, 95)), 3),
        "peer_p95_ms": round(float(np.percentile(theirs, 95)), 3),
    }
