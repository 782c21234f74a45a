"""Normalised discounted cumulative gain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2

from search_stack.evaluation.measures.measure import check_cutoff, gains


@dataclass(frozen=True, slots=True)
class NDCG:
    """nDCG@k: discounted gain of the first ``k``, divided by that of the best possible order.

    Source: Järvelin and Kekäläinen, "Cumulated Gain-Based Evaluation of IR Techniques" (ACM
    TOIS 20(4), 2002). The gain is the relevance itself (linear, not 2^relevance - 1) and the
    discount is 1 / log2(rank + 1), as in trec_eval and so in ir_measures. The paper's own
    discount differs: with base 2 it is 1 / log2(rank) from rank 2 on.
    """

    k: int

    def __post_init__(self) -> None:
        check_cutoff(self.name, self.k)

    @property
    def name(self) -> str:
        return f"nDCG@{self.k}"

    def per_query(self, ranking: Sequence[str], relevant: Mapping[str, int]) -> float:
        gain = gains(relevant)
        best = sorted(gain.values(), reverse=True)[: self.k]
        return _discounted(gain.get(passage, 0) for passage in ranking[: self.k]) / _discounted(best)


def _discounted(gain_by_rank: Iterable[int]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gain_by_rank, 1))
