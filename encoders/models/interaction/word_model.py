"""What the models of words share: options, how they are built, kept and read again."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

import torch
from torch import Tensor

from encoders.models.architecture import OWN_WORDS, Architecture, RunOptions, Shape, require_above_0
from encoders.models.interaction.words import WORDS, Words, WordTable, known_words
from encoders.models.scorer import Pairwise, Scorer
from search_stack.core.errors import AspectraError

WEIGHTS = "weights.pt"
HINGE = {"loss": "margin", "margin": 1.0}
"""``max(0, 1 - s(q, d+) + s(q, d-))``."""
SOFTMAX = {"loss": "listwise"}
"""Of the answer among a query's list."""


def require_numbers(shape: Shape) -> None:
    """
    Raises:
        AspectraError: a whole number among the options is not above 0.
    """
    numbers = [f.name for f in fields(shape) if type(getattr(shape, f.name)) is int]
    require_above_0(shape, *numbers)


def require_two(shape: Shape, name: str) -> None:
    """
    Raises:
        AspectraError: this option is below 2: of the bins, or the kernels, one is that of the same word.
    """
    if getattr(shape, name) < 2:
        raise AspectraError(f"{name} is {getattr(shape, name)}.", "It must be 2 or more.")


@dataclass(frozen=True)
class WordsShape(Shape):
    query_words: int = 30
    """Read of a query. Of a passage the run's ``max_tokens`` are."""
    learn_words: bool = False
    """Whether training changes the word vectors."""

    def __post_init__(self) -> None:
        require_numbers(self)

    def check(self, run: RunOptions) -> None:
        if run.precision != "fp32":
            # A kernel as narrow as 0.001, and what counts as the same word, are lost in fewer digits.
            raise AspectraError("What compares words' vectors needs precision fp32.", "Leave precision as it is.")


class WordModel(Scorer):
    """
    Args:
        table: of the words' vectors.
        passage_words: read of a passage.
    """

    def __init__(self, table: WordTable, passage_words: int, shape: Any) -> None:
        super().__init__()
        self.table, self.passage_words, self.shape = table, passage_words, shape

    def queries(self, texts: Sequence[str]) -> Words:
        return self.table(texts, self.shape.query_words)  # type: ignore[no-any-return]

    def passages(self, texts: Sequence[str]) -> Words:
        return self.table(texts, self.passage_words)  # type: ignore[no-any-return]

    @classmethod
    def build(cls, base: str, max_tokens: int, layers: int, shape: Any) -> Self:
        return cls(WordTable.from_base(Path(base), shape.learn_words), max_tokens, shape)

    def save(self, folder: Path) -> None:
        """Vocabulary, and all weights in one file."""
        (folder / WORDS).write_text("\n".join(self.table.words), encoding="utf-8")
        torch.save(self.state_dict(), folder / WEIGHTS)

    @classmethod
    def load(cls, folder: Path, max_tokens: int, shape: Any) -> Self:
        state = torch.load(folder / WEIGHTS, map_location="cpu", weights_only=True)
        vectors, buckets, idf = (state[f"table.{name}"] for name in ("known.weight", "buckets", "idf"))
        table = WordTable(known_words(folder), vectors[1:], buckets, idf[1:], shape.learn_words)
        model = cls(table, max_tokens, shape)
        model.load_state_dict(state)
        return model


class WordPairs(WordModel, Pairwise):
    """Words of the query meet words of the passage."""

    def pairs(self, queries: Sequence[str], passages: Sequence[str]) -> Tensor:
        return self.compare(self.queries(queries), self.passages(passages))

    @abstractmethod
    def compare(self, query: Words, passage: Words) -> Tensor:
        """Scores (N,) of N pairs."""


def architecture_of(name: str, model: type[Any], shape: type[Shape], **defaults: Any) -> Architecture:
    """As table 3 was measured: passages alone, 200 words of them, queries as "entity ; heading", four of BM25's
    passages as the wrong ones."""
    common: Mapping[str, Any] = {
        "base": OWN_WORDS,
        "max_tokens": 200,
        "context": (),
        "titled": 0.0,
        "keywords": 0.0,
        "queries": "tuple",
        "precision": "fp32",
        "batch": 16,
        "negatives": 4,
        "epochs": 3.0,
        "learning_rate": 1e-3,
    }
    return Architecture(name, model, shape, model.build, model.load, {**common, **defaults}, words=True)
