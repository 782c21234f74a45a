"""Retrieval on an entity/aspect data set, through the production Searcher."""

from __future__ import annotations

import random
import re
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from opensearchpy import OpenSearch
from opensearchpy.helpers import bulk

from search_stack.client import engine_errors
from search_stack.context import Part, contextual
from search_stack.criteria import Query, plain
from search_stack.errors import AspectraError
from search_stack.evaluation import entity_aspect
from search_stack.evaluation.entity_aspect import EntityAspectData
from search_stack.evaluation.report import Cost
from search_stack.evaluation.run import Qrels
from search_stack.index import index_body
from search_stack.index_meta import IndexMeta
from search_stack.inference.models import Encoder, Reranker
from search_stack.schema import IndexedPassage, passage_id
from search_stack.searcher import Searcher
from search_stack.settings import Settings
from search_stack.stages import Ranked

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
    texts: Mapping[str, str],
    client: OpenSearch,
    encoder: Encoder,
    settings: Settings,
    progress: Progress,
) -> Iterator[tuple[str, dict[str, str]]]:
    """An index of the data's passages, there as long as the block runs.

    A passage is indexed and encoded as ``texts`` has it by its id, for every system
    alike, and without any other field. Yields the index's name and, for every passage of the data, its
    id there.
    """
    name = f"{settings.index_prefix}-evaluation-{secrets.token_hex(4)}"
    ids: dict[str, str] = {}
    with engine_errors(settings):
        client.indices.create(
            index=name, body=index_body(settings, encoder.dimensions, IndexMeta(encoder.manifest.identity))
        )
        try:
            for start in range(0, len(data.passages), SLICE):
                part = data.passages[start : start + SLICE]
                vectors = encoder.encode([texts[p.id] for p in part])
                actions = []
                for number, (p, vector) in enumerate(zip(part, vectors, strict=True), start):
                    ids[p.id] = passage_id(number, 0)
                    document = _document(number, p, texts[p.id], vector.tolist())
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


class Ranker(Protocol):
    """A further system that orders the same candidates."""

    @property
    def bytes_per_passage(self) -> float | None:
        """What it keeps of a passage; None where it keeps nothing."""

    def read(self, texts: Mapping[str, str]) -> None:
        """Take in all passages, by id, before the first query."""

    def score(self, query: str, ids: Sequence[str]) -> Sequence[float]:
        """A score for each of ``ids``."""


@dataclass(frozen=True, slots=True)
class Rankings:
    """By system and query, the passages' ids in the data with their scores; the answers; what it took."""

    runs: Mapping[str, Mapping[str, Ranked]]
    qrels: Qrels
    costs: Mapping[str, Cost]
    """Of systems that run apart: BM25 and the vectors come in one request, that of hybrid."""
    texts: Mapping[str, str]
    """Every passage of the data, by id, as the systems read it."""


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
    others: Mapping[str, Ranker] | None = None,
) -> Rankings:
    """Rankings by bm25, bi, hybrid, rerank where there is a reranker, and ``others`` by their names.

    Every system reads the passages with the same ``parts`` of their surroundings.
    """
    others = others or {}
    runs: dict[str, dict[str, Ranked]] = {}
    seconds: defaultdict[str, float] = defaultdict(float)
    texts = {p.id: contextual(p.text, p.around, parts) for p in data.passages}
    for number, ranker in enumerate(others.values()):
        progress("models reading", number, len(others))
        ranker.read(texts)
        progress("models reading", number + 1, len(others))
    with indexed(data, texts, client, encoder, settings, progress) as (index, ids):
        searcher = Searcher(client, settings, encoder, reranker, index)
        for number, q in enumerate(queries, 1):
            query = _Asked(plain(q.text), q.relevant, texts, ids)
            for system, ranked, spent in _systems(searcher, query, candidates, settings, others):
                runs.setdefault(system, {})[q.id] = ranked
                seconds[system] += spent
            progress("queries ranked", number, len(queries))
    keeps: dict[str, float | None] = {
        "bi": 4.0 * encoder.dimensions,
        "hybrid": 4.0 * encoder.dimensions,
        "rerank": 4.0 * encoder.dimensions,
    }
    keeps |= {name: ranker.bytes_per_passage for name, ranker in others.items()}
    costs = {name: Cost(len(queries) / spent, keeps.get(name)) for name, spent in seconds.items() if spent}
    return Rankings(runs, {q.id: dict.fromkeys(q.relevant, 1) for q in queries}, costs, texts)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A query, the ids of its answers, the words of all passages, and their ids in the index."""

    query: Query
    relevant: Sequence[str]
    texts: Mapping[str, str]
    indexed: Mapping[str, str]


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
        found = [i for i, _ in searcher.first_stage(asked.query, depth)[0].bm25]
        missing = [asked.indexed[i] for i in asked.relevant if asked.indexed[i] not in found]
        among = [*found[: depth - len(missing)], *missing]
    began = time.perf_counter()
    first, _ = searcher.first_stage(asked.query, depth, among)
    first_stage = time.perf_counter() - began
    yield "bm25", translated(first.bm25), 0.0
    yield "bi", translated(first.knn), 0.0
    yield "hybrid", translated(first.hybrid), first_stage
    top = [own[i] for i, _ in first.hybrid[: candidates.depth or settings.rerank_depth]]
    began = time.perf_counter()
    reranked = searcher.rerank(asked.query, {asked.indexed[i]: asked.texts[i] for i in top}, first).order
    if reranked:
        yield "rerank", translated(reranked), first_stage + time.perf_counter() - began
    for name, ranker in others.items():
        began = time.perf_counter()
        scores = ranker.score(asked.query.text, top)
        yield name, list(zip(top, scores, strict=True)), time.perf_counter() - began
