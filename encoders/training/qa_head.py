"""Training of the published judge of answers: its options, what it learns from, its loop, and what it is worth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from encoders.models.architecture import require_above_0
from encoders.models.qa_head import Pooling, QaHead, QaHeadShape, distance_loss, weighted_bce
from encoders.training.progress import loss_bar
from encoders.training.stacking import parts_of
from search_stack.core.errors import AspectraError
from search_stack.evaluation.answers import Tally, by_half, tally
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData
from search_stack.evaluation.datasets.mediqa import Question

FAR = 100
"""Rank of an answer under another aspect of its document."""


@dataclass(frozen=True, slots=True)
class QaHeadConfig:
    base: str = "minilm"
    """minilm, or a folder in Hugging Face's layout."""
    seed: int = 1
    pooling: Pooling = "mean"
    max_tokens: int = 256
    hidden: int = 512
    dropout: float = 0.1
    open_layers: int = 0
    """How many of the encoder's last layers learn; 0: none, so that each text is encoded once; -1: all of it."""
    epochs: int = 10
    batch: int = 32
    learning_rate: float = 3e-4
    """Of the network."""
    encoder_rate: float = 2e-5
    bce: float = 0.5
    """What the cross-entropy weighs; 0.5 in the paper's tables, 0.4 in its text."""
    distance: float = 0.5
    """What the loss of distances weighs: 0.5, or 0.6. It teaches the encoder alone: nothing where that is closed."""
    correct_weight: float = 0.0
    """w₁: what a correct answer counts in the cross-entropy; 0: (1 − p) / p, p their share of what is learnt from."""
    margin: float = 0.75
    rank_step: float = 0.005
    augment: int = 0
    """Pairs of question and answer that are taken of ``--more``."""
    folds: int = 5
    """Of questions, to say what it is worth; 0: not said."""

    def check(self) -> None:
        """
        Raises:
            AspectraError: an option cannot be.
        """
        require_above_0(self, "max_tokens", "hidden", "epochs", "batch", "learning_rate", "encoder_rate", "margin")
        for name in ("augment", "folds", "correct_weight", "bce", "distance", "dropout", "rank_step"):
            if getattr(self, name) < 0:
                raise AspectraError(f"{name} is {getattr(self, name)}.", "It must not be below 0.")
        if self.open_layers < -1:
            raise AspectraError(f"open_layers is {self.open_layers}.", "Set how many layers, 0: none, or -1: all.")
        if self.folds == 1:
            raise AspectraError("One fold leaves nothing to learn from.", "Set folds=0, or 2 and more.")
        if self.dropout >= 1:
            raise AspectraError(f"dropout is {self.dropout}.", "It must be below 1.")

    @property
    def shape(self) -> QaHeadShape:
        return QaHeadShape(self.pooling, self.max_tokens, self.hidden, self.dropout)


@dataclass(frozen=True, slots=True)
class Judged:
    question: str
    answer: str
    correct: bool
    rank: int
    """By the people's judgement, from 1."""


def of_questions(questions: Sequence[Question]) -> list[Judged]:
    return [Judged(q.text, a.text, a.correct, a.reference_rank) for q in questions for a in q.answers]


def of_documents(data: EntityAspectData, count: int, seed: int) -> list[Judged]:
    """``count`` pairs at most: of queries drawn in a random order, each with its answer, rank 1, and with the passages
    under the other aspects of that one's document, which are wrong and far."""
    passages = {p.id: p for p in data.passages}
    documents: dict[str, list[str]] = {}
    for p in data.passages:
        documents.setdefault(p.document_id, []).append(p.id)
    out: list[Judged] = []
    for n in np.random.default_rng(seed).permutation(len(data.queries)).tolist():
        if len(out) >= count:
            break
        query = data.queries[n]
        for id_ in query.relevant:
            own = passages[id_]
            out.append(Judged(query.text, own.text, True, 1))
            beside = [passages[i] for i in documents[own.document_id] if i not in query.relevant]
            out += [Judged(query.text, p.text, False, FAR) for p in beside if p.aspect != own.aspect]
    return out[:count]


