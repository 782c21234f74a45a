"""MV-LSTM: every place of a text has a vector that knows what stands before and after, and the best matches of two
places count (Wan et al., "A Deep Architecture for Semantic Matching with Multiple Positional Sentence Representations",
AAAI 2016)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from encoders.models.interaction.matching import cosines, dots, k_max, met
from encoders.models.interaction.recurrent import read_both_ways
from encoders.models.interaction.word_model import HINGE, WordPairs, WordsShape, architecture_of
from encoders.models.interaction.words import Words, WordTable


@dataclass(frozen=True)
class MvLstmShape(WordsShape):
    hidden: int = 32
    """Of each direction of the LSTM."""
    match: Literal["cosine", "bilinear", "tensor"] = "cosine"
    """Of two places u and v: their cosine; ``u M v + b``; or ``relu(u M_c v + W_c [u; v] + b_c)`` in ``slices``."""
    slices: int = 2
    """c of the tensor."""
    largest: int = 10
    """Matches that count, in each slice: k of k-max pooling."""
    dense: int = 32
    """Of the perceptron."""


class MvLstm(WordPairs):
    def __init__(self, table: WordTable, passage_words: int, shape: MvLstmShape) -> None:
        super().__init__(table, passage_words, shape)
        self.read = nn.LSTM(table.width, shape.hidden, batch_first=True, bidirectional=True)
        slices = shape.slices if shape.match == "tensor" else 1
        if shape.match != "cosine":
            both = 2 * shape.hidden
            self.tensor = nn.Parameter(torch.eye(both).repeat(slices, 1, 1) + 0.01 * torch.randn(slices, both, both))
            self.sides = nn.ModuleList([nn.Linear(both, slices, bias=False) for _ in range(2)])
            self.bias = nn.Parameter(torch.zeros(slices))
        self.score_of = nn.Sequential(
            nn.Linear(slices * shape.largest, shape.dense), nn.ReLU(), nn.Linear(shape.dense, 1)
        )

    def compare(self, query: Words, passage: Words) -> Tensor:
        u, v = (read_both_ways(self.read, words.values, words.mask) for words in (query, passage))
        mask = met(query, passage).flatten(1)
        best = [k_max(slice.flatten(1), mask, self.shape.largest) for slice in self.matches(u, v).unbind(dim=1)]
        scores: Tensor = self.score_of(torch.cat(best, dim=1))[:, 0]
        return scores

    def matches(self, u: Tensor, v: Tensor) -> Tensor:
        """(N, slices, Q, P) of places (N, Q, H) and (N, P, H)."""
        if self.shape.match == "cosine":
            return cosines(u, v)[:, None]
        products = torch.stack([dots(u @ m, v) for m in self.tensor], dim=1) + self.bias[:, None, None]
        if self.shape.match == "bilinear":
            return products
        asked, read = (side(place).transpose(1, 2) for side, place in zip(self.sides, (u, v), strict=True))
        found: Tensor = (products + asked[..., None] + read[:, :, None]).relu()
        return found


ARCHITECTURE = architecture_of("mv-lstm", MvLstm, MvLstmShape, **HINGE)
