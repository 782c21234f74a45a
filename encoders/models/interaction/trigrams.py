"""Word hashing: words as the letter trigrams that they hold (Huang et al., CIKM 2013, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, chain

import torch
from torch import Tensor, nn

from encoders.models.interaction.words import tokens
from encoders.models.tower import padded

WORDS_KEPT = 1 << 16


def trigrams(word: str) -> list[str]:
    """
    >>> trigrams("good")
    ['#go', 'goo', 'ood', 'od#']
    """
    marked = f"#{word}#"
    return [marked[n : n + 3] for n in range(len(marked) - 2)]


class LetterTrigrams(nn.Module):
    """``W x`` for the trigram counts x of every word; trigrams that no word of the vocabulary has count nothing.

    Args:
        words: whose trigrams are known, T of them.
        size: rows of W, (size, T).
    """

    def __init__(self, words: Sequence[str], size: int) -> None:
        super().__init__()
        found = sorted(set(chain.from_iterable(map(trigrams, words))))
        self.places = {t: n for n, t in enumerate(found)}
        self.weights = nn.EmbeddingBag(max(1, len(found)), size, mode="sum")
        # As the paper begins (section 3.4): uniform, by the numbers of units on both sides.
        nn.init.xavier_uniform_(self.weights.weight)
        self._places_of = lru_cache(WORDS_KEPT)(self._found)

    def _found(self, word: str) -> list[int]:
        return [self.places[t] for t in trigrams(word) if t in self.places]

    def forward(self, texts: Sequence[str], most: int) -> tuple[Tensor, Tensor]:
        """Of ``texts`` (N) the first ``most`` words: (N, T, size), 0 where there is padding, and the mask (N, T)."""
        device = self.weights.weight.device
        read = [tokens(t)[:most] for t in texts]
        # Each word once, however often it stands in the batch.
        numbers = {w: n for n, w in enumerate(dict.fromkeys(chain.from_iterable(read)))}
        found = [self._places_of(w) for w in numbers]
        begins = torch.tensor([0, *accumulate(len(f) for f in found[:-1])], device=device)
        flat = torch.tensor(list(chain.from_iterable(found)), dtype=torch.int64, device=device)
        of_words = self.weights(flat, begins)
        ids, mask = padded([[numbers[w] for w in words] for words in read], device)
        return of_words[ids].masked_fill(~mask[..., None], 0.0), mask
