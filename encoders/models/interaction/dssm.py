"""DSSM: letter trigrams of a text through three layers to a vector, and the cosine of two (Huang et al., "Learning Deep
Structured Semantic Models for Web Search using Clickthrough Data", CIKM 2013, section 3)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn import functional

from encoders.models.architecture import Shape, require_above_0
from encoders.models.indexable import Encoded, Indexable
from encoders.models.interaction.trigrams import LetterTrigrams
from encoders.models.interaction.word_model import SOFTMAX, WEIGHTS, architecture_of, require_numbers
from encoders.models.interaction.words import WORDS, known_words


@dataclass(frozen=True)
class DssmShape(Shape):
    query_words: int = 30
    """Read of a query. Of a passage the run's ``max_tokens`` are."""
    hidden: int = 300
    """Of each layer but the last."""
    vector: int = 128
    """Length of a text's vector."""
    scale: float = 10.0
    """γ: what cosines are multiplied with in the softmax; the paper chose it on held-out data and does not say it."""

    def __post_init__(self) -> None:
        require_numbers(self)
        require_above_0(self, "scale")


class Hashed(Indexable):
    """Cosines of vectors that are made of letter trigrams, the same way for queries and passages.

    Args:
        words: whose trigrams are known.
    """

    def __init__(self, words: Sequence[str], passage_words: int, shape: DssmShape) -> None:
        super().__init__()
        self.words, self.passage_words, self.shape = tuple(words), passage_words, shape

    @abstractmethod
    def vectors(self, texts: Sequence[str], most: int) -> Tensor:
        """Of ``texts`` (N) the first ``most`` words: (N, vector)."""

    @property
    def scale(self) -> float:
        return self.shape.scale

    def encode_queries(self, queries: Sequence[str]) -> Encoded:
        """``queries`` (Q) as (Q, 1, vector), of length 1."""
        return Encoded.whole(functional.normalize(self.vectors(queries, self.shape.query_words), dim=-1)[:, None])

    def encode_passages(self, passages: Sequence[str]) -> Encoded:
        """``passages`` (P) as (P, 1, vector), of length 1."""
        return Encoded.whole(functional.normalize(self.vectors(passages, self.passage_words), dim=-1)[:, None])

    def interact(self, queries: Encoded, passages: Encoded) -> Tensor:
        """γ times the cosine, whose softmax over a query's passages is the probability that each answers."""
        return self.scale * (queries.values[:, 0] @ passages.values[:, 0].T)

    @classmethod
    def build(cls, base: str, max_tokens: int, layers: int, shape: Any) -> Self:
        return cls(known_words(Path(base)), max_tokens, shape)

    def save(self, folder: Path) -> None:
        (folder / WORDS).write_text("\n".join(self.words), encoding="utf-8")
        torch.save(self.state_dict(), folder / WEIGHTS)

    @classmethod
    def load(cls, folder: Path, max_tokens: int, shape: Any) -> Self:
        model = cls(known_words(folder), max_tokens, shape)
        model.load_state_dict(torch.load(folder / WEIGHTS, map_location="cpu", weights_only=True))
        return model


class Dssm(Hashed):
    """``tanh(W x + b)`` of a text's trigram counts x, twice more through such a layer."""

    def __init__(self, words: Sequence[str], passage_words: int, shape: DssmShape) -> None:
        super().__init__(words, passage_words, shape)
        self.hashed = LetterTrigrams(words, shape.hidden)
        self.bias = nn.Parameter(torch.zeros(shape.hidden))
        self.deeper = nn.Sequential(
            nn.Tanh(),
            nn.Linear(shape.hidden, shape.hidden),
            nn.Tanh(),
            nn.Linear(shape.hidden, shape.vector),
            nn.Tanh(),
        )

    def vectors(self, texts: Sequence[str], most: int) -> Tensor:
        counted, _ = self.hashed(texts, most)
        out: Tensor = self.deeper(counted.sum(dim=1) + self.bias)
        return out


ARCHITECTURE = architecture_of("dssm", Dssm, DssmShape, **SOFTMAX)
