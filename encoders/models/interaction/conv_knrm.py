"""Conv-KNRM: n-grams of the query meet n-grams of the passage, whatever their lengths (Dai et al., "Convolutional
Neural Networks for Soft-Matching N-Grams in Ad-hoc Search", WSDM 2018, section 3)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import torch
from torch import Tensor, nn
from torch.nn import functional

from encoders.models.interaction.k_nrm import KernelPooled, KernelShape
from encoders.models.interaction.matching import cosines
from encoders.models.interaction.word_model import HINGE, architecture_of
from encoders.models.interaction.words import Words, WordTable


@dataclass(frozen=True)
class ConvKnrmShape(KernelShape):
    longest: int = 3
    """Words of an n-gram, from 1."""
    filters: int = 128
    """Length of an n-gram's vector."""


class ConvKnrm(KernelPooled):
    """φ of the cosines between n-grams of every length of the query and of every length of the passage."""

    def __init__(self, table: WordTable, passage_words: int, shape: ConvKnrmShape) -> None:
        super().__init__(table, passage_words, shape, shape.longest**2)
        self.grams = nn.ModuleList([nn.Conv1d(table.width, shape.filters, n) for n in range(1, shape.longest + 1)])

    def compare(self, query: Words, passage: Words) -> Tensor:
        both = product(self.n_grams(query), self.n_grams(passage))
        found = [self.features(cosines(asked, read), query, passage) for asked, read in both]
        return self.scored(torch.cat(found, dim=1))

    def n_grams(self, words: Words) -> list[Tensor]:
        """``relu(W x_{i:i+n} + b)`` for each n, (N, T, filters); 0 where there is padding. An n-gram that begins near
        the end of the text is filled up with nothing."""
        values = words.values.transpose(1, 2)
        read = [functional.relu(layer(functional.pad(values, (0, n)))) for n, layer in enumerate(self.grams)]
        return [r.transpose(1, 2).masked_fill(~words.mask[..., None], 0.0) for r in read]


ARCHITECTURE = architecture_of("conv-knrm", ConvKnrm, ConvKnrmShape, **HINGE)
