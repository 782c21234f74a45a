"""Recall at a cutoff."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from search_stack.evaluation.measures.measure import check_cutoff, gains


@dataclass(frozen=True, slots=True)
class Recall:
    """R@k: the share of the relevant passages found in the first ``k``.

    Source: Manning, Raghavan and Schütze, "Introduction to Information Retrieval" (2008),
    section 8.3. For a query with one relevant passage it is success at ``k``; with more
    than ``k`` it stays below 1.
    """

    k: int

    def __post_init__(self) -> None:
        check_cutoff(self.name, self.k)

    @property
    def name(self) -> str:
        return f"R@{self.k}"

    def per_query(self, ranking: Sequence[str], relevant: Mapping[str, int]) -> float:
        gain = gains(relevant)
        return sum(passage in gain for passage in ranking[: self.k]) / len(gain)
