"""Measures of a ranking, as values: ``parse("nDCG@10") == NDCG(10)``."""

from __future__ import annotations

import re

from search_stack.core.errors import AspectraError
from search_stack.evaluation.measures.average_precision import AveragePrecision
from search_stack.evaluation.measures.measure import Measure
from search_stack.evaluation.measures.ndcg import NDCG
from search_stack.evaluation.measures.recall import Recall
from search_stack.evaluation.measures.reciprocal_rank import ReciprocalRank
from search_stack.evaluation.measures.success import Success

__all__ = ["NDCG", "STANDARD", "AveragePrecision", "Measure", "Recall", "ReciprocalRank", "Success", "parse"]

_AT_A_CUTOFF = re.compile(r"(R|nDCG|Success)@([0-9]{1,6})")
_KINDS: dict[str, type[Recall | NDCG | Success]] = {"R": Recall, "nDCG": NDCG, "Success": Success}


def parse(name: str) -> Measure:
    """The measure that ``name`` writes: ``R@k``, ``Success@k``, ``nDCG@k``, ``MRR`` or ``MAP``; case counts.

    Raises:
        AspectraError: no measure has this name, or the cutoff is below 1.
    """
    if name == "MRR":
        return ReciprocalRank()
    if name == "MAP":
        return AveragePrecision()
    if written := _AT_A_CUTOFF.fullmatch(name):
        return _KINDS[written[1]](int(written[2]))
    raise AspectraError(
        f"Unknown measure {name!r}.",
        "Use R@k, Success@k, nDCG@k (k is a whole number, as in R@5), MRR or MAP; case counts.",
    )


STANDARD: tuple[Measure, ...] = (
    Recall(1),
    Recall(5),
    Recall(10),
    ReciprocalRank(),
    AveragePrecision(),
    NDCG(10),
    Success(1),
)
"""What a report shows unless asked otherwise."""
