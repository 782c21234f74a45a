"""Texts as words: tokens, vocabulary, vectors, masks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Self
from zipfile import BadZipFile

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from encoders.models.interaction.subwords import buckets_of
from encoders.models.tower import padded
from search_stack.core.errors import AspectraError

WORDS = "words.txt"
VECTORS = "vectors.npz"
TEXTS_KEPT = 1 << 14
"""Of which the words' numbers are remembered: a passage is read again for every query that it stands beside."""
_TOKEN = re.compile(r"[^\W_]+")


def tokens(text: str) -> list[str]:
    """Words and numbers in small letters; never empty, so that no text is all padding.

    >>> tokens("Non-small-cell lung cancer ; treatment"), tokens("?")
    (['non', 'small', 'cell', 'lung', 'cancer', 'treatment'], [''])
    """
    return _TOKEN.findall(text.lower()) or [""]


@dataclass(frozen=True, slots=True)
class Words:
    """Of N texts the first T words, padded on the right; all is 0 where there is padding."""

    values: Tensor
    """(N, T, W) float32."""
    mask: Tensor
    """(N, T) bool, True where there is a word."""
    ids: Tensor
    """(N, T) int64: the same number is the same word, whether training saw it or not."""
    idf: Tensor
    """(N, T) float32: log of all texts over those that hold the word, in nats."""

    def padded(self, words: int) -> Words:
        """With T = ``words``, for what reads texts of one length only; T must not be above it."""
        more = words - self.mask.shape[1]
        return Words(
            functional.pad(self.values, (0, 0, 0, more)),
            *(functional.pad(t, (0, more)) for t in (self.mask, self.ids, self.idf)),
        )


class WordTable(nn.Module):
    """A vector for each word; that of a word which training never saw is the mean of its n-grams' (`subwords`).

    Args:
        words: V of them.
        vectors: (V, W).
        buckets: (B, W), of n-grams.
        idf: (V,), see `Words.idf`.
        learnt: whether training changes the vectors of the V words.
    """

    def __init__(self, words: Sequence[str], vectors: Tensor, buckets: Tensor, idf: Tensor, learnt: bool) -> None:
        super().__init__()
        self.words = tuple(words)
        # Row 0 is the padding's.
        rows = functional.pad(vectors, (0, 0, 1, 0))
        self.known = nn.Embedding(len(rows), rows.shape[1], padding_idx=0, _weight=rows, _freeze=not learnt)
        self.buckets: Tensor
        self.idf: Tensor
        self.register_buffer("buckets", buckets)
        self.register_buffer("idf", functional.pad(idf, (1, 0)))
        self._numbers = {w: n for n, w in enumerate(words, 1)}
        self._met: list[str] = []
        self._read = lru_cache(TEXTS_KEPT)(self._numbered)

    @property
    def width(self) -> int:
        """W."""
        return int(self.buckets.shape[1])

    @classmethod
    def from_base(cls, folder: Path, learnt: bool = False) -> Self:
        """
        Raises:
            AspectraError: ``folder`` holds no word vectors.
        """
        words = known_words(folder)
        try:
            with np.load(folder / VECTORS) as found:
                vectors, buckets, idf = (torch.from_numpy(found[name]) for name in ("vectors", "buckets", "idf"))
        except (OSError, ValueError, KeyError, BadZipFile) as e:
            raise AspectraError(f"{folder / VECTORS}: cannot be read.", "Give OUT/words of a finished run.") from e
        return cls(words, vectors, buckets, idf, learnt)

    def forward(self, texts: Sequence[str], most: int) -> Words:
        """``texts`` (N), of each the first ``most`` words; T is the longest one's number of them."""
        device = self.buckets.device
        ids, mask = padded([self._read(t)[:most] for t in texts], device)
        unknown = ids >= len(self.idf)
        values = self.known(ids.masked_fill(unknown, 0))
        idf = self.idf[ids.masked_fill(unknown, 0)]
        if unknown.any():
            numbers, places = torch.unique(ids[unknown], return_inverse=True)
            values = values.masked_scatter(unknown[..., None], self._of_subwords(numbers.tolist())[places])
            # Rarer than the rarest that training saw.
            idf = idf.masked_fill(unknown, float(self.idf.max()))
        return Words(values, mask, ids, idf)

    def _numbered(self, text: str) -> list[int]:
        out = []
        for word in tokens(text):
            if word not in self._numbers:
                self._numbers[word] = len(self._numbers) + 1
                self._met.append(word)
            out.append(self._numbers[word])
        return out

    def _of_subwords(self, numbers: Sequence[int]) -> Tensor:
        """Vectors (U, W) of the words with these ``numbers`` (U), which training never saw."""
        found = [buckets_of(self._met[n - len(self.idf)], len(self.buckets)) for n in numbers]
        begins = [0, *accumulate(len(f) for f in found[:-1])]
        flat = torch.tensor([b for f in found for b in f], dtype=torch.int64, device=self.buckets.device)
        return functional.embedding_bag(flat, self.buckets, torch.tensor(begins, device=flat.device), mode="mean")


def known_words(folder: Path) -> list[str]:
    """The vocabulary of a base, or of a trained model.

    Raises:
        AspectraError: there is none in ``folder``.
    """
    try:
        return (folder / WORDS).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as e:
        raise AspectraError(
            f"{folder}: holds no word vectors ({WORDS}).", "Give OUT/words of a finished run, or leave --base out."
        ) from e
