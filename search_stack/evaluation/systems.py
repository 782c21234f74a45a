"""The systems that rank the passages of an entity/aspect data set: our stages, through the production Searcher, and
models besides."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from opensearchpy import OpenSearch

from search_stack.cohorts.plan import Plan
from search_stack.core.context import Part, contextual
from search_stack.core.schema import passage_id
from search_stack.core.settings import Settings
from search_stack.evaluation.candidates import Candidates
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Query
from search_stack.evaluation.rankings import Qrels
from search_stack.evaluation.report import Cost
from search_stack.evaluation.temporary_index import Progress, in_slices, temporary_index
from search_stack.evaluation.tfidf import TfIdf
from search_stack.index.passage import IndexedPassage
from search_stack.inference.models import Encoder, Reranker
from search_stack.retrieval.searcher import Searcher
from search_stack.retrieval.stages import Ranked

SLICE = 256


class Ranker(Protocol):
    """A further system that orders the same candidates."""

    @property
    def bytes_per_passage(self) -> float | None:
        """What it keeps of a passage; None where it keeps nothing."""

    @property
    def parts(self) -> Sequence[Part] | None:
        """What it reads of a passage's surroundings, whatever the others do; None where it reads the same."""

    def read(self, texts: Mapping[str, str]) -> None:
        """Take in all passages, by id, before the first query."""

    def score(self, query: str, ids: Sequence[str]) -> Sequence[float]:
        """A score for each of ``ids``; the query as the data words it."""


@dataclass(frozen=True, slots=True)
class RankedSystems:
    """By system and query, the passages' ids in the data with their scores; the answers; what it took."""

    rankings: Mapping[str, Mapping[str, Ranked]]
    qrels: Qrels
    costs: Mapping[str, Cost]
    """Of systems that run apart: BM25 and the vectors come in one request, that of hybrid."""
    texts: Mapping[str, str]
    """Every passage of the data, by id, as the systems read it."""


def rank_systems(
    data: EntityAspectData,
    queries: Sequence[Query],
    candidates: Candidates,
    parts: Sequence[Part],
    client: OpenSearch,
    encoder: Encoder,
    reranker: Reranker | None,
    settings: Settings,
    progress: Progress,
    others: Mapping[str, Ranker] | None = None,
) -> RankedSystems:
    """Rankings by bm25, tfidf, bi, hybrid, rerank where there is a reranker, and ``others`` by their names.

    Every system reads the passages with the same ``parts`` of their surroundings, but for those that have their own.
    """
    others = others or {}
    rankings: dict[str, dict[str, Ranked]] = {}
    seconds: defaultdict[str, float] = defaultdict(float)
    texts = {p.id: contextual(p.text, p.around, parts) for p in data.passages}
    for number, ranker in enumerate(others.values()):
        progress("models reading", number, len(others))
        own = ranker.parts
        ranker.read(texts if own is None else {p.id: contextual(p.text, p.around, own) for p in data.passages})
        progress("models reading", number + 1, len(others))
    ids = {p.id: passage_id(number, 0) for number, p in enumerate(data.passages)}
    tfidf = TfIdf(texts)
    with temporary_index(_indexed(data, texts, encoder, progress), client, encoder, settings) as index:
        searcher = Searcher(client, settings, encoder, reranker, index)
        for number, q in enumerate(queries, 1):
            query = _Asked(Plan.words(q.text), q.text, q.relevant, texts, ids, tfidf)
            for system, ranked, spent in _systems(searcher, query, candidates, settings, others):
                rankings.setdefault(system, {})[q.id] = ranked
                seconds[system] += spent
            progress("queries ranked", number, len(queries))
    keeps: dict[str, float | None] = {
        "bi": 4.0 * encoder.dimensions,
        "hybrid": 4.0 * encoder.dimensions,
        "rerank": 4.0 * encoder.dimensions,
    }
    keeps |= {name: ranker.bytes_per_passage for name, ranker in others.items()}
    costs = {name: Cost(len(queries) / spent, keeps.get(name)) for name, spent in seconds.items() if spent}
    return RankedSystems(rankings, {q.id: dict.fromkeys(q.relevant, 1) for q in queries}, costs, texts)


def _indexed(
    data: EntityAspectData, texts: Mapping[str, str], encoder: Encoder, progress: Progress
) -> Iterator[IndexedPassage]:
    """Each passage as ``texts`` has it, for every system alike, and without any other field; its place is its key."""
    for part in in_slices(list(enumerate(data.passages)), SLICE, "passages indexed", progress):
        vectors = encoder.encode([texts[p.id] for _, p in part])
        for (number, p), vector in zip(part, vectors, strict=True):
            yield IndexedPassage(
                note_id=p.document_id,
                note_key=number,
                note_version=1,
                patient_id=p.document_id,
                ordinal=0,
                begin=0,
                end=len(texts[p.id]),
                text=texts[p.id],
                wording=p.id,
                vector=vector.tolist(),
            )


@dataclass(frozen=True, slots=True)
class _Asked:
    """A query, as it is worded too, the ids of its answers, the words of all passages, their ids in the index, and
    their weights."""

    query: Plan
    wording: str
    """With the marks that stand alone, which the plan leaves out: some models find the heading of "entity ; heading" by
    its mark."""
    relevant: Sequence[str]
    texts: Mapping[str, str]
    indexed: Mapping[str, str]
    tfidf: TfIdf


def _systems(
    searcher: Searcher, asked: _Asked, candidates: Candidates, settings: Settings, others: Mapping[str, Ranker]
) -> Iterator[tuple[str, Ranked, float]]:
    """Each system's name, its ranking by ids of the data, and the seconds that it took where they can be told."""
    own = {there: here for here, there in asked.indexed.items()}

    def translated(ranked: Ranked) -> Ranked:
        return [(own[i], score) for i, score in ranked]

    among: list[str] | None = None
    depth = settings.candidate_depth
    if candidates.depth:
        depth = candidates.depth
        found = [i for i, _ in searcher.ranker.first_stage(asked.query, depth)[0].bm25]
        missing = [asked.indexed[i] for i in asked.relevant if asked.indexed[i] not in found]
        among = [*found[: depth - len(missing)], *missing]
    began = time.perf_counter()
    first, _ = searcher.ranker.first_stage(asked.query, depth, among)
    first_stage = time.perf_counter() - began
    yield "bm25", translated(first.bm25), 0.0
    known = asked.texts if among is None else [own[i] for i in among]
    yield "tfidf", asked.tfidf.ranked(asked.query.text, known, depth), 0.0
    yield "bi", translated(first.knn), 0.0
    yield "hybrid", translated(first.hybrid), first_stage
    top = [own[i] for i, _ in first.hybrid[: candidates.depth or settings.rerank_depth]]
    began = time.perf_counter()
    reranked = searcher.ranker.rerank(asked.query, {asked.indexed[i]: asked.texts[i] for i in top}, first).order
    if reranked:
        yield "rerank", translated(reranked), first_stage + time.perf_counter() - began
    for name, ranker in others.items():
        began = time.perf_counter()
        scores = ranker.score(asked.wording, top)
        yield name, list(zip(top, scores, strict=True)), time.perf_counter() - began
