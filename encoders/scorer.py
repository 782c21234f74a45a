"""The interface that all architectures share: queries and passages in, scores out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn


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


class Scorer(nn.Module, ABC):
    """``score(queries, passages)``: the larger, the better the passage answers the query."""

    @abstractmethod
    def score(self, queries: Sequence[str], passages: Sequence[str]) -> Tensor:
        """Scores (Q, P) of every query with every passage."""

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write all that is needed to load it again, in Hugging Face's layout where there is a transformer."""


class Indexable(Scorer):
    """Queries and passages are encoded apart, so that passages can be encoded once and kept."""

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


AT_ONCE = 256


def encode_all(model: Indexable, passages: Sequence[str], tick: Callable[[], object] = int) -> Encoded:
    """``passages`` (P) in parts of like length, so that little is padded, in their own order.

    ``tick`` is called after each part.
    """
    order = sorted(range(len(passages)), key=lambda n: len(passages[n]))
    parts = []
    for at in range(0, len(order), AT_ONCE):
        parts.append(model.encode_passages([passages[n] for n in order[at : at + AT_ONCE]]))
        tick()
    return joined(parts)[torch.tensor(order).argsort()]


def joined(parts: Sequence[Encoded]) -> Encoded:
    """Parts one after the other, padded to the largest number of vectors."""
    most = max(p.values.shape[1] for p in parts)
    values = [nn.functional.pad(p.values, (0, 0, 0, most - p.values.shape[1])) for p in parts]
    masks = [nn.functional.pad(p.mask, (0, most - p.mask.shape[1])) for p in parts]
    return Encoded(torch.cat(values), torch.cat(masks))
