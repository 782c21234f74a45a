"""The interface that all models share: queries and passages in, scores out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import torch
from torch import Tensor, nn

from encoders.models.learning import Batch, Objective

if TYPE_CHECKING:
    from encoders.models.label_encoder import LabelEncoder


class Scorer(nn.Module, ABC):
    """``score(queries, passages)``: the larger, the better the passage answers the query."""

    reads_together: ClassVar[bool]
    """Whether query and passage are read together, so that only a query's own list is worth its reading."""

    @property
    def label_encoders(self) -> Mapping[str, LabelEncoder]:
        """What is trained on labels before all else, of "entities" and of "aspects": see
        `encoders.training.label_encoders`."""
        return {}

    @abstractmethod
    def score(self, queries: Sequence[str], passages: Sequence[str]) -> Tensor:
        """Scores (Q, P) of every query with every passage."""

    @abstractmethod
    def loss(self, batch: Batch, objective: Objective) -> Tensor:
        """What training lowers."""

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write all that is needed to load it again, in Hugging Face's layout where there is a transformer."""

    def corpus(self, passages: Sequence[str]) -> Corpus:
        """``passages``, kept as far as they can be read without a query."""
        return Corpus(self, passages)


class Corpus:
    """Passages that a model scores by their numbers, again and again."""

    bytes_each: float | None = None
    """Of a passage's vectors, where there are any."""

    def __init__(self, model: Scorer, passages: Sequence[str]) -> None:
        self._model, self._passages = model, passages

    def scores(self, queries: Sequence[str], lists: Sequence[Sequence[int]]) -> list[Tensor]:
        """Scores (C,) of each query with the passages of its list."""
        return [
            self._model.score([query], [self._passages[n] for n in own])[0]
            for query, own in zip(queries, lists, strict=True)
        ]


class Pairwise(Scorer):
    """Query and passage are read together, pair by pair."""

    reads_together = True

    @abstractmethod
    def pairs(self, queries: Sequence[str], passages: Sequence[str]) -> Tensor:
        """Scores (N,) of ``queries`` (N) with ``passages`` (N), each with that in its place."""

    @torch.inference_mode()
    def score(self, queries: Sequence[str], passages: Sequence[str]) -> Tensor:
        flat = self.pairs([q for q in queries for _ in passages], [*passages] * len(queries))
        return flat.view(len(queries), len(passages))

    def loss(self, batch: Batch, objective: Objective) -> Tensor:
        lists = batch.lists()
        queries = [q for q in batch.queries for _ in range(lists.shape[1])]
        passages = [batch.passages[n] for n in lists.flatten().tolist()]
        return objective.lists(self.pairs(queries, passages).view(lists.shape))
