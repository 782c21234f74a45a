"""What bi- and poly-encoder share: a transformer for queries and one for passages, or one for both."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

from torch import Tensor
from torch.nn import functional

from encoders.models.architecture import Shape
from encoders.models.indexable import Encoded, Indexable
from encoders.models.tower import Tower

Similarity = Literal["cosine", "dot"]


@dataclass(frozen=True)
class TowersShape(Shape):
    shared: bool = True
    """One transformer for both, or a tower each."""
    similarity: Similarity = "cosine"
    """Of the vectors: cosines times ``scale``, or dot products."""
    scale: float = 20.0
    """What cosines are multiplied with, so that a softmax over them can be sharp."""


class TwoTowers(Indexable):
    """
    Args:
        tower: of both, or of the queries; the passages' is a copy to begin with.
        dot: what dot products are multiplied with.
    """

    def __init__(self, tower: Tower, shape: TowersShape, dot: float = 1.0) -> None:
        super().__init__()
        self.similarity = shape.similarity
        self.factor = shape.scale if shape.similarity == "cosine" else dot
        self.query_tower = tower
        self.passage_tower = tower if shape.shared else copy.deepcopy(tower)

    @classmethod
    def build(cls, base: str, max_tokens: int, layers: int, shape: Any) -> Self:
        return cls(Tower.from_base(base, max_tokens, layers), shape)

    @classmethod
    def load(cls, folder: Path, max_tokens: int, shape: Any) -> Self:
        if shape.shared:
            return cls(Tower.from_base(folder, max_tokens), shape)
        model = cls(Tower.from_base(folder / "query", max_tokens), shape)
        model.passage_tower = Tower.from_base(folder / "passage", max_tokens)
        return model

    @property
    def scale(self) -> float:
        return self.factor if self.similarity == "cosine" else 1.0

    def compared(self, vectors: Tensor) -> Encoded:
        """``vectors`` (N, K, H), of length 1 where cosines are compared."""
        return Encoded.whole(functional.normalize(vectors, dim=-1) if self.similarity == "cosine" else vectors)

    def save(self, folder: Path) -> None:
        """The weights go to ``folder`` where they are shared, else to its folders query and passage."""
        if self.passage_tower is self.query_tower:
            self.query_tower.save(folder)
            return
        self.query_tower.save(folder / "query")
        self.passage_tower.save(folder / "passage")
