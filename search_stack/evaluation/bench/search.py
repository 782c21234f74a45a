"""Our search beside the raw engine's, in one run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from opensearchpy import OpenSearch

from search_stack.cohorts.plan import Plan
from search_stack.core.client import engine_errors
from search_stack.core.settings import Settings
from search_stack.core.timing import Paired, paired
from search_stack.index.mapping import alias, pipeline
from search_stack.inference.models import Encoder
from search_stack.retrieval import dsl
from search_stack.retrieval.searcher import Searcher


def bench_search(settings: Settings, client: OpenSearch, queries: Sequence[str], runs: int) -> dict[str, Any]:
    """First stage of ``queries``: BM25 and k-NN in one request, fused here, against the engine's own
    ``hybrid`` query fused by its pipeline. Both include the encoding of the query."""
    encoder = Encoder.from_settings(settings)
    searcher = Searcher(client, settings, encoder, None)
    depth = settings.rerank_depth

    def peer(text: str) -> None:
        plan = Plan.words(text)
        vector = encoder.encode([plan.text])[0].tolist()
        client.search(
            index=alias(settings),
            body=dsl.hybrid(plan, vector, depth),
            params={"search_pipeline": pipeline(settings)},
        )

    ours: list[float] = []
    theirs: list[float] = []
    with engine_errors(settings):
        for text in queries:
            one = paired(lambda t=text: searcher.ranker.first_stage(Plan.words(t), depth), lambda t=text: peer(t), runs)  # type: ignore[misc]
            ours += one.ours_ms
            theirs += one.peer_ms
    return {
        **Paired(tuple(ours), tuple(theirs)).json(),
        "peer": "OpenSearch hybrid query with the RRF pipeline",
        "queries": len(queries),
        "ours_p95_ms": round(float(np.percentile(ours, 95)), 3),
        "peer_p95_ms": round(float(np.percentile(theirs, 95)), 3),
    }
