"""MatchPyramid: the matrix of word matches read as an image (Pang et al., "Text Matching as Image Recognition",
AAAI 2016)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from torch import Tensor, nn

from encoders.models.interaction.matching import cosines, dots, dynamic_pooling
from encoders.models.interaction.word_model import HINGE, WordPairs, WordsShape, architecture_of
from encoders.models.interaction.words import Words, WordTable


@dataclass(frozen=True)
class MatchPyramidShape(WordsShape):
    match: Literal["cosine", "dot", "same"] = "cosine"
    """Of two words: their vectors' cosine or product, or 1 for the same word and 0 for others."""
    filters: int = 32
    """Feature maps, each of windows of 3 x 3 matches."""
    rows: int = 3
    """Of the grid that is pooled to, over the query."""
    columns: int = 10
    """And over the passage."""
    hidden: int = 64
    """Of the perceptron."""


class MatchPyramid(WordPairs):
    """``z = relu(sum of w over a window of matches + b)``, dynamic pooling, ``W_2 relu(W_1 z + b_1) + b_2``."""

    def __init__(self, table: WordTable, passage_words: int, shape: MatchPyramidShape) -> None:
        super().__init__(table, passage_words, shape)
        self.maps = nn.Sequential(nn.Conv2d(1, shape.filters, 3, padding=1), nn.ReLU())
        self.score_of = nn.Sequential(
            nn.Linear(shape.filters * shape.rows * shape.columns, shape.hidden), nn.ReLU(), nn.Linear(shape.hidden, 1)
        )

    def compare(self, query: Words, passage: Words) -> Tensor:
        maps = self.maps(self.matches(query, passage)[:, None])
        pooled = dynamic_pooling(maps, query.mask, passage.mask, self.shape.rows, self.shape.columns)
        scores: Tensor = self.score_of(pooled.flatten(1))[:, 0]
        return scores

    def matches(self, query: Words, passage: Words) -> Tensor:
        """(N, Q, P), 0 where there is padding."""
        if self.shape.match == "same":
            same = (query.ids[:, :, None] == passage.ids[:, None]) & query.mask[:, :, None]
            return same.float()
        return (cosines if self.shape.match == "cosine" else dots)(query.values, passage.values)


ARCHITECTURE = architecture_of("match-pyramid", MatchPyramid, MatchPyramidShape, **HINGE)
