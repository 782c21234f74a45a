"""Contextual discourse vectors (Arnold et al., "Learning Contextualized Document Representations for Healthcare
Answer Retrieval", WWW 2020): every sentence gets a vector that knows its document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from encoders.bloom import BITS, multi_hot
from encoders.losses import bloom_entropy, robust_distance
from encoders.scorer import Encoded, Indexable
from encoders.tower import Tower, padded
from search_stack.context import JOINT

SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")
FLAGS = 3
"""Whether a sentence is the first of its text, the last, and whether it is context only."""
WEIGHTS = "cdv.pt"
Sentences = Literal["words", "transformer"]
"""What gives a sentence its vector: the mean of its words', or a pooled transformer."""


@dataclass(frozen=True, slots=True)
class CdvShape:
    hidden: int = 512
    """Of each direction of the BLSTM."""
    layers: int = 2
    discourse: int = 256
    part: int = 128
    """Length of the entity's vector, and of the aspect's."""
    scale: float = 20.0
    tokens: int = 64
    """Read of each sentence."""


class WordVectors(nn.Module):
    """Texts as the mean of their word vectors."""

    def __init__(self, words: Tensor, tokenizer: Tokenizer, tokens: int) -> None:
        """``words`` (V, W): a vector for each token of the vocabulary; of a text the first ``tokens`` are read."""
        super().__init__()
        self.words = nn.Embedding(words.shape[0], words.shape[1], _weight=words.clone())
        self.width = int(words.shape[1])
        self.tokens = tokens
        self.tokenizer = tokenizer
        tokenizer.no_padding()
        tokenizer.no_truncation()

    def vectors(self, texts: Sequence[str]) -> Tensor:
        """``texts`` (N) as (N, W)."""
        found = [e.ids[: self.tokens] or [0] for e in self.tokenizer.encode_batch_fast(list(texts))]
        ids, mask = padded(found, self.words.weight.device)
        kept = self.words(ids).masked_fill(~mask[..., None], 0.0)
        out: Tensor = kept.sum(dim=1) / mask.sum(dim=1, keepdim=True)
        return out


