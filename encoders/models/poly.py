"""Poly-encoders: several vectors for a query (Humeau et al., "Poly-encoders", ICLR 2020), or several for a passage
(Grundmann et al., "Self-Supervised Answer Retrieval on Clinical Notes", 2021)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

import torch
from torch import Tensor, nn
from torch.nn import functional

from encoders.models.architecture import Architecture, require_above_0
from encoders.models.indexable import Encoded
from encoders.models.tower import Tower
from encoders.models.two_towers import TowersShape, TwoTowers
from search_stack.core.errors import AspectraError

Attention = Literal["original", "relu", "capr"]
CODES = "codes.pt"
ATTENTION = "attention.pt"


@dataclass(frozen=True)
class PolyShape(TowersShape):
    """What meets below is cosines times ``scale``, or dot products (as published) over the root of H."""

    codes: int = 16
    """m of Humeau et al.; with ``attention=capr`` there are none."""
    attention: Attention = "original"

    def __post_init__(self) -> None:
        require_above_0(self, "codes")


class PolyEncoder(TwoTowers):
    """``codes`` learnt vectors attend over the query's tokens and give K vectors; how a passage p meets them, with
    ``y_k = p · q_k`` and ``w = softmax(y)``:

    - "original": the score is ``p · sum_k w_k q_k``, that is ``sum_k w_k y_k``.
    - "relu": ``sum_k w_k relu(y_k)``, so that a code that speaks against a passage counts nothing.
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
        if self.shape.attention == "relu":
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


class TokenPolyEncoder(TwoTowers):
    """The query q attends over the tokens h_1 … h_T of the passage, with a learnt matrix W:
    ``w = softmax_t(q^T W h_t)``, ``p = sum_t w_t h_t``, and the score is ``q · p`` (Grundmann et al., equation 2).

    The paper could not be had. That the query attends, over tokens, and that W is learnt, is known of it; a bilinear
    form, q as the mean of its tokens, ``q · p`` with the same q, the root of H under the form and W's start (the
    identity, so that it begins as attention by dot products) are our reading.
    """

    def __init__(self, tower: Tower, shape: PolyShape) -> None:
        flat = tower.width**-0.5
        super().__init__(tower, shape, dot=flat)
        self.shape = shape
        self.flat = flat
        self.attend = nn.Parameter(torch.eye(tower.width))
        """W, (H, H)."""

    def encode_queries(self, queries: Sequence[str]) -> Encoded:
        """``queries`` (Q) as (Q, 1, H), the mean of their tokens, not normalised."""
        return Encoded.whole(self.query_tower.vectors(queries, "mean")[:, None])

    def encode_passages(self, passages: Sequence[str]) -> Encoded:
        """``passages`` (P) as (P, T, H): their tokens, not normalised."""
        states, mask = self.passage_tower.states(self.passage_tower.tokens(passages))
        return Encoded(states.float(), mask)

    def interact(self, queries: Encoded, passages: Encoded) -> Tensor:
        asked = queries.values[:, 0]
        met = torch.einsum("qh,pth->qpt", asked @ self.attend, passages.values) * self.flat
        weights = met.masked_fill(~passages.mask[None], -torch.inf).softmax(dim=-1)
        # Padding weighs 0.
        read = torch.einsum("qpt,pth->qph", weights, passages.values)
        if self.similarity == "cosine":
            asked, read = functional.normalize(asked, dim=-1), functional.normalize(read, dim=-1)
        return self.factor * torch.einsum("qh,qph->qp", asked, read)

    def save(self, folder: Path) -> None:
        super().save(folder)
        torch.save({"attend": self.attend.detach().cpu()}, folder / ATTENTION)

    @classmethod
    def load(cls, folder: Path, max_tokens: int, shape: Any) -> Self:
        """
        Raises:
            AspectraError: it was trained when "capr" meant what "relu" means now.
        """
        if not (folder / ATTENTION).is_file():
            raise AspectraError(f"{folder}: holds no {ATTENTION}.", "Write attention relu into its aspectra.json.")
        model = super().load(folder, max_tokens, shape)
        with torch.no_grad():
            model.attend.copy_(torch.load(folder / ATTENTION, weights_only=True)["attend"])
        return model


def _kind(shape: PolyShape) -> type[PolyEncoder] | type[TokenPolyEncoder]:
    return TokenPolyEncoder if shape.attention == "capr" else PolyEncoder


def build(base: str, max_tokens: int, layers: int, shape: PolyShape) -> TwoTowers:
    return _kind(shape).build(base, max_tokens, layers, shape)


def load(folder: Path, max_tokens: int, shape: PolyShape) -> TwoTowers:
    """
    Raises:
        AspectraError: see `TokenPolyEncoder.load`.
    """
    return _kind(shape).load(folder, max_tokens, shape)


ARCHITECTURE = Architecture("poly", PolyEncoder, PolyShape, build, load)
