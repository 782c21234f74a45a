"""Contextual discourse vectors (Arnold et al., "Learning Contextualized Document Representations for Healthcare
Answer Retrieval", WWW 2020): every sentence gets a vector that knows its document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


class ContextualDiscourseVectors(Indexable):
    """Sentences as averaged word vectors, with flags for their place, through a BLSTM to discourse vectors, and
    from each an entity's and an aspect's vector; a query gives one of both. A passage scores the mean over its
    sentences of both cosines.

    Context (what stands before `search_stack.context.JOINT`) is read by the BLSTM and does not score.
    """

    def __init__(self, words: Tensor, tokenizer: Tokenizer, shape: CdvShape | None = None) -> None:
        """``words`` (V, W): a vector for each token of the vocabulary."""
        super().__init__()
        self.shape = s = shape or CdvShape()
        self.tokenizer = tokenizer
        tokenizer.no_padding()
        tokenizer.no_truncation()
        width = words.shape[1]
        self.words = nn.Embedding(words.shape[0], width, _weight=words.clone())
        self.read = nn.LSTM(width + FLAGS, s.hidden, s.layers, batch_first=True, bidirectional=True, dropout=0.1)
        self.discourse = nn.Linear(2 * s.hidden, s.discourse)
        self.decode = nn.Linear(s.discourse, 2 * s.part)
        self.ask = nn.Sequential(nn.Linear(width, s.discourse), nn.Tanh(), nn.Linear(s.discourse, 2 * s.part))
        self.bits = nn.ModuleList([nn.Linear(s.part, BITS) for _ in range(2)])

    @classmethod
    def from_tower(cls, tower: Tower, shape: CdvShape | None = None) -> ContextualDiscourseVectors:
        """Start from the word vectors of a transformer."""
        embedding: Any = tower.transformer.get_input_embeddings()
        return cls(embedding.weight.detach(), tower.tokenizer, shape)

    def encode_queries(self, queries: Sequence[str]) -> Encoded:
        """``queries`` (Q) as (Q, 1, 2 * part)."""
        values = self._unit(self.ask(self._averaged(queries)))[:, None]
        return Encoded(values, torch.ones(values.shape[:2], dtype=torch.bool, device=values.device))

    def encode_passages(self, passages: Sequence[str]) -> Encoded:
        """``passages`` (P) as (P, S, 2 * part), masked where a sentence is context."""
        texts = [_sentences(p) for p in passages]
        flat = [s for sentences, _ in texts for s in sentences]
        counts = [len(sentences) for sentences, _ in texts]
        vectors = torch.split(self._averaged(flat), counts)
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

    def _averaged(self, texts: Sequence[str]) -> Tensor:
        """Mean of the word vectors: (N, W)."""
        found = [e.ids[: self.shape.tokens] or [0] for e in self.tokenizer.encode_batch_fast(list(texts))]
        ids, mask = padded(found, self.words.weight.device)
        kept = self.words(ids).masked_fill(~mask[..., None], 0.0)
        out: Tensor = kept.sum(dim=1) / mask.sum(dim=1, keepdim=True)
        return out

    def _unit(self, both: Tensor) -> Tensor:
        """The entity's half and the aspect's, each of length 1: (..., 2 * part)."""
        halves = torch.split(both.float(), self.shape.part, dim=-1)
        return torch.cat([functional.normalize(h, dim=-1) for h in halves], dim=-1)

    def save(self, folder: Path) -> None:
        torch.save(self.state_dict(), folder / WEIGHTS)
        self.tokenizer.save(str(folder / "tokenizer.json"))

    @classmethod
    def load(cls, folder: Path, shape: CdvShape | None = None) -> ContextualDiscourseVectors:
        state = torch.load(folder / WEIGHTS, weights_only=True)
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        model = cls(state["words.weight"], tokenizer, shape)
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
