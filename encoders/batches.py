"""Which examples meet in a batch: everything follows from the seed, so a resumed run repeats nothing."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence


def epoch_batches(
    keys: Sequence[tuple[Hashable, Hashable]], size: int, together: int, seed: int, epoch: int
) -> list[list[int]]:
    """Positions of ``keys`` in batches of ``size``; those that do not fill one wait for the next epoch.

    Args:
        keys: of each example, its document and what it asks for (entity and aspect).
        together: how many examples of a document come side by side, at most: their passages are
            each other's hardest negatives.

    Two examples that ask for the same never meet: each one's answer would count as wrong for the other.
    """
    rng = random.Random(f"{seed}/batches/{epoch}")
    by_document: dict[Hashable, list[int]] = {}
    for n in rng.sample(range(len(keys)), len(keys)):
        by_document.setdefault(keys[n][0], []).append(n)
    groups = [part[at : at + together] for part in by_document.values() for at in range(0, len(part), together)]
    rng.shuffle(groups)
    out: list[list[int]] = []
    waiting = [n for group in groups for n in group]
    while len(waiting) >= size:
        batch, rest = _fill(waiting, keys, size)
        if len(batch) < size:
            break
        out.append(batch)
        waiting = rest
    return out


def _fill(waiting: Sequence[int], keys: Sequence[tuple[Hashable, Hashable]], size: int) -> tuple[list[int], list[int]]:
    batch: list[int] = []
    asked: set[Hashable] = set()
    left: list[int] = []
    for place, n in enumerate(waiting):
        if len(batch) == size:
            return batch, [*left, *waiting[place:]]
        if keys[n][1] in asked:
            left.append(n)
        else:
            asked.add(keys[n][1])
            batch.append(n)
    return batch, left
