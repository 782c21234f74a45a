"""Measures of a ranking, as values: ``parse("nDCG@10") == NDCG(10)``."""

from __future__ import annotations

import re

from search_stack.core.errors import AspectraError
from search_stack.evaluation.measures.average_precision import AveragePrecision
from search_stack.evaluation.measures.bpref import Bpref
from search_stack.evaluation.measures.measure import Measure
from search_stack.evaluation.measures.ndcg import NDCG
from search_stack.evaluation.measures.precision import Precision
from search_stack.evaluation.measures.recall import Recall
from search_stack.evaluation.measures.reciprocal_rank import ReciprocalRank
from search_stack.evaluation.measures.success import Success

__all__ = [
    "GRADED",
    "NDCG",
    "STANDARD",
    "AveragePrecision",
    "Bpref",
    "Measure",
    "Precision",
    "Recall",
    "ReciprocalRank",
    "Success",
    "parse",
]

_AT_A_CUTOFF = re.compile(r"(R|P|nDCG|Success)(?:\(rel=([1-9])\))?@([0-9]{1,6})")
_GRADED: dict[str, type[Precision | Success]] = {"P": Precision, "Success": Success}
_KINDS: dict[str, type[Recall | NDCG]] = {"R": Recall, "nDCG": NDCG}
_WHOLE: dict[str, Measure] = {"MRR": ReciprocalRank(), "MAP": AveragePrecision(), "Bpref": Bpref()}


def parse(name: str) -> Measure:
    """The measure that ``name`` writes: ``R@k``, ``P@k``, ``Success@k``, ``nDCG@k``, ``MRR``, ``MAP`` or ``Bpref``;
    case counts. ``P(rel=2)@k`` and ``Success(rel=2)@k`` take a relevance from 2 on.

    Raises:
        AspectraError: no measure has this name, or the cutoff is below 1.
    """
    if name in _WHOLE:
        return _WHOLE[name]
    if written := _AT_A_CUTOFF.fullmatch(name):
        kind, least, k = written.groups()
        if kind in _GRADED:
            return _GRADED[kind](int(k), int(least or 1))
        if not least:
            return _KINDS[kind](int(k))
    raise AspectraError(
        f"Unknown measure {name!r}.",
        "Use R@k, P@k, Success@k, nDCG@k (k is a whole number, as in R@5), MRR, MAP or Bpref; case counts.",
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

GRADED: tuple[Measure, ...] = (
    Precision(10, 2),
    Precision(10),
    Precision(1, 2),
    Success(5, 2),
    NDCG(10),
    Bpref(),
)
"""What is shown of judgements with the grades 0, 1 and 2."""
