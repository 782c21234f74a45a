"""Batches that waste little on padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def _longest_first(lengths: Sequence[int]) -> list[int]:
    return sorted(range(len(lengths)), key=lambda n: -lengths[n])


def length_sorted_batches(lengths: Sequence[int], batch_size: int) -> Iterator[list[int]]:
    """Positions of ``lengths`` in batches of at most ``batch_size``, the longest first.

    Neighbours in a batch have like lengths, so padding to the batch's longest costs little;
    the longest first, so that memory peaks at once and not at the end.

    >>> list(length_sorted_batches([3, 9, 4, 8], 2))
    [[1, 3], [2, 0]]
    """
    order = _longest_first(lengths)
    for start in range(0, len(order), batch_size):
        yield order[start : start + batch_size]


def token_batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Positions of ``lengths`` in batches of at most ``budget`` tokens, padding counted, the longest first.

    What is longer than ``budget`` is a batch by itself.

    >>> list(token_batches([3, 9, 4, 8, 2], 12))
    [[1], [3], [2, 0, 4]]
    """
    batch: list[int] = []
    for n in _longest_first(lengths):
        if batch and (len(batch) + 1) * lengths[batch[0]] > budget:
            yield batch
            batch = []
        batch.append(n)
    if batch:
        yield batch
