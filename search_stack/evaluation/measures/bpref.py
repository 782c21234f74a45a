"""Binary preference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from search_stack.evaluation.measures.measure import gains


@dataclass(frozen=True, slots=True)
class Bpref:
    """Bpref: how seldom a passage judged wrong stands before a relevant one; what nobody judged is passed over.

    With R relevant and N wrong passages: the mean over the relevant, where those that were not found count 0, of
    1 - (wrong ones before it, R at most) / min(R, N). Source: Buckley and Voorhees, "Retrieval Evaluation with
    Incomplete Information" (SIGIR 2004), in the form of trec_eval 8 (Soboroff 2006).
    """

    @property
    def name(self) -> str:
        return "Bpref"

    def per_query(self, ranking: Sequence[str], relevant: Mapping[str, int]) -> float:
        gain = gains(relevant)
        wrong = len(relevant) - len(gain)
        total, before = 0.0, 0
        for passage in ranking:
            if passage in gain:
                total += 1 - min(before, len(gain)) / min(len(gain), wrong) if before else 1.0
            elif passage in relevant:
                before += 1
        return total / len(gain)
