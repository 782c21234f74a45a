"""Duet: where the very words of the query stand in the passage, and beside it what both mean (Mitra et al., "Learning
to Match Using Local and Distributed Representations of Text for Web Search", WWW 2017, section 3)."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn
from torch.nn import functional

from encoders.models.interaction.convolution import gate
from encoders.models.interaction.word_model import SOFTMAX, WordPairs, WordsShape, architecture_of
from encoders.models.interaction.words import Words, WordTable
from search_stack.core.errors import AspectraError


@dataclass(frozen=True)
class DuetShape(WordsShape):
    filters: int = 100
    """Units of every layer; the paper has 300."""
    window: int = 100
    """Places of the passage of which the largest is taken, one place further each time."""
    dropout: float = 0.2

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.dropout < 1:
            raise AspectraError(f"dropout is {self.dropout}.", "It is a share, from 0 to below 1.")


class Duet(WordPairs):
    """``f(q, d) = local + distributed``. Words are read by their vectors, as in the authors' later version for passages
    (Mitra & Craswell, 2019), not by their n-graphs. Texts are padded to one length: places have their own weights."""

    def __init__(self, table: WordTable, passage_words: int, shape: DuetShape) -> None:
        super().__init__(table, passage_words, shape)
        units = shape.filters
        self.window = min(shape.window, passage_words)
        self.local_rows = nn.Linear(passage_words, units)
        self.local_score = _dense(units * shape.query_words, units, shape.dropout)
        self.query_maps, self.passage_maps = (nn.Conv1d(table.width, units, 3, padding=1) for _ in range(2))
        self.query_vector, self.passage_vectors = nn.Linear(units, units), nn.Conv1d(units, units, 1)
        self.distributed_score = _dense(units * (passage_words - self.window + 1), units, shape.dropout)

    def compare(self, query: Words, passage: Words) -> Tensor:
        query, passage = query.padded(self.shape.query_words), passage.padded(self.passage_words)
        return self.local(query, passage) + self.distributed(query, passage)

    def local(self, query: Words, passage: Words) -> Tensor:
        """Of a matrix of 1 where the words are the same: each query word's row through a layer, all through three."""
        rows = self.local_rows(self.same(query, passage)).tanh()
        scores: Tensor = self.local_score(rows.flatten(1))[:, 0]
        return scores

    def same(self, query: Words, passage: Words) -> Tensor:
        """(N, Q, P) of 0 and 1."""
        return ((query.ids[:, :, None] == passage.ids[:, None]) & query.mask[:, :, None]).float()

    def distributed(self, query: Words, passage: Words) -> Tensor:
        """The query's vector times that of every window of the passage, unit by unit, all through three layers."""
        asked = _windows(self.query_maps, query).amax(dim=2)
        read = functional.max_pool1d(_windows(self.passage_maps, passage), self.window, 1)
        both = self.query_vector(asked).tanh()[..., None] * self.passage_vectors(read).tanh()
        scores: Tensor = self.distributed_score(both.flatten(1))[:, 0]
        return scores


def _windows(layer: nn.Conv1d, words: Words) -> Tensor:
    """(N, units, T), 0 where a window is padding alone."""
    return layer(words.values.transpose(1, 2)).tanh() * gate(words.mask)[:, None]  # type: ignore[no-any-return]


def _dense(size: int, units: int, dropout: float) -> nn.Sequential:
    """(N, size) to (N, 1)."""
    return nn.Sequential(
        nn.Linear(size, units), nn.Tanh(), nn.Dropout(dropout), nn.Linear(units, units), nn.Tanh(), nn.Linear(units, 1)
    )


ARCHITECTURE = architecture_of("duet", Duet, DuetShape, **SOFTMAX)
