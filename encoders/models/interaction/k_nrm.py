"""K-NRM: soft counts of how well words match, by kernels (Xiong et al., "End-to-End Neural Ad-hoc Ranking with Kernel
Pooling", SIGIR 2017, section 3)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from encoders.models.interaction.matching import cosines, kernel_places, kernels
from encoders.models.interaction.word_model import HINGE, WordPairs, WordsShape, architecture_of, require_two
from encoders.models.interaction.words import Words, WordTable

LOGARITHM = 0.01
"""What the sums of logarithms are multiplied with, lest the tanh over them begins flat (in the authors' code, not in
the paper)."""


@dataclass(frozen=True)
class KernelShape(WordsShape):
    learn_words: bool = True
    kernels: int = 11

    def __post_init__(self) -> None:
        super().__post_init__()
        require_two(self, "kernels")


class KernelPooled(WordPairs):
    """``tanh(w · φ + b)``.

    Args:
        matrices: how many matrices of matches give φ.
    """

    def __init__(self, table: WordTable, passage_words: int, shape: KernelShape, matrices: int = 1) -> None:
        super().__init__(table, passage_words, shape)
        self.means: Tensor
        self.widths: Tensor
        for name, places in zip(("means", "widths"), kernel_places(shape.kernels), strict=True):
            self.register_buffer(name, torch.tensor(places))
        self.score_of = nn.Linear(matrices * shape.kernels, 1)

    def features(self, matches: Tensor, query: Words, passage: Words) -> Tensor:
        """φ of a matrix (N, Q, P): (N, kernels)."""
        return LOGARITHM * kernels(matches, query.mask, passage.mask, self.means, self.widths)

    def scored(self, features: Tensor) -> Tensor:
        scores: Tensor = self.score_of(features)[:, 0].tanh()
        return scores


class KNrm(KernelPooled):
    def compare(self, query: Words, passage: Words) -> Tensor:
        return self.scored(self.features(cosines(query.values, passage.values), query, passage))


ARCHITECTURE = architecture_of("k-nrm", KNrm, KernelShape, **HINGE)
