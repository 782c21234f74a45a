"""Average precision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from search_stack.evaluation.measures.measure import gains


@dataclass(frozen=True, slots=True)
class AveragePrecision:
    """MAP: precision at the rank of each relevant passage, averaged over all the relevant.

    A relevant passage that is not in the ranking adds 0. The mean over queries gives it its
    name. Source: Buckley and Voorhees, "Evaluating Evaluation Measure Stability" (SIGIR
    2000). No cutoff: the whole ranking counts.
    """

    @property
    def name(self) -> str:
        return "MAP"

    def per_query(self, ranking: Sequence[str], relevant: Mapping[str, int]) -> float:
        gain = gains(relevant)
        ranks = [rank for rank, passage in enumerate(ranking, 1) if passage in gain]
        return sum(found / rank for found, rank in enumerate(ranks, 1)) / len(gain)
