"""C-DSSM: letter trigrams of three words at a time, the largest of each unit over the text, one layer more
(Shen et al., "Learning Semantic Representations Using Convolutional Neural Networks for Web Search", WWW 2014,
section 2)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from encoders.models.interaction.dssm import DssmShape, Hashed
from encoders.models.interaction.trigrams import LetterTrigrams
from encoders.models.interaction.word_model import SOFTMAX, architecture_of


class CDssm(Hashed):
    """``h_t = tanh(W_c [f_{t-1}; f_t; f_{t+1}])``, ``v = max_t h_t``, ``y = tanh(W_s v)``, f the trigram counts of a
    word, nothing before the first and after the last."""

    def __init__(self, words: Sequence[str], passage_words: int, shape: DssmShape) -> None:
        super().__init__(words, passage_words, shape)
        self.hashed = LetterTrigrams(words, 3 * shape.hidden)
        self.bias = nn.Parameter(torch.zeros(shape.hidden))
        self.last = nn.Linear(shape.hidden, shape.vector)

    def vectors(self, texts: Sequence[str], most: int) -> Tensor:
        windows, mask = self.windows(texts, most)
        largest = windows.tanh().masked_fill(~mask[..., None], -torch.inf).amax(dim=1)
        out: Tensor = self.last(largest).tanh()
        return out

    def windows(self, texts: Sequence[str], most: int) -> tuple[Tensor, Tensor]:
        """``W_c`` times each window, (N, T, hidden), as a sum over its three words; and the mask (N, T)."""
        hashed, mask = self.hashed(texts, most)
        before, own, after = hashed.chunk(3, dim=2)
        return functional.pad(before, (0, 0, 1, -1)) + own + functional.pad(after, (0, 0, -1, 1)) + self.bias, mask


ARCHITECTURE = architecture_of("c-dssm", CDssm, DssmShape, **SOFTMAX)
