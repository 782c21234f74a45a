"""Bi-encoder: one vector for a query, one for a passage (Karpukhin et al., EMNLP 2020; Reimers & Gurevych, 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor
from transformers import BertModel

from encoders.models.architecture import Architecture, RunOptions, Served
from encoders.models.indexable import Encoded
from encoders.models.tower import Pooling, Tower
from encoders.models.two_towers import TowersShape, TwoTowers
from search_stack.core.errors import AspectraError

MARKERS = ("query: ", "passage: ")


@dataclass(frozen=True)
class BiShape(TowersShape):
    pooling: Pooling = "mean"
    markers: bool = False
    """Whether "query: " or "passage: " stands before what is read."""

    def check(self, run: RunOptions) -> None:
        if run.loss in ("triplet", "margin") and self.similarity != "cosine":
            raise AspectraError(f"The loss {run.loss} compares cosines.", "Set similarity to cosine.")


class BiEncoder(TwoTowers):
    """Scores are dot products, or cosines times ``scale``."""

    def __init__(self, tower: Tower, shape: BiShape | None = None) -> None:
        shape = shape or BiShape()
        super().__init__(tower, shape)
        self.shape = shape

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


ARCHITECTURE = Architecture(
    "bi",
    BiEncoder,
    BiShape,
    BiEncoder.build,
    BiEncoder.load,
    served=Served(
        "bi",
        BertModel,
        "mean",
        {"shared": True, "pooling": "mean", "similarity": "cosine", "markers": False},
        unused=("pooler.",),
    ),
)
