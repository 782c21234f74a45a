"""Precision, recall and F1 of a class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PrecisionRecall:
    """All 0 to 1; 0 where there is nothing to divide by."""

    precision: float
    recall: float
    f1: float


def precision_recall(found: Sequence[bool], gold: Sequence[bool]) -> PrecisionRecall:
    """How well ``found`` agrees with ``gold`` on what is True.

    >>> precision_recall([True, True, False], [True, False, False])
    PrecisionRecall(precision=0.5, recall=1.0, f1=0.6666666666666666)
    """
    hits = sum(f and g for f, g in zip(found, gold, strict=True))
    return of_counts(hits, sum(found), sum(gold))


def of_counts(hits: int, found: int, gold: int) -> PrecisionRecall:
    precision = hits / found if found else 0.0
    recall = hits / gold if gold else 0.0
    return PrecisionRecall(precision, recall, 2 * hits / (found + gold) if found + gold else 0.0)
