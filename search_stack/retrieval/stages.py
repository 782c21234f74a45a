"""What the stages of a search leave: rankings, and the scores by which each passage came to its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from search_stack.cohorts.plan import Plan
from search_stack.core.schema import Scores
from search_stack.retrieval.answer import Key, Scope
from search_stack.retrieval.tiers import denied, place, undenied

Ranked = list[tuple[str, float]]
BRIEF = 24
"""Characters: "General anesthesia." is like many a query and answers few. nDCG@10 0.545 against 0.529 on the judged
queries to tune on."""


class Standing(NamedTuple):
    """What goes before every score of a passage, the weightiest first; the least stands first."""

    unsaid: bool = False
    """It does not mention what is asked for otherwise than as present, or with an amount."""
    tier: int = 0
    """How well its labels satisfy the query (`search_stack.cohorts.plan.Plan.tier`), one more where it is brief. Who
    asks for "no fracture" finds "no rib fracture" by its score, though it is not counted: behind the others nDCG@10 is
    0.573, so 0.584."""
    silent: int = 0
    """How many of the findings that must not be there it does not deny itself: of two passages without one, that which
    says so answers better."""
    contradicted: bool = False
    """Labels alone decide, and it denies besides what it says."""

    @classmethod
    def of(cls, plan: Plan, source: Mapping[str, Any], tier: int, unsaid: bool) -> Standing:
        """
        Args:
            source: what the index holds of the passage.
        """
        where, _ = place(tier)
        if plan.labelled:
            return cls(unsaid=unsaid, tier=where, silent=undenied(plan, source), contradicted=denied(plan, source))
        return cls(unsaid, where + (source["end"] - source["begin"] < BRIEF), undenied(plan, source))


@dataclass(frozen=True, slots=True)
class FirstStage:
    """Rankings of passage ids, best first, each with its own score."""

    bm25: Ranked
    knn: Ranked
    hybrid: Ranked
    groups: Mapping[str, Mapping[Scope, Key]]
    """What each passage is listed under: its wording, the numbers of its note and its patient."""
    tiers: Mapping[str, int]
    """How well the labels of each satisfy the query."""
    standings: Mapping[str, Standing]
    """What goes before the scores of each."""
    vectors: bool = True
    """Whether the index's vectors are those of our encoder; asked only where the query has words."""


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
