"""Reciprocal rank of the first relevant passage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from search_stack.evaluation.measures.measure import gains


@dataclass(frozen=True, slots=True)
class ReciprocalRank:
    """MRR: 1 / rank of the first relevant passage, 0 where none is in the ranking.

    The mean over queries gives it its name. Source: Voorhees, "The TREC-8 Question
    Answering Track Report" (1999). No cutoff: the whole ranking counts.
    """

    @property
    def name(self) -> str:
        return "MRR"

    def per_query(self, ranking: Sequence[str], relevant: Mapping[str, int]) -> float:
        gain = gains(relevant)
        return next((1 / rank for rank, passage in enumerate(ranking, 1) if passage in gain), 0.0)
