"""From examples to a batch, and from a batch to gradients."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from encoders import losses
from encoders.cdv import ContextualDiscourseVectors
from encoders.config import TrainingConfig
from encoders.cross import CrossEncoder
from encoders.examples import Example, draw_negatives, wording
from encoders.gradient_cache import cached_backward
from encoders.scorer import Indexable, Scorer
from search_stack.context import Part, contextual
from search_stack.evaluation.entity_aspect import Passage

LossOfScores = Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True, slots=True)
class Batch:
    """Q queries and P passages, the answer of query ``n`` at ``n``, then the hard negatives, as many for
    each query, query by query."""

    queries: list[str]
    passages: list[str]
    negatives: int
    asked: list[tuple[str, str]]
    """Entity and aspect of each query."""
    about: list[tuple[str, str]]
    """Entity and aspect of each passage."""
    answers: list[frozenset[str]]
    """Ids of all passages that answer each query."""
    ids: list[str]
    """Of the passages."""

    def labels(self) -> Tensor:
        """(Q, P): 1 where the passage answers the query."""
        return torch.eye(len(self.queries), len(self.passages))

    def doubtful(self) -> Tensor:
        """(Q, P): True where a passage may answer a query that it is not the answer of."""
        may = [
            [key == other or name in own for other, name in zip(self.about, self.ids, strict=True)]
            for key, own in zip(self.asked, self.answers, strict=True)
        ]
        return torch.tensor(may) & (self.labels() == 0)

    def lists(self) -> Tensor:
        """(Q, 1 + negatives) int64: for each query the passages of its own list, the answer first."""
        count = len(self.queries)
        own = torch.arange(count)[:, None]
        return torch.cat([own, count + own * self.negatives + torch.arange(self.negatives)[None]], dim=1)


def read_with(passage: Passage, config: TrainingConfig, rng: random.Random) -> str:
    """The passage's words in the context that the draw gives it."""
    draw = rng.random()
    parts: tuple[Part, ...] = config.context
    if draw < config.alone:
        parts = ()
    elif draw < config.alone + config.titled:
        parts = ("title", *config.context)
    return contextual(passage.text, passage.around, parts)


def make_batch(examples: Sequence[Example], config: TrainingConfig, rng: random.Random) -> Batch:
    """``examples`` worded and read as the draw has it; negatives are repeated where an example has too few."""
    read = [e.positive for e in examples]
    for e in examples:
        if config.negatives:
            rivals = draw_negatives(e, config.negatives, rng)
            read += rivals + rng.choices(e.negatives, k=config.negatives - len(rivals))
    return Batch(
        queries=[wording(e.query, rng, config.keywords) for e in examples],
        passages=[read_with(p, config, rng) for p in read],
        negatives=config.negatives,
        asked=[(e.query.entity, e.query.aspect) for e in examples],
        about=[(p.entity, p.aspect) for p in read],
        answers=[frozenset(e.query.relevant) for e in examples],
        ids=[p.id for p in read],
    )


def loss_of(config: TrainingConfig) -> LossOfScores:
    """The configured loss of scores and labels."""
    known: dict[str, LossOfScores] = {
        "both-ways": losses.both_ways_cross_entropy,
        "listwise": losses.listwise_cross_entropy,
        "triplet": partial(losses.triplet, margin=config.margin),
        "margin": partial(losses.margin, margin=config.margin),
    }
    return known[config.loss]


@torch.no_grad()
def teach(teacher: Scorer, batch: Batch) -> Tensor:
    """The teacher's scores (Q, 1 + negatives) of each query's own list."""
    rows = []
    for query, own in zip(batch.queries, batch.lists().tolist(), strict=True):
        rows.append(teacher.score([query], [batch.passages[n] for n in own])[0])
    return torch.stack(rows)


def backward(
    model: Scorer, batch: Batch, config: TrainingConfig, teacher: Tensor | None = None, scale: float = 1.0
) -> float:
    """Add the gradients of one batch, times ``scale``, to those of ``model``; returns the loss, which is not scaled.

    With ``teacher``, its scores (Q, 1 + negatives) of each query's list, the model learns to
    score the lists alike.
    """
    device = next(model.parameters()).device
    labels, doubtful = batch.labels().to(device), batch.doubtful().to(device)
    # Cosines are scaled for a softmax; a margin is one of cosines.
    unscaled = 1.0 / config.scale if config.loss in ("triplet", "margin") and config.similarity == "cosine" else 1.0
    if isinstance(model, CrossEncoder):
        return _backward_lists(model, batch, config, teacher, scale)
    if not isinstance(model, Indexable):
        raise TypeError(type(model).__name__)
    lists = batch.lists().to(device)

    def loss(scores: Tensor) -> Tensor:
        if teacher is not None:
            wanted = losses.distilled_kl if config.loss == "kl" else losses.margin_mse
            return wanted(scores.gather(1, lists), teacher)
        return loss_of(config)((scores * unscaled).masked_fill(doubtful, -torch.inf), labels)

    if isinstance(model, ContextualDiscourseVectors):
        passages = model.encode_passages(batch.passages)
        result = loss(model.interact(model.encode_queries(batch.queries), passages))
        entities, aspects = ([key[n] for key in batch.about] for n in (0, 1))
        return _done(result + config.labels * model.label_loss(passages, entities, aspects), scale)
    if config.at_once:
        scaled = cached_backward(model, batch.queries, batch.passages, lambda s: scale * loss(s), config.at_once)
        return float(scaled) / scale
    return _done(loss(model.score(batch.queries, batch.passages)), scale)


def _done(loss: Tensor, scale: float) -> float:
    (scale * loss).backward()  # type: ignore[no-untyped-call]
    return float(loss.detach())


def _backward_lists(
    model: CrossEncoder, batch: Batch, config: TrainingConfig, teacher: Tensor | None, scale: float
) -> float:
    """A cross-encoder reads each query with the passages of its own list only."""
    lists = batch.lists()
    queries = [q for q in batch.queries for _ in range(lists.shape[1])]
    passages = [batch.passages[n] for n in lists.flatten().tolist()]
    scores = model(model.encode(queries, passages)).view(lists.shape)
    if teacher is not None:
        result = (losses.distilled_kl if config.loss == "kl" else losses.margin_mse)(scores, teacher)
    else:
        labels = torch.zeros_like(scores)
        labels[:, 0] = 1
        result = loss_of(config)(scores, labels)
    return _done(result, scale)
