"""What bi- and poly-encoder share: a transformer for queries and one for passages, or one for both."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Literal

from torch import Tensor
from torch.nn import functional

from encoders.scorer import Encoded, Indexable
from encoders.tower import Tower

Similarity = Literal["cosine", "dot"]


class TwoTowers(Indexable):
    """
    Args:
        shared: one transformer for both, or a tower each, the passages' a copy to begin with.
        factor: what the products of two vectors, cosines or not, are multiplied with.
    """

    def __init__(self, tower: Tower, shared: bool, similarity: Similarity, factor: float) -> None:
        super().__init__()
        self.similarity, self.factor = similarity, factor
        self.query_tower = tower
        self.passage_tower = tower if shared else copy.deepcopy(tower)

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
