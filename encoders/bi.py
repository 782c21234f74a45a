"""Bi-encoder: one vector for a query, one for a passage (Karpukhin et al., EMNLP 2020; Reimers & Gurevych, 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from encoders.scorer import Encoded
from encoders.tower import Pooling, Tower
from encoders.two_towers import Similarity, TwoTowers

MARKERS = ("query: ", "passage: ")


@dataclass(frozen=True, slots=True)
class BiShape:
    """What a bi-encoder is, besides its weights."""

    shared: bool = True
    """One transformer for both, or a tower each."""
    pooling: Pooling = "mean"
    similarity: Similarity = "cosine"
    markers: bool = False
    """Whether "query: " or "passage: " stands before what is read."""
    scale: float = 20.0
    """What cosines are multiplied with, so that a softmax over them can be sharp."""


class BiEncoder(TwoTowers):
    """Scores are dot products, or cosines times ``scale``."""

    def __init__(self, tower: Tower, shape: BiShape | None = None) -> None:
        self.shape = s = shape or BiShape()
        super().__init__(tower, s.shared, s.similarity, s.scale if s.similarity == "cosine" else 1.0)

    def encode_queries(self, queries: Sequence[str]) -> Encoded:
        return self._encode(self.query_tower, queries, MARKERS[0])

    def encode_passages(self, passages: Sequence[str]) -> Encoded:
        return self._encode(self.passage_tower, passages, MARKERS[1])

    def _encode(self, tower: Tower, texts: Sequence[str], marker: str) -> Encoded:
        """``texts`` (N) as (N, 1, H), of length 1 where cosines are compared."""
        read = [marker + t for t in texts] if self.shape.markers else texts
        return self.compared(tower.vectors(read, self.shape.pooling)[:, None])

    def interact(self, queries: Encoded, passages: Encoded) -> Tensor:
        return self.factor * (queries.values[:, 0] @ passages.values[:, 0].T)
