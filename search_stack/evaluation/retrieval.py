"""Retrieval on an entity/aspect data set, through the production Searcher."""

from __future__ import annotations

import random
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from opensearchpy import OpenSearch
from opensearchpy.helpers import bulk

from search_stack.client import engine_errors
from search_stack.context import Part, contextual
from search_stack.criteria import Query, plain
from search_stack.errors import AspectraError
from search_stack.evaluation import entity_aspect
from search_stack.evaluation.entity_aspect import EntityAspectData
from search_stack.evaluation.run import Qrels
from search_stack.index import index_body
from search_stack.inference.models import Encoder, Reranker
from search_stack.schema import IndexedPassage, passage_id
from search_stack.searcher import Ranked, Searcher
from search_stack.settings import Settings

SLICE = 256
SEED = 13
Progress = Callable[[str, int, int], None]
"""Hears what is done, how many of it, and of how many."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """What is ranked: the first ``depth`` passages of BM25, with every missing answer in the
    place of the last ones; or, where ``depth`` is 0, the whole corpus."""

    depth: int

    @classmethod
    def parse(cls, text: str) -> Candidates:
        """Read ``bm25:64`` or ``corpus``."""
        if text == "corpus":
            return cls(0)
        found = re.fullmatch(r"bm25:(\d{1,3})", text)
        if not found or not 2 <= int(found[1]) <= 500:
            raise AspectraError(f"--candidates {text!r} is not known.", "Write bm25:64 (2 to 500) or corpus.")
        return cls(int(found[1]))


def sample(data: EntityAspectData, limit: int | None) -> Sequence[entity_aspect.Query]:
    """``limit`` queries drawn with a fixed seed, in their order; all where there are no more."""
    if limit is None or limit >= len(data.queries):
        return data.queries
    picked = sorted(random.Random(SEED).sample(range(len(data.queries)), limit))
    return [data.queries[n] for n in picked]


@contextmanager
def indexed(
    data: EntityAspectData,
    parts: Sequence[Part],
    client: OpenSearch,
    encoder: Encoder,
    settings: Settings,
    progress: Progress,
) -> Iterator[tuple[str, dict[str, str]]]:
    """An index of the data's passages, there as long as the block runs.

    A passage is indexed and encoded with those ``parts`` of its surroundings, for every system
    alike, and without any other field. Yields the index's name and, for every passage of the data, its
    id there.
    """
    name = f"{settings.index_prefix}-evaluation-{secrets.token_hex(4)}"
    ids: dict[str, str] = {}
    with engine_errors(settings):
        client.indices.create(index=name, body=index_body(settings, encoder.dimensions))
        try:
            for start in range(0, len(data.passages), SLICE):
                part = data.passages[start : start + SLICE]
                vectors = encoder.encode([contextual(p.text, p.around, parts) for p in part])
                actions = []
                for number, (p, vector) in enumerate(zip(part, vectors, strict=True), start):
                    ids[p.id] = passage_id(number, 0)
                    document = _document(number, p, contextual(p.text, p.around, parts), vector.tolist())
                    actions.append({"_index": name, "_id": ids[p.id], "_source": document.document()})
                bulk(client, actions)
                progress("passages indexed", start + len(part), len(data.passages))
            client.indices.refresh(index=name)
            yield name, ids
        finally:
            client.indices.delete(index=name, params={"ignore_unavailable": "true"})


def _document(number: int, passage: entity_aspect.Passage, text: str, vector: list[float]) -> IndexedPassage:
    return IndexedPassage(
        note_id=passage.document_id,
        note_key=number,
        note_version=1,
        patient_id=passage.document_id,
        note_type="",
        date=None,
        title="",
        collection="",
        ordinal=0,
        begin=0,
        end=len(text),
        section="",
        aspect="",
        text=text,
        vector=vector,
    )


def rank_all(
    data: EntityAspectData,
    queries: Sequence[entity_aspect.Query],
    candidates: Candidates,
    parts: Sequence[Part],
    client: OpenSearch,
    encoder: Encoder,
    reranker: Reranker | None,
    settings: Settings,
    progress: Progress,
) -> tuple[dict[str, dict[str, Ranked]], Qrels]:
    """Rankings by system and query (bm25, bi, hybrid, and rerank where there is a reranker), and
    the relevant passages of each query.

    Every system reads the passages with the same ``parts`` of their surroundings.
    """
    runs: dict[str, dict[str, Ranked]] = {name: {} for name in ("bm25", "bi", "hybrid")}
    if reranker:
        runs["rerank"] = {}
    with indexed(data, parts, client, encoder, settings, progress) as (index, ids):
        searcher = Searcher(client, settings, encoder, reranker, index)
        text = {ids[p.id]: contextual(p.text, p.around, parts) for p in data.passages}
        qrels = {q.id: {ids[i]: 1 for i in q.relevant} for q in queries}
        for number, q in enumerate(queries, 1):
            for system, ranking in _systems(searcher, plain(q.text), candidates, list(qrels[q.id]), text, settings):
                runs[system][q.id] = ranking
            progress("queries ranked", number, len(queries))
    return runs, qrels


def _systems(
    searcher: Searcher,
    query: Query,
    candidates: Candidates,
    relevant: Sequence[str],
    text: dict[str, str],
    settings: Settings,
) -> Iterator[tuple[str, Ranked]]:
    among: list[str] | None = None
    depth = settings.candidate_depth
    if candidates.depth:
        depth = candidates.depth
        found = [i for i, _ in searcher.first_stage(query, depth)[0].bm25]
        missing = [i for i in relevant if i not in found]
        among = [*found[: depth - len(missing)], *missing]
    first, _ = searcher.first_stage(query, depth, among)
    yield "bm25", first.bm25
    yield "bi", first.knn
    yield "hybrid", first.hybrid
    top = [i for i, _ in first.hybrid[: candidates.depth or settings.rerank_depth]]
    if reranked := searcher.rerank(query, {i: text[i] for i in top}, first).order:
        yield "rerank", reranked
