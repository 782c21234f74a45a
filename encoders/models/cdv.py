"""Contextual discourse vectors (Arnold et al., "Learning Contextualized Document Representations for Healthcare
Answer Retrieval", WWW 2020), trained to rank: every sentence gets a vector that knows its document. As they were
published: `encoders.models.cdv_published`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from encoders.models.architecture import Architecture, RunOptions, Shape, require_above_0
from encoders.models.bloom import BITS, multi_hot
from encoders.models.discourse import DiscourseVectors, Sentences
from encoders.models.indexable import Encoded
from encoders.models.label_losses import bloom_entropy, robust_distance
from encoders.models.learning import Batch, Objective
from encoders.models.tower import Tower
from encoders.models.word_vectors import WordVectors
from search_stack.core.errors import AspectraError

FLAGS = 3
"""Whether a sentence is the first of its text, the last, and whether it is context only."""
WEIGHTS = "cdv.pt"
Reading = Literal["words", "transformer"]


@dataclass(frozen=True)
class CdvShape(Shape):
    sentences: Reading = "words"
    """What gives a sentence its vector: the mean of its words', or a pooled transformer."""
    sentence_tokens: int = 64
    """Read of each sentence."""
    hidden: int = 512
    """Of each direction of the BLSTM."""
    recurrent_layers: int = 2
    """Of the BLSTM."""
    discourse: int = 256
    """Length of a discourse vector."""
    part: int = 128
    """Length of the entity's vector, and of the aspect's."""
    scale: float = 20.0
    """What cosines are multiplied with, so that a softmax over them can be sharp."""
    labels: float = 1.0
    """Weight of the loss on entity and aspect labels."""

    def __post_init__(self) -> None:
        require_above_0(self, "sentence_tokens", "hidden", "recurrent_layers", "discourse", "part")

    def check(self, run: RunOptions) -> None:
        if run.at_once:
            raise AspectraError("Contextual discourse vectors take no gradient caching.", "Leave at_once at 0.")
        if run.precision == "fp16":
            raise AspectraError(
                "Contextual discourse vectors have no fp16: few processors do.", "Set precision to bf16."
            )


class ContextualDiscourseVectors(DiscourseVectors):
    """Sentences as averaged word vectors, or as a transformer pools them, with flags for their place, go through a
    BLSTM to discourse vectors, and each of those to an entity's and an aspect's vector; a query gives one of both. A
    passage scores the mean over its sentences of both cosines.

    Context is read by the BLSTM, in its place, and does not score.
    """

    def __init__(self, sentences: Tower | WordVectors, shape: CdvShape | None = None) -> None:
        super().__init__()
        self.shape = s = shape or CdvShape()
        self.part, self.factor = s.part, s.scale
        self.sentences = sentences
        width = sentences.width
        self.read = nn.LSTM(
            width + FLAGS, s.hidden, s.recurrent_layers, batch_first=True, bidirectional=True, dropout=0.1
        )
        self.discourse = nn.Linear(2 * s.hidden, s.discourse)
        self.decode = nn.Linear(s.discourse, 2 * s.part)
        self.ask = nn.Sequential(nn.Linear(width, s.discourse), nn.Tanh(), nn.Linear(s.discourse, 2 * s.part))
        self.bits = nn.ModuleList([nn.Linear(s.part, BITS) for _ in range(2)])

    @classmethod
    def build(cls, base: str, max_tokens: int, layers: int, shape: CdvShape) -> Self:
        """Start from the word vectors of a transformer, or with all of it."""
        tower = Tower.from_base(base, max_tokens, layers)
        if shape.sentences == "transformer":
            return cls(Tower(tower.transformer, tower.tokenizer, shape.sentence_tokens), shape)
        embedding: Any = tower.transformer.get_input_embeddings()
        return cls(WordVectors(embedding.weight.detach(), tower.tokenizer, shape.sentence_tokens), shape)

    def encode_queries(self, queries: Sequence[str]) -> Encoded:
        """``queries`` (Q) as (Q, 1, 2 * part)."""
        return Encoded.whole(self.unit(self.ask(self.sentences.vectors(queries)))[:, None])

    def encode_passages(self, passages: Sequence[str]) -> Encoded:
        """``passages`` (P) as (P, S, 2 * part), masked where a sentence is context."""
        texts = [Sentences.of(p) for p in passages]
        counts = [len(t.texts) for t in texts]
        vectors = torch.split(self.sentences.vectors([s for t in texts for s in t.texts]), counts)
        device = self.decode.weight.device
        scored = [t.scored().to(device) for t in texts]
        flagged = [torch.cat([v, _flags(own)], dim=1) for v, own in zip(vectors, scored, strict=True)]
        batch = nn.utils.rnn.pad_sequence(flagged, batch_first=True)
        packed = pack_padded_sequence(batch, torch.tensor(counts), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.read(packed)[0], batch_first=True)
        values = self.unit(self.decode(self.discourse(states).tanh()))
        return Encoded(values, nn.utils.rnn.pad_sequence(scored, batch_first=True))

    def loss(self, batch: Batch, objective: Objective) -> Tensor:
        passages = self.encode_passages(batch.passages)
        ranking = objective.in_batch(self.interact(self.encode_queries(batch.queries), passages), self.scale)
        entities, aspects = ([about[n] for about in batch.about] for n in (0, 1))
        return ranking + self.shape.labels * self.label_loss(passages, entities, aspects)

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

    def save(self, folder: Path) -> None:
        """All weights in one file; a transformer's besides, for its configuration."""
        torch.save(self.state_dict(), folder / WEIGHTS)
        if isinstance(self.sentences, Tower):
            self.sentences.save(folder)
        else:
            self.sentences.tokenizer.save(str(folder / "tokenizer.json"))

    @classmethod
    def load(cls, folder: Path, max_tokens: int, shape: CdvShape) -> Self:
        state = torch.load(folder / WEIGHTS, weights_only=True)
        sentences: Tower | WordVectors
        if shape.sentences == "transformer":
            sentences = Tower.from_base(folder, shape.sentence_tokens)
        else:
            tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            sentences = WordVectors(state["sentences.words.weight"], tokenizer, shape.sentence_tokens)
        model = cls(sentences, shape)
        model.load_state_dict(state)
        return model


def _flags(scored: Tensor) -> Tensor:
    """Flags (S, 3) of the sentences of one text."""
    out = torch.zeros(len(scored), FLAGS, device=scored.device)
    out[0, 0] = 1
    out[-1, 1] = 1
    out[:, 2] = (~scored).float()
    return out


ARCHITECTURE = Architecture(
    "cdv",
    ContextualDiscourseVectors,
    CdvShape,
    ContextualDiscourseVectors.build,
    ContextualDiscourseVectors.load,
    {"sentences": "transformer", "learning_rate": 3e-4, "max_tokens": 512},
)
