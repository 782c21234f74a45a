"""ARC-II: windows of the query meet windows of the passage, and convolutions read the plane of their meetings
(Hu et al., "Convolutional Neural Network Architectures for Matching Natural Language Sentences", NIPS 2014,
section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn
from torch.nn import functional

from encoders.models.interaction.convolution import gate, halved
from encoders.models.interaction.word_model import HINGE, WordPairs, WordsShape, architecture_of
from encoders.models.interaction.words import Words, WordTable


@dataclass(frozen=True)
class ArcIIShape(WordsShape):
    planes: int = 32
    """Of the first layer, over pairs of windows."""
    filters: tuple[int, ...] = (32,)
    """Feature maps of each convolution in two dimensions."""
    hidden: int = 64
    """Of the perceptron."""


class ArcII(WordPairs):
    def __init__(self, table: WordTable, passage_words: int, shape: ArcIIShape) -> None:
        super().__init__(table, passage_words, shape)
        self.query_windows = nn.Conv1d(table.width, shape.planes, 3, padding=1)
        self.passage_windows = nn.Conv1d(table.width, shape.planes, 3, padding=1, bias=False)
        sizes = (shape.planes, *shape.filters)
        self.layers = nn.ModuleList([nn.Conv2d(a, b, 3, padding=1) for a, b in zip(sizes, shape.filters, strict=False)])
        asked, read = (halved(n, 1 + len(shape.filters)) for n in (shape.query_words, passage_words))
        self.score_of = nn.Sequential(
            nn.Linear(sizes[-1] * asked * read, shape.hidden),
            nn.ReLU(),
            nn.Linear(shape.hidden, 1),
        )

    def compare(self, query: Words, passage: Words) -> Tensor:
        maps = self.first_layer(query.padded(self.shape.query_words), passage.padded(self.passage_words))
        maps = functional.max_pool2d(maps, 2)
        for layer in self.layers:
            maps = functional.max_pool2d(functional.relu(layer(maps)), 2)
        scores: Tensor = self.score_of(maps.flatten(1))[:, 0]
        return scores

    def first_layer(self, query: Words, passage: Words) -> Tensor:
        """Planes (N, planes, Q, P): ``relu(w [window of the query; window of the passage] + b)`` for each two windows.
        As w is linear, it is the sum of a convolution over each text. Where either window is padding alone, it is 0 (in
        the paper where both are)."""
        asked = self.query_windows(query.values.transpose(1, 2))
        read = self.passage_windows(passage.values.transpose(1, 2))
        live = gate(query.mask)[:, :, None] & gate(passage.mask)[:, None]
        return functional.relu(asked[..., None] + read[:, :, None]) * live[:, None]


ARCHITECTURE = architecture_of("arc-ii", ArcII, ArcIIShape, **HINGE)
