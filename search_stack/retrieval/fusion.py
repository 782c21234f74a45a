"""Fusion of rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

RANK_CONSTANT = 60


def reciprocal_rank_fusion(rankings: Sequence[Sequence[str]]) -> list[tuple[str, float]]:
    """Fuse ``rankings`` by the sum of 1 / (60 + rank) (Cormack, Clarke & Büttcher, SIGIR 2009).

    Best first; equal sums in order of id, so that pages never shuffle.

    >>> [i for i, _ in reciprocal_rank_fusion([["a", "b"], ["b", "c"]])]
    ['b', 'a', 'c']
    """
    sums: dict[str, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            sums[item] = sums.get(item, 0.0) + 1 / (RANK_CONSTANT + rank)
    return sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))


def min_max(scores: Mapping[str, float]) -> dict[str, float]:
    """``scores`` stretched to 0 … 1; all 0 where they are equal.

    >>> min_max({"a": 2.0, "b": 4.0, "c": 3.0})
    {'a': 0.0, 'b': 1.0, 'c': 0.5}
    """
    low, high = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    return {i: (s - low) / (high - low) if high > low else 0.0 for i, s in scores.items()}


def interpolate(items: Sequence[str], weighted: Sequence[tuple[float, Mapping[str, float]]]) -> list[tuple[str, float]]:
    """Rank ``items`` by the weighted sum of their scores, each scoring stretched to 0 … 1 over ``items``.

    An item that a scoring lacks gets 0 from it. Best first; equal sums in order of id.

    >>> interpolate(["a", "b"], [(1.0, {"a": 2.0, "b": 3.0, "c": 9.0}), (0.5, {"a": 1.0})])
    [('b', 1.0), ('a', 0.0)]
    """
    stretched = [(weight, min_max({i: scores[i] for i in items if i in scores})) for weight, scores in weighted]
    sums = {i: sum(weight * scores.get(i, 0.0) for weight, scores in stretched) for i in items}
    return sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))
