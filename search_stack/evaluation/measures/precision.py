"""Precision at a cutoff."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from search_stack.evaluation.measures.measure import check_cutoff, gains, graded_name


@dataclass(frozen=True, slots=True)
class Precision:
    """P@k: the share of the first ``k`` that is relevant; fewer than ``k`` passages are as good as wrong ones.

    Source: Manning, Raghavan and Schütze, "Introduction to Information Retrieval" (2008), section 8.4.

    Args:
        least: the relevance from which a passage counts; written as ir_measures does, P(rel=2)@10.
    """

    k: int
    least: int = 1

    def __post_init__(self) -> None:
        check_cutoff(self.name, self.k)

    @property
    def name(self) -> str:
        return graded_name("P", self.least, self.k)

    def per_query(self, ranking: Sequence[str], relevant: Mapping[str, int]) -> float:
        gain = gains(relevant)
        return sum(gain.get(passage, 0) >= self.least for passage in ranking[: self.k]) / self.k
