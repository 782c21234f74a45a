"""Models that encode queries and passages apart, and the vectors that they give."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from encoders.models.learning import Batch, Objective
from encoders.models.scorer import Corpus, Scorer
from search_stack.core.errors import AspectraError

AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Encoded:
    """Vectors of N texts: ``values`` (N, K, H) float32, ``mask`` (N, K) bool, False where there is padding."""

    values: Tensor
    mask: Tensor

    @classmethod
    def whole(cls, values: Tensor) -> Encoded:
        """``values`` (N, K, H) without any padding."""
        return cls(values, torch.ones(values.shape[:2], dtype=torch.bool, device=values.device))

    def __getitem__(self, rows: slice | Tensor) -> Encoded:
        return Encoded(self.values[rows], self.mask[rows])


class Indexable(Scorer):
    """Queries and passages are encoded apart, so that passages can be encoded once and kept."""

    reads_together = False

    @property
    def scale(self) -> float:
        """What cosines are multiplied with, where the scores are cosines."""
        return 1.0

    @abstractmethod
    def encode_queries(self, queries: Sequence[str]) -> Encoded:
        """``queries`` (Q) as (Q, K, H)."""

    @abstractmethod
    def encode_passages(self, passages: Sequence[str]) -> Encoded:
        """``passages`` (P) as (P, S, H)."""

    @abstractmethod
    def interact(self, queries: Encoded, passages: Encoded) -> Tensor:
        """Scores (Q, P)."""

    def score(self, queries: Sequence[str], passages: Sequence[str]) -> Tensor:
        return self.interact(self.encode_queries(queries), self.encode_passages(passages))

    def loss(self, batch: Batch, objective: Objective) -> Tensor:
        return objective.in_batch(self.score(batch.queries, batch.passages), self.scale)

    def corpus(self, passages: Sequence[str]) -> Corpus:
        return EncodedCorpus(self, passages)


class EncodedCorpus(Corpus):
    """Passages that are encoded once."""

    def __init__(self, model: Indexable, passages: Sequence[str]) -> None:
        self._encoder = model
        self._vectors = encode_all(model, passages)
        # As float32; padding is not counted.
        self.bytes_each = 4.0 * self._vectors.mask.sum().item() * self._vectors.values.shape[-1] / len(passages)

    def scores(self, queries: Sequence[str], lists: Sequence[Sequence[int]]) -> list[Tensor]:
        asked = self._encoder.encode_queries(queries)
        return [
            self._encoder.interact(asked[n : n + 1], self._vectors[torch.tensor(own)])[0] for n, own in enumerate(lists)
        ]


def indexable(model: Scorer, name: str) -> Indexable:
    """
    Raises:
        AspectraError: the model, told as ``name``, does not encode passages.
    """
    if not isinstance(model, Indexable):
        raise AspectraError(f"{name}: does not encode passages.", "Name the run of a bi- or poly-encoder.")
    return model


def encode_all(
    model: Indexable,
    passages: Sequence[str],
    tick: Callable[[], object] = int,
    encode: Callable[[Sequence[str]], Encoded] | None = None,
) -> Encoded:
    """``passages`` (P) in parts of like length, so that little is padded, in their own order.

    ``tick`` is called after each part. ``encode`` is the model's for passages where none is given.
    """
    encode = encode or model.encode_passages
    order = sorted(range(len(passages)), key=lambda n: len(passages[n]))
    parts = []
    for at in range(0, len(order), AT_ONCE):
        parts.append(encode([passages[n] for n in order[at : at + AT_ONCE]]))
        tick()
    return joined(parts)[torch.tensor(order).argsort()]


def joined(parts: Sequence[Encoded]) -> Encoded:
    """Parts one after the other, padded to the largest number of vectors."""
    most = max(p.values.shape[1] for p in parts)
    values = [nn.functional.pad(p.values, (0, 0, 0, most - p.values.shape[1])) for p in parts]
    masks = [nn.functional.pad(p.mask, (0, most - p.mask.shape[1])) for p in parts]
    return Encoded(torch.cat(values), torch.cat(masks))
