"""Two stages and a cross-encoder: passages in their final order."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from search_stack.cohorts.clauses import among as of_notes
from search_stack.cohorts.plan import Plan
from search_stack.cohorts.rows import Ints
from search_stack.core.schema import Hit
from search_stack.core.settings import Settings
from search_stack.index.engine import Engine
from search_stack.inference.models import Encoder, Reranker
from search_stack.retrieval import dsl
from search_stack.retrieval.answer import Key, Scope
from search_stack.retrieval.fusion import interpolate, reciprocal_rank_fusion
from search_stack.retrieval.grouping import grouped
from search_stack.retrieval.hits import read_hit
from search_stack.retrieval.nearness import PassageNear, read_near
from search_stack.retrieval.stages import FirstStage, Reranked, Standing
from search_stack.retrieval.tiers import UNMENTIONED, tier_of

KNN_WEIGHT, BM25_WEIGHT = 2.0, 0.2
"""Weights beside the cross-encoder's 1. On 400 queries of medquad_dev, passages with their documents' opening words,
Success@1 is 0.9675 with 2 or 2.5 for the cosine and 0.965 with 1.5; on the judged queries to tune on P@10 is 0.265,
0.265 and 0.260, P@1 0.442, 0.419 and 0.442."""


class Clock:
    """Milliseconds of each stage."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.laps[stage] = round((now - self._last) * 1000, 2)
        self._last = now


@dataclass(frozen=True, slots=True)
class Ranking:
    """Passages best first, how they came there, and the hits that were fetched on the way."""

    order: list[str]
    first: FirstStage
    reranked: Reranked
    hits: dict[str, Hit]
    responses: list[dict[str, Any]]
    clock: Clock
    matching: frozenset[str]
    """Those of ``order`` that are counted."""

    @classmethod
    def nothing(cls) -> Ranking:
        """Where the list stands in another order."""
        return cls([], FirstStage([], [], [], {}, {}, {}, True), Reranked([], {}), {}, [], Clock(), frozenset())


