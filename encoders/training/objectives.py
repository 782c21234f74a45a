"""From examples to a batch, and from a batch to gradients."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial

import torch
from torch import Tensor

from encoders.models.indexable import indexable
from encoders.models.learning import Batch
from encoders.models.scorer import Scorer
from encoders.training import losses
from encoders.training.config import TrainingConfig
from encoders.training.examples import Example, draw_negatives, wording
from encoders.training.gradient_cache import cached_backward
from search_stack.core.context import Part, contextual
from search_stack.evaluation.datasets.entity_aspect import Passage


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
    grades: list[tuple[int, ...]] = []
    for e in examples:
        if config.negatives:
            rivals = draw_negatives(e, config.negatives, rng)
            rivals += rng.choices(e.negatives, k=config.negatives - len(rivals))
            if config.graded:
                grades.append(tuple(e.grade(p) for p in (e.positive, *rivals)))
            read += rivals
    return Batch(
        queries=[wording(e.query, rng, config.keywords) for e in examples],
        passages=[read_with(p, config, rng) for p in read],
        negatives=config.negatives,
        asked=[(e.query.entity, e.query.aspect) for e in examples],
        about=[(p.entity, p.aspect) for p in read],
        answers=[frozenset(e.query.relevant) for e in examples],
        ids=[p.id for p in read],
        grades=tuple(grades),
    )


class BatchObjective:
    """The configured loss of ``batch``.

    Args:
        taught: a teacher's scores (Q, 1 + negatives) of each query's list, for the losses that distil.
    """

    def __init__(
        self, batch: Batch, config: TrainingConfig, device: torch.device, taught: Tensor | None = None
    ) -> None:
        self._labels, self._doubtful = batch.labels().to(device), batch.doubtful().to(device)
        self._own = batch.lists().to(device)
        self._config, self._taught = config, taught
        if config.graded:
            self._taught = losses.GAIN * torch.tensor(batch.grades, dtype=torch.float32, device=device)

    def in_batch(self, scores: Tensor, scale: float = 1.0) -> Tensor:
        if self._taught is not None:
            return self._distilled(scores.gather(1, self._own), self._taught)
        if self._config.loss in ("triplet", "margin"):
            # Cosines are scaled for a softmax; a margin is one of cosines.
            scores = scores * (1.0 / scale)
        return self._of_labels(scores.masked_fill(self._doubtful, -torch.inf), self._labels)

    def lists(self, scores: Tensor) -> Tensor:
        if self._taught is not None:
            return self._distilled(scores, self._taught)
        labels = torch.zeros_like(scores)
        labels[:, 0] = 1
        return self._of_labels(scores, labels)

    def _distilled(self, scores: Tensor, taught: Tensor) -> Tensor:
        return (losses.margin_mse if self._config.loss == "margin-mse" else losses.distilled_kl)(scores, taught)

    def _of_labels(self, scores: Tensor, labels: Tensor) -> Tensor:
        known: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
            "both-ways": losses.both_ways_cross_entropy,
            "listwise": losses.listwise_cross_entropy,
            "triplet": partial(losses.triplet, margin=self._config.margin),
            "margin": partial(losses.margin, margin=self._config.margin),
        }
        return known[self._config.loss](scores, labels)


@torch.no_grad()
def teach(teacher: Scorer, batch: Batch) -> Tensor:
    """The teacher's scores (Q, 1 + negatives) of each query's own list."""
    return torch.stack(teacher.corpus(batch.passages).scores(batch.queries, batch.lists().tolist()))


def backward(
    model: Scorer, batch: Batch, config: TrainingConfig, taught: Tensor | None = None, scale: float = 1.0
) -> float:
    """Add the gradients of one batch, times ``scale``, to those of ``model``; returns the loss, which is not scaled.

    With ``taught``, a teacher's scores (Q, 1 + negatives) of each query's list, the model learns to
    score the lists alike.
    """
    objective = BatchObjective(batch, config, next(model.parameters()).device, taught)
    if config.at_once:
        return cached_backward(indexable(model, config.arch), batch, objective, config.at_once, scale)
    loss = model.loss(batch, objective)
    (scale * loss).backward()  # type: ignore[no-untyped-call]
    return float(loss.detach())
