"""Poly-encoder: several vectors for a query, one for a passage, which attends over them (Humeau et al., ICLR 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

import torch
from torch import Tensor, nn

from encoders.models.architecture import Architecture, require_above_0
from encoders.models.indexable import Encoded
from encoders.models.tower import Tower
from encoders.models.two_towers import TowersShape, TwoTowers

Attention = Literal["original", "capr"]
CODES = "codes.pt"


@dataclass(frozen=True)
class PolyShape(TowersShape):
    """``y`` below is cosines times ``scale``, or dot products (as published) over the root of H."""

    codes: int = 16
    """m of the paper."""
    attention: Attention = "original"

    def __post_init__(self) -> None:
        require_above_0(self, "codes")


class PolyEncoder(TwoTowers):
    """``codes`` learnt vectors attend over the query's tokens and give K vectors; how a passage p meets them:

    - "original": ``w = softmax(y)``, ``y_k = p · q_k``; the score is ``p · sum_k w_k q_k``, that is
      ``sum_k w_k y_k``.
    - "capr": ``sum_k w_k relu(y_k)``, so that a code that speaks against a passage counts nothing
      (Grundmann et al., "Self-Supervised Answer Retrieval on Clinical Notes", 2021).
    """

    def __init__(self, tower: Tower, shape: PolyShape | None = None) -> None:
        shape = shape or PolyShape()
        flat = tower.width**-0.5
        super().__init__(tower, shape, dot=flat)
        self.shape = shape
        self.codes = nn.Parameter(torch.randn(shape.codes, tower.width) * flat)
        self.flat = flat
        """The root of H, inverse: keeps a softmax over products of H terms from being one-hot."""

    def encode_queries(self, queries: Sequence[str]) -> Encoded:
        """``queries`` (Q) as (Q, m, H)."""
        states, mask = self.query_tower.states(self.query_tower.tokens(queries))
        met = torch.einsum("mh,qth->qmt", self.codes, states.float()) * self.flat
        weights = met.masked_fill(~mask[:, None], -torch.inf).softmax(dim=-1)
        return self.compared(weights @ states.float())

    def encode_passages(self, passages: Sequence[str]) -> Encoded:
        """``passages`` (P) as (P, 1, H): the mean of their tokens."""
        return self.compared(self.passage_tower.vectors(passages, "mean")[:, None])

    def interact(self, queries: Encoded, passages: Encoded) -> Tensor:
        met = self.factor * torch.einsum("qkh,ph->qpk", queries.values, passages.values[:, 0])
        weights = met.masked_fill(~queries.mask[:, None], -torch.inf).softmax(dim=-1)
        if self.shape.attention == "capr":
            met = met.relu()
        scores: Tensor = (weights * met).sum(dim=-1)
        return scores

    def save(self, folder: Path) -> None:
        super().save(folder)
        torch.save({"codes": self.codes.detach().cpu()}, folder / CODES)

    @classmethod
    def load(cls, folder: Path, max_tokens: int, shape: Any) -> Self:
        model = super().load(folder, max_tokens, shape)
        with torch.no_grad():
            model.codes.copy_(torch.load(folder / CODES, weights_only=True)["codes"])
        return model


ARCHITECTURE = Architecture("poly", PolyEncoder, PolyShape, PolyEncoder.build, PolyEncoder.load)
