"""Success at a cutoff."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from search_stack.evaluation.measures.measure import check_cutoff, gains, graded_name


@dataclass(frozen=True, slots=True)
class Success:
    """Success@k: 1 where any relevant passage is among the first ``k``, else 0.

    Source: `Success` of ir_measures, "success at n" of Craswell and Hawking's TREC web tracks. Unlike R@k
    it can reach 1 whatever the number of relevant passages.

    Args:
        least: the relevance from which a passage counts; written as ir_measures does, Success(rel=2)@5.
    """

    k: int
    least: int = 1

    def __post_init__(self) -> None:
        check_cutoff(self.name, self.k)

    @property
    def name(self) -> str:
        return graded_name("Success", self.least, self.k)

    def per_query(self, ranking: Sequence[str], relevant: Mapping[str, int]) -> float:
        gain = gains(relevant)
        return float(any(gain.get(passage, 0) >= self.least for passage in ranking[: self.k]))
