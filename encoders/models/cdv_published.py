"""Contextual discourse vectors as they were published (Arnold et al., "Learning Contextualized Document Representations
for Healthcare Answer Retrieval", WWW 2020): nothing is trained to rank; every sentence of a whole document is trained
to come near the vectors of its entity and of its aspect, which encoders of labels gave beforehand.

The paper could not be had. The layers and what they read follow the authors' code (github.com/sebastianarnold/CDV), the
loss is equation 17 as the issue that asked for it has it, (‖·‖ + ‖·‖) / 4, where the code has a pseudo-Huber of each
number. Ours: the targets are centred (see `encoders.models.label_encoder`); the parts of a sentence have length 1 where
they meet the targets, which is what the divisor 4 takes for granted; word vectors are fastText's of the training text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from encoders.models.architecture import RunOptions, require_above_0
from encoders.models.discourse import DiscourseVectors, Sentences
from encoders.models.indexable import Encoded
from encoders.models.interaction.recurrent import read_both_ways
from encoders.models.interaction.word_model import WordModel, WordsShape, architecture_of
from encoders.models.interaction.words import Words, WordTable
from encoders.models.label_encoder import LabelEncoder
from encoders.models.learning import Batch, Objective
from search_stack.core.errors import AspectraError

FLAGS = 5
"""Whether a sentence begins or ends the document, begins or ends a line, and is an item of a list."""


@dataclass(frozen=True)
class PublishedShape(WordsShape):
    sentence_words: int = 64
    """Read of each sentence."""
    hidden: int = 512
    """Of each direction of the BLSTM, which has one layer."""
    discourse: int = 256
    """Length of a discourse vector."""
    part: int = 128
    """V: length of the entity's vector, and of the aspect's."""
    scale: float = 20.0
    """What cosines are multiplied with; their order is the same."""
    label_hidden: int = 128
    """Of each direction of the label encoders' BLSTMs."""
    label_words: int = 24
    """What the label encoders read of a name or a sentence."""
    label_passes: int = 12
    """Over all labels, before training."""
    label_sentences: int = 1
    """Sentences beside each name in a pass."""
    label_rate: float = 4e-3
    """Learning rate of the label encoders."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require_above_0(self, "label_rate")

    def check(self, run: RunOptions) -> None:
        super().check(run)
        if run.at_once or run.loss != "both-ways":
            raise AspectraError(
                "Published discourse vectors have a loss of their own, of labels.", "Leave loss and at_once out."
            )


class PublishedDiscourseVectors(DiscourseVectors, WordModel):
    """Of each sentence x_t, the mean of its word vectors with length 1, and flags f_t for its place:
    ``h_t = BLSTM(x_t, f_t)`` over the whole document, ``d_t = tanh(W h_t)``, and of that ``tanh(U d_t)`` for the entity
    and the aspect each, brought to length 1 and through a last layer with tanh."""

    def __init__(self, table: WordTable, passage_words: int, shape: PublishedShape) -> None:
        super().__init__(table, passage_words, shape)
        self.part, self.factor = shape.part, shape.scale
        self.read = nn.LSTM(table.width + FLAGS, shape.hidden, batch_first=True, bidirectional=True)
        self.discourse = nn.Linear(2 * shape.hidden, shape.discourse)
        self.towards = nn.ModuleList([nn.Linear(shape.discourse, shape.part) for _ in range(2)])
        self.targets = nn.ModuleList([nn.Linear(shape.part, shape.part) for _ in range(2)])
        made = (table.width, shape.label_hidden, shape.part)
        self.entities = LabelEncoder(self._label_words, *made)
        self.aspects = LabelEncoder(self._label_words, *made)

    def _label_words(self, texts: Sequence[str]) -> Words:
        return self.table(texts, self.shape.label_words)  # type: ignore[no-any-return]

    @property
    def label_encoders(self) -> Mapping[str, LabelEncoder]:
        return {"entities": self.entities, "aspects": self.aspects}

    def encode_queries(self, queries: Sequence[str]) -> Encoded:
        """``queries`` (Q), each "entity ; aspect", as (Q, 1, 2 V); without a semicolon all of it is taken for both."""
        halves = [(q, q) if " ; " not in q else tuple(q.split(" ; ", 1)) for q in queries]
        both = [self.entities.vectors([h[0] for h in halves]), self.aspects.vectors([h[1] for h in halves])]
        return Encoded.whole(torch.cat(both, dim=1)[:, None])

    def encode_passages(self, passages: Sequence[str]) -> Encoded:
        """``passages`` (P) as (P, S, 2 V), S the sentences of the longest one. Passages of the same document share one
        reading of it."""
        found = [Sentences.of(p) for p in passages]
        documents = {(f.texts, f.begins): f for f in found}
        place = {document: n for n, document in enumerate(documents)}
        read = self._read(list(documents.values()))
        rows = [read[place[f.texts, f.begins], f.own] for f in found]
        return Encoded(pad_sequence(rows, batch_first=True), _mask(list(map(len, rows)), read.device))

    def _read(self, documents: Sequence[Sentences]) -> Tensor:
        """``documents`` (D) as (D, T, 2 V), T the sentences of the longest one."""
        counts = [len(d.texts) for d in documents]
        flat = torch.split(self._sentences([s for d in documents for s in d.texts]), counts)
        flagged = [torch.cat([v, _flags(d).to(v.device)], dim=1) for v, d in zip(flat, documents, strict=True)]
        batch = pad_sequence(flagged, batch_first=True)
        states = read_both_ways(self.read, batch, _mask(counts, batch.device))
        discourse = self.discourse(states).tanh()
        halves = self.unit(torch.cat([layer(discourse).tanh() for layer in self.towards], dim=-1))
        ends = zip(self.targets, torch.split(halves, self.part, dim=-1), strict=True)
        return self.unit(torch.cat([layer(half).tanh() for layer, half in ends], dim=-1))

    def _sentences(self, texts: Sequence[str]) -> Tensor:
        """``texts`` (N) as (N, W), each of length 1."""
        words = self.table(texts, self.shape.sentence_words)
        return functional.normalize(words.values.masked_fill(~words.mask[..., None], 0.0).sum(dim=1), dim=-1)

    def loss(self, batch: Batch, objective: Objective) -> Tensor:
        """Equation 17 over the sentences of the passages that answer a query, each with what is asked there; the
        objective, of rankings, has no say."""
        answers = self.encode_passages(batch.passages[: len(batch.queries)])
        rows, _ = answers.mask.nonzero(as_tuple=True)
        wanted = self.encode_queries(batch.queries).values[rows, 0]
        return distance(answers.values[answers.mask], wanted, self.part)


def _mask(counts: Sequence[int], device: torch.device) -> Tensor:
    """(N, T) bool, in each row True for the first so many."""
    return torch.arange(max(counts), device=device)[None] < torch.tensor(counts, device=device)[:, None]


def distance(ours: Tensor, wanted: Tensor, part: int) -> Tensor:
    """``(‖e - ê‖ + ‖a - â‖) / 4``, the mean over N sentences: 0 to 1 where all four have length 1 (Arnold et al., WWW
    2020, equation 17).

    ``ours`` and ``wanted`` are (N, 2 ``part``), the entity's vectors before the aspect's.
    """
    apart = torch.stack(torch.split(ours - wanted, part, dim=-1))
    out: Tensor = torch.linalg.vector_norm(apart, dim=-1).sum(dim=0).mean() / 4
    return out


def _flags(document: Sentences) -> Tensor:
    """(T, FLAGS) of a document's sentences."""
    begins = torch.tensor(document.begins)
    ends = torch.cat([begins[1:], torch.tensor([True])])
    first = torch.zeros(len(begins), dtype=torch.bool)
    last = first.clone()
    first[0] = last[-1] = True
    items = torch.tensor([text.startswith("- ") for text in document.texts])
    return torch.stack([first, last, begins, ends, items], dim=1).float()


ARCHITECTURE = architecture_of(
    "cdv-published",
    PublishedDiscourseVectors,
    PublishedShape,
    context=("document",),
    alone=0.0,
    negatives=0,
    batch=64,
    together=16,
    epochs=4.0,
)
