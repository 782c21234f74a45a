"""Which examples meet in a batch: everything follows from the seed, so a resumed run repeats nothing."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from functools import lru_cache

from encoders.training.config import TrainingConfig
from encoders.training.examples import Example


class Batches:
    """The batches of a run, epoch after epoch."""

    def __init__(self, examples: Sequence[Example], config: TrainingConfig) -> None:
        self._examples, self._config = examples, config
        # Where only each query's own list is read, nothing keeps two that ask for the same apart.
        alone = config.architecture.model.reads_together
        asked = [n if alone else (e.query.entity, e.query.aspect) for n, e in enumerate(examples)]
        self._keys = [(e.positive.document_id, what) for e, what in zip(examples, asked, strict=True)]
        self._size = min(config.batch, len(set(asked)))
        self._epoch = lru_cache(maxsize=2)(self._draw)
        self.each = len(self._epoch(0))
        """Batches of an epoch."""

    @property
    def nothing_wrong(self) -> bool:
        """Whether each query would only ever be read with its own answer: the loss is 0 whatever the weights."""
        return self._size == 1 and not self._config.negatives

    def _draw(self, epoch: int) -> list[list[int]]:
        return epoch_batches(self._keys, self._size, self._config.together, self._config.seed, epoch)

    def __getitem__(self, step: int) -> list[Example]:
        epoch, place = divmod(step, self.each)
        drawn = self._epoch(epoch)
        # Epochs may differ by a batch: the last one then comes once more.
        return [self._examples[n] for n in drawn[min(place, len(drawn) - 1)]]


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
