"""ARC-I: each text through its own convolutions to a vector, both vectors through a perceptron (Hu et al.,
"Convolutional Neural Network Architectures for Matching Natural Language Sentences", NIPS 2014, sections 2 and 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor, nn
from torch.nn import functional

from encoders.models.indexable import Encoded, Indexable
from encoders.models.interaction.convolution import gate, halved
from encoders.models.interaction.word_model import HINGE, WordModel, WordsShape, architecture_of
from encoders.models.interaction.words import Words, WordTable


@dataclass(frozen=True)
class ArcIShape(WordsShape):
    filters: tuple[int, ...] = (64, 64)
    """Feature maps of each convolution; the paper has 200 and more, for a hundred times as much text."""
    hidden: int = 128
    """Of the perceptron."""


class Convolutions(nn.Module):
    """Windows of three words, halved after each layer by the larger of two neighbours."""

    def __init__(self, width: int, filters: Sequence[int]) -> None:
        super().__init__()
        sizes = [width, *filters]
        self.layers = nn.ModuleList([nn.Conv1d(a, b, 3, padding=1) for a, b in zip(sizes, filters, strict=False)])

    def forward(self, words: Words) -> Tensor:
        """Texts (N, T, W), all padded to the same T, as (N, filters[-1], T / 2 ** layers)."""
        maps, live = words.values.transpose(1, 2), words.mask
        for layer in self.layers:
            live = gate(live)
            # Section 2.2, the zeroing gate: a window of padding alone gives 0, so that padding leaves no trace.
            maps = functional.max_pool1d(functional.relu(layer(maps)) * live[:, None], 2)
            live = functional.max_pool1d(live.float(), 2) > 0
        return maps


class ArcI(WordModel, Indexable):
    """The perceptron reads both vectors one after the other. Its first layer is a sum of what it makes of each, so that
    a passage is read once for all queries; the score is no product of two vectors."""

    def __init__(self, table: WordTable, passage_words: int, shape: ArcIShape) -> None:
        super().__init__(table, passage_words, shape)
        self.query_maps, self.passage_maps = (Convolutions(table.width, shape.filters) for _ in range(2))
        asked, read = (halved(n, len(shape.filters)) for n in (shape.query_words, passage_words))
        self.query_hidden = nn.Linear(asked * shape.filters[-1], shape.hidden)
        self.passage_hidden = nn.Linear(read * shape.filters[-1], shape.hidden, bias=False)
        self.score_of = nn.Linear(shape.hidden, 1)

    def encode_queries(self, queries: Sequence[str]) -> Encoded:
        """``queries`` (Q) as (Q, 1, hidden)."""
        read = self.query_maps(self.queries(queries).padded(self.shape.query_words))
        return Encoded.whole(self.query_hidden(read.flatten(1))[:, None])

    def encode_passages(self, passages: Sequence[str]) -> Encoded:
        """``passages`` (P) as (P, 1, hidden)."""
        read = self.passage_maps(self.passages(passages).padded(self.passage_words))
        return Encoded.whole(self.passage_hidden(read.flatten(1))[:, None])

    def interact(self, queries: Encoded, passages: Encoded) -> Tensor:
        hidden = functional.relu(queries.values + passages.values[:, 0][None])
        scores: Tensor = self.score_of(hidden)[..., 0]
        return scores


ARCHITECTURE = architecture_of("arc-i", ArcI, ArcIShape, **HINGE)
