"""aNMM-1: matches share a weight by their value, not by their place, and the query's words get attention (Yang et al.,
"aNMM: Ranking Short Answer Texts with Attention-Based Neural Matching Model", CIKM 2016, section 3)."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from encoders.models.interaction.matching import cosines, masked_softmax, met, summed_in_bins
from encoders.models.interaction.word_model import HINGE, WordPairs, WordsShape, architecture_of, require_two
from encoders.models.interaction.words import Words, WordTable


@dataclass(frozen=True)
class AnmmShape(WordsShape):
    bins: int = 200
    """Ranges of a match that share a weight, the last one for the same word."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require_two(self, "bins")


class Anmm(WordPairs):
    """``y = sum_j softmax(v · q_j) sigmoid(sum_k w_k x_jk)``, where ``x_jk`` is the sum of word j's matches with the
    passage that fall into range k."""

    def __init__(self, table: WordTable, passage_words: int, shape: AnmmShape) -> None:
        super().__init__(table, passage_words, shape)
        self.shared = nn.Linear(shape.bins, 1, bias=False)
        self.attention = nn.Linear(table.width, 1, bias=False)

    def compare(self, query: Words, passage: Words) -> Tensor:
        each = self.shared(self.values(query, passage))[..., 0].sigmoid()
        weights = masked_softmax(self.attention(query.values)[..., 0], query.mask)
        scores: Tensor = (weights * each).sum(dim=1)
        return scores

    def values(self, query: Words, passage: Words) -> Tensor:
        """x, (N, Q, bins)."""
        found = cosines(query.values, passage.values)
        return summed_in_bins(found, found, met(query, passage), self.shape.bins)


ARCHITECTURE = architecture_of("anmm", Anmm, AnmmShape, **HINGE, learning_rate=1e-2)
