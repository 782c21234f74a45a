"""Is one system better than another on the same queries, or is it chance? And how sure is a share?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from search_stack.core.errors import AspectraError

CONFIDENCE = 0.95
FEWEST_QUERIES = 10
"""Below this a resample tells too little: a single query would always come out significant."""

_DRAWS_AT_ONCE = 1 << 20
"""Bounds the memory: 8 MiB of indices and 8 MiB of differences, for any number of queries."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Ours minus the baseline, in the measure's own unit, with its 95 % interval."""

    mean_difference: float
    low: float
    high: float
    significant: bool
    """The interval leaves 0 out, and there are at least ``FEWEST_QUERIES`` queries."""

    def __str__(self) -> str:
        ends = f"{self.low:+.3f} to {self.high:+.3f}"
        return f"{self.mean_difference:+.3f} ({ends}, paired bootstrap, {100 * CONFIDENCE:.0f} %)"


def paired_bootstrap(ours: Sequence[float], baseline: Sequence[float], samples: int = 2000, seed: int = 13) -> Interval:
    """Percentile interval of the mean difference over queries.

    ``ours[i]`` and ``baseline[i]`` are values of one measure for the same query. Whole
    queries are drawn with replacement, so that a query that is hard for both systems stays
    paired. Sources: Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter
    13; for retrieval, Sakai, "Evaluating Evaluation Metrics Based on the Bootstrap" (SIGIR
    2006). The same input and seed give the same interval.

    Raises:
        AspectraError: the two differ in length, are empty, hold a value that is not finite,
            or ``samples`` is below 1.
    """
    if len(ours) != len(baseline) or not len(ours):
        raise AspectraError(
            f"Paired comparison: {len(ours)} values against {len(baseline)}.",
            "Give one value of each system for every query, and at least one query.",
        )
    if samples < 1:
        raise AspectraError(f"Paired comparison: {samples} samples.", "Draw at least 1; 2000 is usual.")
    differences = np.asarray(ours, dtype=np.float64) - np.asarray(baseline, dtype=np.float64)
    if not np.isfinite(differences).all():
        raise AspectraError("Paired comparison: a value is not a finite number.", "Mend the measure that gave it.")
    tail = (1 - CONFIDENCE) / 2
    low, high = (float(q) for q in np.quantile(_resampled_means(differences, samples, seed), [tail, 1 - tail]))
    return Interval(
        mean_difference=float(differences.mean()),
        low=low,
        high=high,
        significant=len(ours) >= FEWEST_QUERIES and (low > 0 or high < 0),
    )


@dataclass(frozen=True, slots=True)
class Share:
    """A ratio over groups, with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"


def share(hits: Sequence[float], of: Sequence[float], samples: int = 2000, seed: int = 13) -> Share | None:
    """The sum of ``hits`` over the sum of ``of``, each a value for every group; None where ``of`` is 0 throughout.

    Whole groups are drawn with replacement, since what stands in one note is alike: a percentile interval of the
    ratio. Source: Davison and Hinkley, "Bootstrap Methods and their Application" (1997). Groups of which there is
    nothing count for nothing. The same input and seed give the same interval.
    """
    pairs = np.array([(h, n) for h, n in zip(hits, of, strict=True) if n], dtype=np.float64)
    if not len(pairs):
        return None
    drawn = np.random.default_rng(seed).integers(0, len(pairs), size=(samples, len(pairs)))
    sums = pairs[drawn].sum(axis=1)
    tail = (1 - CONFIDENCE) / 2
    low, high = (float(q) for q in np.quantile(sums[:, 0] / sums[:, 1], [tail, 1 - tail]))
    return Share(float(pairs[:, 0].sum() / pairs[:, 1].sum()), low, high)


def paired_shares(
    ours: tuple[Sequence[float], Sequence[float]],
    baseline: tuple[Sequence[float], Sequence[float]],
    samples: int = 2000,
    seed: int = 13,
) -> Interval | None:
    """`share` of ours minus that of the baseline, each given by its ``hits`` and ``of`` over the same groups.

    A group that is drawn is drawn for both, so that what is hard for both stays paired. None where either has nothing
    to be a share of; draws in which one has nothing are left out.
    """
    groups = np.array([*ours, *baseline], dtype=np.float64).T
    totals = groups.sum(axis=0)
    if not len(groups) or not totals[1] or not totals[3]:
        return None
    drawn = np.random.default_rng(seed).integers(0, len(groups), size=(samples, len(groups)))
    sums = groups[drawn].sum(axis=1)
    sums = sums[(sums[:, 1] > 0) & (sums[:, 3] > 0)]
    tail = (1 - CONFIDENCE) / 2
    low, high = (float(q) for q in np.quantile(sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3], [tail, 1 - tail]))
    return Interval(
        mean_difference=float(totals[0] / totals[1] - totals[2] / totals[3]),
        low=low,
        high=high,
        significant=len(groups) >= FEWEST_QUERIES and (low > 0 or high < 0),
    )


def _resampled_means(differences: NDArray[np.float64], samples: int, seed: int) -> NDArray[np.float64]:
    """Means of ``samples`` resamples of (N,) differences: (samples,)."""
    rng = np.random.default_rng(seed)
    n = len(differences)
    at_once = max(1, _DRAWS_AT_ONCE // n)
    means = np.empty(samples, dtype=np.float64)
    for begin in range(0, samples, at_once):
        part = means[begin : begin + at_once]
        part[:] = differences[rng.integers(0, n, size=(len(part), n))].mean(axis=1)
    return means
