"""DRMM: histograms of each query word's cosines with the passage, weighed by how much the word tells (Guo et al., "A
Deep Relevance Matching Model for Ad-hoc Retrieval", CIKM 2016, section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from encoders.models.interaction.matching import cosines, masked_softmax, met, summed_in_bins
from encoders.models.interaction.word_model import HINGE, WordPairs, WordsShape, architecture_of, require_two
from encoders.models.interaction.words import Words, WordTable


@dataclass(frozen=True)
class DrmmShape(WordsShape):
    bins: int = 30
    """Of a histogram, that of the same word among them."""
    hidden: int = 5
    gate: Literal["idf", "vector"] = "idf"
    """What tells the weight of a query's word: how rare it is, or its vector."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require_two(self, "bins")


class Drmm(WordPairs):
    """``s = sum_i g_i z_i`` over the query's words."""

    def __init__(self, table: WordTable, passage_words: int, shape: DrmmShape) -> None:
        super().__init__(table, passage_words, shape)
        # Each layer is tanh(W z + b), the last one too.
        self.layers = nn.Sequential(
            nn.Linear(shape.bins, shape.hidden), nn.Tanh(), nn.Linear(shape.hidden, 1), nn.Tanh()
        )
        self.gate = nn.Linear(1 if shape.gate == "idf" else table.width, 1, bias=False)
        if shape.gate == "idf":
            nn.init.ones_(self.gate.weight)

    def compare(self, query: Words, passage: Words) -> Tensor:
        each = self.layers(self.histograms(query, passage))[..., 0]
        scores: Tensor = (self.weights(query) * each).sum(dim=1)
        return scores

    def histograms(self, query: Words, passage: Words) -> Tensor:
        """(N, Q, bins): of each query word the logarithm of 1 plus the counts ("LCH")."""
        found = cosines(query.values, passage.values)
        return summed_in_bins(torch.ones_like(found), found, met(query, passage), self.shape.bins).log1p()

    def weights(self, query: Words) -> Tensor:
        """g, (N, Q): softmax over the query's words of ``w · x``, x a word's idf or vector."""
        told = query.idf[..., None] if self.shape.gate == "idf" else query.values
        return masked_softmax(self.gate(told)[..., 0], query.mask)


ARCHITECTURE = architecture_of("drmm", Drmm, DrmmShape, **HINGE, learning_rate=1e-2)