def encoded(judged: Sequence[Judged], config: QaHeadConfig) -> dict[str, Tensor] | None:
    """By text of ``judged`` its vector (H,), where the encoder is closed; else None.

    Raises:
        AspectraError: there is no such base, or it reads fewer tokens.
    """
    if config.open_layers:
        return None
    texts = [t for j in judged for t in (j.question, j.answer)]
    return QaHead.from_base(config.base, config.shape).eval().cached(texts)


def train(judged: Sequence[Judged], config: QaHeadConfig, known: Mapping[str, Tensor] | None = None) -> QaHead:
    """A network, and as far as it is open an encoder, that learnt from ``judged``.

    Args:
        known: what `encoded` gives; made here where it is not given.

    Raises:
        AspectraError: an option cannot be, there is no such base, or nothing to tell apart.
    """
    config.check()
    share = sum(j.correct for j in judged) / max(1, len(judged))
    if not 0 < share < 1:
        raise AspectraError("The answers are all correct, or all wrong.", "Give some of both.")
    weight = config.correct_weight or (1 - share) / share
    torch.manual_seed(config.seed)
    model = QaHead.from_base(config.base, config.shape)
    learns = model.open(config.open_layers)
    if not learns and known is None:
        known = encoded(judged, config)
    network = [p for n, p in model.named_parameters() if not n.startswith("tower.")]
    encoder = [p for p in model.tower.parameters() if p.requires_grad]
    groups = [{"params": network, "lr": config.learning_rate}]
    optimiser = torch.optim.AdamW(groups + ([{"params": encoder, "lr": config.encoder_rate}] if encoder else []))
    draws = torch.Generator().manual_seed(config.seed)
    steps = math.ceil(len(judged) / config.batch)
    model.train()
    with loss_bar() as bar:
        task = bar.add_task("judge of answers", total=config.epochs * steps, loss=math.nan)
        for _ in range(config.epochs):
            order = torch.randperm(len(judged), generator=draws).tolist()
            for begin in range(0, len(order), config.batch):
                rows = [judged[n] for n in order[begin : begin + config.batch]]
                loss = _loss(model, rows, config, weight, None if learns else known)
                optimiser.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimiser.step()
                bar.update(task, advance=1, loss=loss.item())
    return model.eval()


def _loss(
    model: QaHead, rows: Sequence[Judged], config: QaHeadConfig, weight: float, known: Mapping[str, Tensor] | None
) -> Tensor:
    def vectors(texts: list[str]) -> Tensor:
        return model.vectors(texts) if known is None else torch.stack([known[t] for t in texts])

    questions, answers = vectors([j.question for j in rows]), vectors([j.answer for j in rows])
    correct = torch.tensor([float(j.correct) for j in rows])
    ranks = torch.tensor([float(j.rank) for j in rows])
    told = weighted_bce(model.judge(questions, answers), correct, weight)
    cosines = functional.cosine_similarity(questions, answers)
    return config.bce * told + config.distance * distance_loss(cosines, correct, ranks, config.margin, config.rank_step)


@torch.inference_mode()
def probabilities(
    model: QaHead, questions: Sequence[Question], known: Mapping[str, Tensor] | None = None
) -> list[list[float]]:
    """For each question, that its answers are correct.

    Args:
        known: vectors (H,) by text; without them the model encodes the texts.
    """
    out = []
    for q in questions:
        texts = [a.text for a in q.answers]
        if known is None:
            logits = model.pairs([q.text] * len(texts), texts)
        else:
            asked = known[q.text].expand(len(texts), -1)
            logits = model.judge(asked, torch.stack([known[t] for t in texts]))
        out.append(torch.sigmoid(logits).tolist())
    return out


def in_folds(
    questions: Sequence[Question],
    more: Sequence[Judged],
    config: QaHeadConfig,
    known: Mapping[str, Tensor] | None = None,
) -> list[Tally]:
    """Of each question, what a model tells that learnt from the other folds, and from ``more``.

    Args:
        known: as `train` takes it.
    """
    known = known or encoded([*of_questions(questions), *more], config)
    out: dict[int, Tally] = {}
    for part in parts_of(len(questions), config.folds, config.seed):
        rest = [q for n, q in enumerate(questions) if n not in part]
        model = train([*of_questions(rest), *more], replace(config, folds=0), known)
        held = sorted(part)
        for n, own in zip(held, probabilities(model, [questions[n] for n in held], known), strict=True):
            out[n] = tally(by_half(questions[n], own))
    return [out[n] for n in range(len(questions))]
