"""What a model learns from: a batch, and the loss of the scores that it gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Batch:
    """Q queries and P passages, the answer of query ``n`` at ``n``, then the hard negatives, as many for
    each query, query by query."""

    queries: list[str]
    passages: list[str]
    negatives: int
    asked: list[tuple[str, str]]
    """Entity and aspect of each query."""
    about: list[tuple[str, str]]
    """Entity and aspect of each passage."""
    answers: list[frozenset[str]]
    """Ids of all passages that answer each query."""
    ids: list[str]
    """Of the passages."""
    grades: tuple[tuple[int, ...], ...] = ()
    """(Q, 1 + negatives): how well each query's own list answers it, as people said, 0 to 2; none where nobody asks."""

    def labels(self) -> Tensor:
        """(Q, P): 1 where the passage answers the query."""
        return torch.eye(len(self.queries), len(self.passages))

    def doubtful(self) -> Tensor:
        """(Q, P): True where a passage may answer a query that it is not the answer of."""
        may = [
            [key == other or name in own for other, name in zip(self.about, self.ids, strict=True)]
            for key, own in zip(self.asked, self.answers, strict=True)
        ]
        return torch.tensor(may) & (self.labels() == 0)

    def lists(self) -> Tensor:
        """(Q, 1 + negatives) int64: for each query the passages of its own list, the answer first."""
        count = len(self.queries)
        own = torch.arange(count)[:, None]
        return torch.cat([own, count + own * self.negatives + torch.arange(self.negatives)[None]], dim=1)


class Objective(Protocol):
    """The loss of a batch, scalar, of the scores that a model can give it."""

    def in_batch(self, scores: Tensor, scale: float = 1.0) -> Tensor:
        """Of (Q, P): every query with every passage; ``scale`` is what cosines were multiplied with."""

    def lists(self, scores: Tensor) -> Tensor:
        """Of (Q, 1 + negatives): each query with its own list."""
