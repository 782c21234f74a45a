"""How far reviewers agree beyond chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from search_stack.review.decisions import VERDICTS, Standing, Verdict

Z = 1.959964
"""Of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's kappa with its 95 % interval."""

    value: float
    low: float
    high: float
    error: float
    """Standard error, for large numbers of patients."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of two reviewers, over the patients of whom both decided."""

    first: str
    second: str
    counts: Mapping[Verdict, Mapping[Verdict, int]]
    """By the verdict of the first, then of the second."""
    kappa: Kappa | None
    """None where nothing can be told: no patient, or both gave one and the same verdict throughout."""

    @property
    def patients(self) -> int:
        return sum(sum(row.values()) for row in self.counts.values())

    @property
    def agreed(self) -> int:
        return sum(self.counts[one][one] for one in self.counts)


def agreements(standing: Standing) -> Iterator[Agreement]:
    """Of every two reviewers who have a patient in common."""
    for a, b in combinations(standing.reviewers, 2):
        mine, theirs = standing.of(a), standing.of(b)
        both = [(mine[p].verdict, theirs[p].verdict) for p in sorted(mine.keys() & theirs.keys())]
        if both:
            counts = {row: {column: both.count((row, column)) for column in VERDICTS} for row in VERDICTS}
            table = np.array([[counts[row][column] for column in VERDICTS] for row in VERDICTS], dtype=np.float64)
            yield Agreement(a, b, counts, kappa(table))


def kappa(table: NDArray[np.float64]) -> Kappa | None:
    """Cohen's kappa of a (K, K) table of counts.

    Sources: Cohen, "A Coefficient of Agreement for Nominal Scales" (1960); the standard error is that of Fleiss,
    Cohen and Everitt, "Large Sample Standard Errors of Kappa and Weighted Kappa" (1969), equation 13.
    """
    n = float(table.sum())
    if not n:
        return None
    p = table / n
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    observed, chance = float(np.trace(p)), float(rows @ columns)
    if chance == 1:
        return None
    value = (observed - chance) / (1 - chance)
    sums = rows[None, :] + columns[:, None]
    """(K, K): p(.i) + p(j.), as equation 13 weighs the cell (i, j)."""
    same = float((np.diag(p) * ((1 - chance) - (rows + columns) * (1 - observed)) ** 2).sum())
    apart = p * sums**2
    other = (1 - observed) ** 2 * float(apart.sum() - np.trace(apart))
    variance = (same + other - (observed * chance - 2 * chance + observed) ** 2) / (n * (1 - chance) ** 4)
    error = sqrt(max(0.0, variance))
    return Kappa(value, max(-1.0, value - Z * error), min(1.0, value + Z * error), error)
