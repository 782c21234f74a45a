"""Precision, recall and F1 of a class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scores:
    """All 0 to 1; 0 where there is nothing to divide by."""

    precision: float
    recall: float
    f1: float


def scores(found: Sequence[bool], gold: Sequence[bool]) -> Scores:
    """How well ``found`` agrees with ``gold`` on what is True.

    >>> scores([True, True, False], [True, False, False])
    Scores(precision=0.5, recall=1.0, f1=0.6666666666666666)
    """
    hits = sum(f and g for f, g in zip(found, gold, strict=True))
    return of_counts(hits, sum(found), sum(gold))


def of_counts(hits: int, found: int, gold: int) -> Scores:
    precision = hits / found if found else 0.0
    recall = hits / gold if gold else 0.0
    return Scores(precision, recall, 2 * hits / (found + gold) if found + gold else 0.0)
