"""What the stages of a search leave: rankings, and the scores by which each passage came to its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from search_stack.cohorts.plan import place
from search_stack.core.schema import Scores
from search_stack.retrieval.answer import Key, Scope

Ranked = list[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class FirstStage:
    """Rankings of passage ids, best first, each with its own score."""

    bm25: Ranked
    knn: Ranked
    hybrid: Ranked
    groups: Mapping[str, Mapping[Scope, Key]]
    """What each passage is listed under: its wording, the numbers of its note and its patient."""
    tiers: Mapping[str, int]
    """How well its labels satisfy the query: see `search_stack.retrieval.dsl.tier`."""
    contradicted: frozenset[str] = frozenset()
    """Where labels decide, passages that deny besides what they say."""
    amiss: frozenset[str] = frozenset()
    """Where an amount is asked for, passages that tell none like it."""
    brief: frozenset[str] = frozenset()
    """Passages of so few words that they are like a query rather than an answer to it."""
    vectors: bool = True
    """Whether the index's vectors are those of our encoder; asked only where the query has words."""

    unsaid: frozenset[str] = frozenset()
    """Passages that do not mention what is asked for otherwise than as present: they follow all that do."""

    def standing(self, passage: str) -> tuple[bool, bool, int, bool]:
        """What goes before every score: passages are ordered by it first. Who asks for "no fracture" finds "no rib
        fracture" by its score, though it is not counted: behind the others nDCG@10 is 0.573, so 0.584."""
        tier, _ = place(self.tiers.get(passage, 0))
        behind = passage in self.amiss, passage in self.unsaid
        return *behind, tier + (passage in self.brief), passage in self.contradicted


@dataclass(frozen=True, slots=True)
class Reranked:
    """Passages in their final order with the score that gave it, and the cross-encoder's own scores."""

    order: Ranked
    cross: Mapping[str, float]


def all_scores(first: FirstStage, reranked: Reranked) -> dict[str, Scores]:
    """By passage, its score and place in every stage."""
    bm25 = {i: (s, n) for n, (i, s) in enumerate(first.bm25, 1)}
    knn = {i: (s, n) for n, (i, s) in enumerate(first.knn, 1)}
    final = {i: (s, n) for n, (i, s) in enumerate(reranked.order, 1)}
    out = {}
    for rank, (i, score) in enumerate(first.hybrid, 1):
        (b, b_rank), (k, k_rank), (r, r_rank) = (x.get(i, (None, None)) for x in (bm25, knn, final))
        out[i] = Scores(b, b_rank, k, k_rank, score, rank, reranked.cross.get(i), r, r_rank)
    return out
