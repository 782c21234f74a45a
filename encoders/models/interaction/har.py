"""HAR: each sentence of the passage is read with the query in mind, then words and sentences get attention (Zhu et al.,
"A Hierarchical Attention Retrieval Model for Healthcare Question Answering", WWW 2019, section 3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from encoders.models.interaction.matching import masked_softmax, met
from encoders.models.interaction.recurrent import read_both_ways
from encoders.models.interaction.word_model import HINGE, WordModel, WordsShape, architecture_of
from encoders.models.interaction.words import Words, WordTable, tokens
from encoders.models.scorer import Pairwise

SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")


@dataclass(frozen=True)
class HarShape(WordsShape):
    hidden: int = 64
    """Of each direction of the GRUs."""
    attended: int = 64
    """Units of the inner attention."""
    vector: int = 64
    """Length of what query and passage are compared by."""
    sentence_words: int = 40
    """Longer sentences are cut into parts of so many words, each read as a sentence."""


class InnerAttention(nn.Module):
    """``softmax(w · tanh(W u_i))`` over the places i of a text, and their states' sum under these weights."""

    def __init__(self, width: int, units: int) -> None:
        super().__init__()
        self.score_of = nn.Sequential(nn.Linear(width, units, bias=False), nn.Tanh(), nn.Linear(units, 1, bias=False))

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """States (N, T, H) under mask (N, T) to (N, H)."""
        weights = masked_softmax(self.score_of(states)[..., 0], mask)
        return (weights[..., None] * states).sum(dim=1)


class CrossAttention(nn.Module):
    """Words of a sentence with what they find in the query, and of the query what is found in them (section 3.4)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.query, self.sentence, self.both = (nn.Linear(width, 1, bias=False) for _ in range(3))

    def forward(self, asked: Tensor, read: Tensor, pairs: Tensor) -> Tensor:
        """Query states (N, Q, H), sentence states (N, T, H), mask (N, Q, T): (N, T, 4 H)."""
        # w · [u; v; u * v] of every two words u and v.
        met_by = (asked * self.both.weight[0]) @ read.transpose(1, 2)
        scores = self.query(asked) + self.sentence(read).transpose(1, 2) + met_by
        of_sentence = masked_softmax(scores, pairs)
        of_query = masked_softmax(scores.transpose(1, 2), pairs.transpose(1, 2))
        found = of_query @ asked
        back = of_query @ (of_sentence @ read)
        return torch.cat([read, found, read * found, read * back], dim=2)


class Har(WordModel, Pairwise):
    def __init__(self, table: WordTable, passage_words: int, shape: HarShape) -> None:
        super().__init__(table, passage_words, shape)
        states = 2 * shape.hidden
        self.query_read, self.sentence_read = (
            nn.GRU(table.width, shape.hidden, batch_first=True, bidirectional=True) for _ in range(2)
        )
        self.cross = CrossAttention(states)
        self.query_attention = InnerAttention(states, shape.attended)
        self.word_attention, self.sentence_attention = (InnerAttention(4 * states, shape.attended) for _ in range(2))
        self.query_vector = _dense(states, shape.vector)
        self.passage_vector = _dense(4 * states, shape.vector)
        self.score_of = nn.Sequential(nn.Linear(shape.vector, shape.vector), nn.ReLU(), nn.Linear(shape.vector, 1))

    def pairs(self, queries: Sequence[str], passages: Sequence[str]) -> Tensor:
        query = self.queries(queries)
        asked = read_both_ways(self.query_read, query.values, query.mask)
        split = [sentences(p, self.passage_words, self.shape.sentence_words) for p in passages]
        owner = torch.tensor([n for n, own in enumerate(split) for _ in own], device=asked.device)
        words = self.passages([s for own in split for s in own])
        vectors = self._sentence_vectors(query, asked, words, owner)
        whole = nn.utils.rnn.pad_sequence(list(torch.split(vectors, [len(own) for own in split])), batch_first=True)
        counts = torch.tensor([len(own) for own in split], device=asked.device)
        there = torch.arange(whole.shape[1], device=asked.device)[None] < counts[:, None]
        passage = self.passage_vector(self.sentence_attention(whole, there))
        scores: Tensor = self.score_of(self.query_vector(self.query_attention(asked, query.mask)) * passage)[:, 0]
        return scores

    def _sentence_vectors(self, query: Words, asked: Tensor, words: Words, owner: Tensor) -> Tensor:
        """(S, 8 hidden) of S sentences, ``owner`` (S) the pair of each."""
        read = read_both_ways(self.sentence_read, words.values, words.mask)
        own = Words(query.values[owner], query.mask[owner], query.ids[owner], query.idf[owner])
        attended: Tensor = self.word_attention(self.cross(asked[owner], read, met(own, words)), words.mask)
        return attended


def sentences(text: str, most: int, longest: int) -> list[str]:
    """Those of the first ``most`` words of ``text``, each with a word at least and with ``longest`` at most.

    >>> sentences("Gout hurts. It does! And comes again after weeks.", 7, 3)
    ['gout hurts', 'it does', 'and comes again']
    """
    out = []
    for sentence in SENTENCE_END.split(text):
        words = [w for w in tokens(sentence) if w][:most]
        most -= len(words)
        out += [" ".join(words[at : at + longest]) for at in range(0, len(words), longest)]
    return out or [""]


def _dense(size: int, units: int) -> nn.Sequential:
    """(N, size) to (N, units) by two layers."""
    return nn.Sequential(nn.Linear(size, units), nn.ReLU(), nn.Linear(units, units), nn.ReLU())


ARCHITECTURE = architecture_of("har", Har, HarShape, **HINGE)
