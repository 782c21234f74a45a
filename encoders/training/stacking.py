"""Fit the stacked judgement of answers: a logistic regression, its strength and threshold chosen by folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.linear_model import LogisticRegression

from search_stack.evaluation.answers import Tally, labelled, tally
from search_stack.evaluation.datasets.mediqa import Question
from search_stack.evaluation.stacking import Floats, Stacked

OUTER, INNER = 10, 5
STRENGTHS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
"""Inverse of the penalty on the squared weights."""
THRESHOLDS = tuple(np.linspace(0.3, 0.7, 17).tolist())


@dataclass(frozen=True, slots=True)
class Identities:
    """Of the models whose scores the features are."""

    encoder: str
    reranker: str


def fit(questions: Sequence[Question], features: Sequence[Floats], models: Identities, seed: int = 0) -> Stacked:
    """The regression over all ``questions``; strength and threshold are those that call most labels right in folds.

    Args:
        features: (N, F) for each question's N answers.
    """
    parts = parts_of(len(questions), INNER, seed)
    best = (-1.0, STRENGTHS[0], 0.5)
    for strength in STRENGTHS:
        held: list[tuple[Question, Floats]] = []
        for part in parts:
            model = _fit([n for n in range(len(questions)) if n not in part], questions, features, models, strength)
            held += [(questions[n], model.probabilities(features[n])) for n in sorted(part)]
        for threshold in THRESHOLDS:
            tallies = [tally(labelled(q, p.tolist(), threshold)).parts["accuracy"] for q, p in held]
            best = max(best, (sum(right for right, _ in tallies), strength, threshold), key=lambda b: b[0])
    _, strength, threshold = best
    whole = _fit(range(len(questions)), questions, features, models, strength)
    return whole.model_copy(update={"threshold": threshold})


def in_folds(
    questions: Sequence[Question], features: Sequence[Floats], models: Identities, seed: int = 0
) -> list[Tally]:
    """Of each question, what a model tells that was fitted, choices and all, without its fold."""
    out: dict[int, Tally] = {}
    for part in parts_of(len(questions), OUTER, seed + 1):
        rest = [n for n in range(len(questions)) if n not in part]
        model = fit([questions[n] for n in rest], [features[n] for n in rest], models, seed)
        for n in part:
            out[n] = tally(labelled(questions[n], model.probabilities(features[n]).tolist(), model.threshold))
    return [out[n] for n in range(len(questions))]


def across_sets(
    questions: Sequence[Question], features: Sequence[Floats], sets: Sequence[str], models: Identities, seed: int = 0
) -> list[Tally]:
    """Of each question, what a model tells that was fitted, choices and all, without its set.

    Args:
        sets: of each question, the name of the set that it is of; at least two.
    """
    out: dict[int, Tally] = {}
    for name in dict.fromkeys(sets):
        rest = [n for n, own in enumerate(sets) if own != name]
        model = fit([questions[n] for n in rest], [features[n] for n in rest], models, seed)
        for n in (n for n, own in enumerate(sets) if own == name):
            out[n] = tally(labelled(questions[n], model.probabilities(features[n]).tolist(), model.threshold))
    return [out[n] for n in range(len(questions))]


def _fit(
    of: Sequence[int], questions: Sequence[Question], features: Sequence[Floats], models: Identities, strength: float
) -> Stacked:
    read = np.vstack([features[n] for n in of])
    correct = np.array([answer.correct for n in of for answer in questions[n].answers])
    mean, scale = read.mean(axis=0), read.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    model = LogisticRegression(C=strength, max_iter=2000).fit((read - mean) / scale, correct)
    return Stacked(
        encoder=models.encoder,
        reranker=models.reranker,
        mean=mean.tolist(),
        scale=scale.tolist(),
        weights=model.coef_[0].tolist(),
        bias=float(model.intercept_[0]),
        threshold=0.5,
    )


def parts_of(number: int, parts: int, seed: int) -> list[set[int]]:
    """The numbers below ``number`` in ``parts`` folds of like size, drawn with ``seed``."""
    order = np.random.default_rng(seed).permutation(number)
    return [set(part.tolist()) for part in np.array_split(order, min(parts, number))]