class ContextualDiscourseVectors(Indexable):
    """Sentences as averaged word vectors, or as a transformer pools them, with flags for their place, go through a
    BLSTM to discourse vectors, and each of those to an entity's and an aspect's vector; a query gives one of both. A
    passage scores the mean over its sentences of both cosines.

    Context (what stands before `search_stack.context.JOINT`) is read by the BLSTM and does not score.
    """

    def __init__(self, sentences: Tower | WordVectors, shape: CdvShape | None = None) -> None:
        super().__init__()
        self.shape = s = shape or CdvShape()
        self.sentences = sentences
        width = sentences.width
        self.read = nn.LSTM(width + FLAGS, s.hidden, s.layers, batch_first=True, bidirectional=True, dropout=0.1)
        self.discourse = nn.Linear(2 * s.hidden, s.discourse)
        self.decode = nn.Linear(s.discourse, 2 * s.part)
        self.ask = nn.Sequential(nn.Linear(width, s.discourse), nn.Tanh(), nn.Linear(s.discourse, 2 * s.part))
        self.bits = nn.ModuleList([nn.Linear(s.part, BITS) for _ in range(2)])

    @classmethod
    def from_tower(
        cls, tower: Tower, shape: CdvShape | None = None, sentences: Sentences = "words"
    ) -> ContextualDiscourseVectors:
        """Start from the word vectors of a transformer, or with all of it."""
        if sentences == "transformer":
            return cls(Tower(tower.transformer, tower.tokenizer, (shape or CdvShape()).tokens), shape)
        embedding: Any = tower.transformer.get_input_embeddings()
        return cls(WordVectors(embedding.weight.detach(), tower.tokenizer, (shape or CdvShape()).tokens), shape)

    def encode_queries(self, queries: Sequence[str]) -> Encoded:
        """``queries`` (Q) as (Q, 1, 2 * part)."""
        return Encoded.whole(self._unit(self.ask(self.sentences.vectors(queries)))[:, None])

    def encode_passages(self, passages: Sequence[str]) -> Encoded:
        """``passages`` (P) as (P, S, 2 * part), masked where a sentence is context."""
        texts = [_sentences(p) for p in passages]
        flat = [s for sentences, _ in texts for s in sentences]
        counts = [len(sentences) for sentences, _ in texts]
        vectors = torch.split(self.sentences.vectors(flat), counts)
        device = self.decode.weight.device
        scored = [torch.arange(n, device=device) >= context for n, (_, context) in zip(counts, texts, strict=True)]
        flagged = [torch.cat([v, _flags(own)], dim=1) for v, own in zip(vectors, scored, strict=True)]
        batch = nn.utils.rnn.pad_sequence(flagged, batch_first=True)
        packed = pack_padded_sequence(batch, torch.tensor(counts), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.read(packed)[0], batch_first=True)
        values = self._unit(self.decode(self.discourse(states).tanh()))
        return Encoded(values, nn.utils.rnn.pad_sequence(scored, batch_first=True))

    def interact(self, queries: Encoded, passages: Encoded) -> Tensor:
        counts = passages.mask.sum(dim=1, keepdim=True)
        mean = passages.values.masked_fill(~passages.mask[..., None], 0.0).sum(dim=1) / counts
        # Both halves have length 1, so half their dot product is the mean of the two cosines.
        return self.shape.scale * (queries.values[:, 0] @ mean.T) / 2

    def label_loss(self, passages: Encoded, entities: Sequence[str], aspects: Sequence[str]) -> Tensor:
        """Every sentence should tell the Bloom bits of its passage's entity and aspect, and come near to how a
        query for them is encoded: sum of both losses."""
        asked = self.encode_queries([f"{e} ; {a}" for e, a in zip(entities, aspects, strict=True)]).values
        rows, _ = passages.mask.nonzero(as_tuple=True)
        sentences = passages.values[passages.mask]
        total = robust_distance(sentences, asked[rows, 0].detach())
        halves = torch.split(sentences, self.shape.part, dim=1)
        for half, head, names in zip(halves, self.bits, (entities, aspects), strict=True):
            wanted = multi_hot(names).to(half.device)[rows]
            total = total + bloom_entropy(head(half), wanted)
        return total

    def _unit(self, both: Tensor) -> Tensor:
        """The entity's half and the aspect's, each of length 1: (..., 2 * part)."""
        halves = torch.split(both.float(), self.shape.part, dim=-1)
        return torch.cat([functional.normalize(h, dim=-1) for h in halves], dim=-1)

    def save(self, folder: Path) -> None:
        """All weights in one file; a transformer's besides, for its configuration."""
        torch.save(self.state_dict(), folder / WEIGHTS)
        if isinstance(self.sentences, Tower):
            self.sentences.save(folder)
        else:
            self.sentences.tokenizer.save(str(folder / "tokenizer.json"))

    @classmethod
    def load(
        cls, folder: Path, shape: CdvShape | None = None, sentences: Sentences = "words"
    ) -> ContextualDiscourseVectors:
        state = torch.load(folder / WEIGHTS, weights_only=True)
        tokens = (shape or CdvShape()).tokens
        if sentences == "transformer":
            model = cls(Tower.from_base(folder, tokens), shape)
        else:
            tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            model = cls(WordVectors(state["sentences.words.weight"], tokenizer, tokens), shape)
        model.load_state_dict(state)
        return model


def _sentences(text: str) -> tuple[list[str], int]:
    """The sentences of a passage after those of its context, and how many the latter are."""
    context, _, own = text.rpartition(JOINT)
    before = [s for s in SENTENCE_END.split(context) if s.strip()]
    after = [s for s in SENTENCE_END.split(own) if s.strip()] or [own]
    return [*before, *after], len(before)


def _flags(scored: Tensor) -> Tensor:
    """Flags (S, 3) of the sentences of one text."""
    out = torch.zeros(len(scored), FLAGS, device=scored.device)
    out[0, 0] = 1
    out[-1, 1] = 1
    out[:, 2] = (~scored).float()
    return out