class Ranker:
    """BM25 and filtered k-NN, fused, then reranked."""

    def __init__(self, engine: Engine, settings: Settings, encoder: Encoder, reranker: Reranker | None) -> None:
        self._engine = engine
        self._settings = settings
        self._encoder = encoder
        self._reranker = reranker

    def warm(self) -> None:
        """Have each model do its first pass, which takes longest."""
        self._encoder.encode(["ready"])
        if self._reranker:
            self._reranker.score("ready", ["ready"])

    def over(self, engine: Engine) -> Ranker:
        """The same, asking ``engine``."""
        return Ranker(engine, self._settings, self._encoder, self._reranker)

    def first_stage(
        self,
        plan: Plan,
        depth: int,
        among: Sequence[str] | None = None,
        extra: Sequence[Mapping[str, Any]] = (),
        counted: int = 0,
    ) -> tuple[FirstStage, list[dict[str, Any]]]:
        """The engine's part in one request: BM25, k-NN and their fusion, each ``depth`` deep. Behind what says what is
        asked for otherwise than as present follows what does not mention it, of each stage as many as are reranked;
        none where so many are ``counted``, as far as that is known.

        ``among`` restricts every stage to these passages. ``extra`` bodies travel in the
        same request; their responses come back in order. An index of another encoder's vectors is asked by words only.
        """
        vector = self._vector(plan)
        by_vectors, ours = bool(vector), bool(vector) or not plan.ranks
        stages = [partial(dsl.bm25, plan), *([partial(dsl.knn, plan, vector)] if by_vectors else [])]
        bodies = [stage(depth, among) for stage in stages]
        further = self._settings.rerank_depth
        if plan.ranks and counted < further and plan.widens:
            bodies += [stage(further, among, unsaid=True) for stage in stages]
        responses = self._engine([*bodies, *extra])
        found = [response["hits"]["hits"] for response in responses[: len(bodies)]]
        bm25, knn = ([(h["_id"], h["_score"] or 0.0) for hits in found[n :: len(stages)] for h in hits] for n in (0, 1))
        knn = [(i, 2 * s - 1) for i, s in knn] if by_vectors else []
        fused = reciprocal_rank_fusion([[i for i, _ in ranking] for ranking in (bm25, knn)])
        sources = {h["_id"]: h["_source"] for hits in found for h in hits}
        unsaid = {h["_id"] for hits in found[len(stages) :] for h in hits}
        tiers = {i: tier_of(plan, source) for i, source in sources.items()}
        if plan.labelled:
            # Where labels decide what is found, a vector knows less than the words: MAP 0.942 against 0.938.
            words = {i: n for n, (i, _) in enumerate(bm25) if tiers[i] != UNMENTIONED}
            fused.sort(key=lambda one: words.get(one[0], len(words)))
        groups = {i: _listed_under(source) for i, source in sources.items()}
        standings = {i: Standing.of(plan, source, tiers[i], i in unsaid) for i, source in sources.items()}
        fused.sort(key=lambda one: standings[one[0]])
        return FirstStage(bm25, knn, fused, groups, tiers, standings, ours), responses[len(bodies) :]

    def nearness(self, plan: Plan, notes: Ints) -> list[PassageNear]:
        """How near each passage of ``notes``, by key, is to what ``plan`` ranks by, in the order of the text. Nothing
        where that is no words, where the index holds another encoder's vectors, or of more passages than are told."""
        vector = self._vector(plan) if len(notes) else []
        found = self._engine([dsl.near_in(vector, of_notes("note_key", notes))])[0]["hits"]["hits"] if vector else []
        return sorted(
            map(read_near, found if len(found) < dsl.BUCKETS else ()), key=lambda one: (one.note_key, one.begin)
        )

    def _vector(self, plan: Plan) -> list[float]:
        """Of what models read the query as; empty where vectors have no say."""
        if not plan.ranks or not self._engine.serving.encoded_by(self._encoder.manifest.identity):
            return []
        return [float(x) for x in self._encoder.encode([plan.text])[0]]

    def reads(self, plan: Plan) -> bool:
        """Whether the cross-encoder has a say in the order of what ``plan`` finds.

        Not where there is none, or no word, or where the labels decide: on Open-i a cross-encoder that reads each
        finding again lowers MAP from 0.942 to 0.927.
        """
        return self._reranker is not None and plan.ranks and not plan.labelled

    def rerank(self, plan: Plan, texts: Mapping[str, str], first: FirstStage) -> Reranked:
        """Order ``texts`` by the cross-encoder's score, interpolated with those of the first stage.

        A cascade: the cross-encoder reads the first `Settings.rerank_cut` by cosine and BM25, which cost nothing
        more; what it has not read follows in that order. Nothing where it has no say: `reads`.
        """
        if self._reranker is None or not texts or not self.reads(plan):
            return Reranked([], {})
        stages = [(KNN_WEIGHT, dict(first.knn)), (BM25_WEIGHT, dict(first.bm25))]
        near = interpolate(list(texts), stages)
        near.sort(key=lambda one: first.standings[one[0]])
        cut = self._settings.rerank_cut or len(near)
        read = [i for i, _ in near[:cut]]
        scores = self._reranker.score(plan.text, [texts[i] for i in read])
        cross = dict(zip(read, map(float, scores), strict=True))
        # Stretched anew over what is read, where cosines differ little: R@1 0.980 against 0.955.
        order = interpolate(read, [(1.0, cross), *stages])
        # What it has not read comes after, in the order of the cut.
        order += [(i, score - 1 - KNN_WEIGHT - BM25_WEIGHT) for i, score in near[cut:]]
        order.sort(key=lambda one: first.standings[one[0]])
        return Reranked(order, cross)

    def _readable(self, hit: Hit) -> str:
        return self._reranker.readable(hit.text, hit.around) if self._reranker else hit.text

    def rank(
        self, plan: Plan, depth: int, rerank: bool = True, extra: Sequence[Mapping[str, Any]] = (), counted: int = 0
    ) -> Ranking:
        """Passages in their final order: both stages, ``depth`` deep, the first of them reranked; ``counted`` as of
        `first_stage`."""
        clock = Clock()
        first, responses = self.first_stage(plan, depth, extra=extra, counted=counted)
        clock.lap("engine")
        order = [i for i, _ in first.hybrid]
        top = order[: self._settings.rerank_depth] if rerank else []
        hits, matching = self._fetch_and_tell(plan, top, order)
        clock.lap("fetch")
        reranked = self.rerank(plan, {i: self._readable(hits[i]) for i in top if i in hits}, first)
        clock.lap("rerank")
        if reranked.order:
            order = [*(i for i, _ in reranked.order), *order[len(top) :]]
        if not plan.labelled:  # where labels decide, each report that says it stands for itself
            order = repeats_last(order, first.groups)
        return Ranking(order, first, reranked, hits, responses, clock, matching)

    def _fetch_and_tell(
        self, plan: Plan, top: Sequence[str], order: Sequence[str]
    ) -> tuple[dict[str, Hit], frozenset[str]]:
        """The passages ``top``, and which of ``order`` are counted, in one request."""
        if not order:
            return {}, frozenset()
        bodies = [dsl.among(plan, order), *([dsl.fetch(plan, top)] if top else [])]
        told, *fetched = self._engine(bodies)
        hits = {h["_id"]: read_hit(h, plan.named) for response in fetched for h in response["hits"]["hits"]}
        return hits, frozenset(h["_id"] for h in told["hits"]["hits"])


def _listed_under(source: Mapping[str, Any]) -> Mapping[Scope, Key]:
    return {"passage": source["wording"], "note": source["note_key"], "patient": source["patient_no"]}


def repeats_last(order: Sequence[str], groups: Mapping[str, Mapping[Scope, Key]]) -> list[str]:
    """``order`` with what an earlier passage says word for word behind all others: a form's sentence fills no page of
    notes."""
    first = {ids[0] for ids in grouped(order, groups, "passage").values()}
    return sorted(order, key=lambda i: i not in first)
