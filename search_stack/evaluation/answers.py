"""How good an order and labels of answers are: the evaluator of MEDIQA 2019, task 3, of 6 May 2019.

Pure functions. Ben Abacha, Shivade and Demner-Fushman, Overview of the MEDIQA 2019 Shared Task, BioNLP 2019; where the
paper words a measure otherwise than the evaluator computes it, the evaluator stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search_stack.evaluation.compare import Interval, Share, paired_shares, share
from search_stack.evaluation.datasets.mediqa import Answer, Question

Labelled = Sequence[tuple[Answer, bool]]
"""All answers of a question in a system's order, each with whether the system calls it correct."""
MEASURES = ("accuracy", "precision", "MRR", "spearman", "spearman_ranks")

TILT, HALVINGS = 200.0, 80
"""How far `tilted` looks to each side, and how often it halves that."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What a question adds: of each measure a numerator and a denominator, which is 0 where it has no say."""

    parts: dict[str, tuple[float, float]]


def tally(labelled: Labelled) -> Tally:
    """
    - accuracy: labels that are right, over all answers;
    - precision: correct answers among those labelled so, over all questions together;
    - MRR: 1 / place, over the whole list, of the first that is labelled correct and is; 0 for a question without one;
    - spearman: of the ids of those that are labelled correct and are, ranked as text, in the system's order against
      the reference's; a question with fewer than two is left out. It depends on what answers are called;
    - spearman_ranks: of the places of all answers against the reference's ranks.
    """
    right = sum(label == answer.correct for answer, label in labelled)
    called = sum(label for _, label in labelled)
    hits = [answer for answer, label in labelled if label and answer.correct]
    first = next((1 / n for n, (a, label) in enumerate(labelled, 1) if label and a.correct), 0.0)
    by_id = {id_: n for n, id_ in enumerate(sorted(a.id for a in hits))}
    reference = sorted(hits, key=lambda a: a.reference_rank)
    return Tally(
        {
            "accuracy": (right, len(labelled)),
            "precision": (len(hits), called),
            "MRR": (first, 1),
            "spearman": _spearman([by_id[a.id] for a in hits], [by_id[a.id] for a in reference]),
            "spearman_ranks": _spearman(range(len(labelled)), [a.reference_rank for a, _ in labelled]),
        }
    )


def _spearman(ours: Sequence[int], theirs: Sequence[int]) -> tuple[float, float]:
    """Pearson's correlation of the ranks; equal values share theirs."""
    if len(ours) < 2:
        return 0.0, 0.0
    a, b = (_ranks(np.asarray(values, dtype=np.float64)) for values in (ours, theirs))
    spread = a.std() * b.std()
    return (float(((a - a.mean()) * (b - b.mean())).mean() / spread), 1.0) if spread else (0.0, 0.0)


def _ranks(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    below = (values[None, :] < values[:, None]).sum(axis=1)
    equal = (values[None, :] == values[:, None]).sum(axis=1)
    return np.asarray(below + (equal + 1) / 2)


def shares(tallies: Sequence[Tally], weights: Sequence[float] | None = None) -> dict[str, Share | None]:
    """Each measure with its 95 % interval over questions; None where no question has a say.

    Args:
        weights: what each question counts; alike where they are not given.
    """
    own = np.ones(len(tallies)) if weights is None else np.asarray(weights, dtype=np.float64)
    columns = {name: (np.array(part) * own for part in _columns(tallies, name)) for name in MEASURES}
    return {name: share(*(part.tolist() for part in both)) for name, both in columns.items()}


def tilted(questions: Sequence[Question], correct: float) -> list[float] | None:
    """Weights of ``questions``, 1 on average, at which the share ``correct`` of their answers is correct: what a set
    of other questions, as hard as these, would show. None where no weights are.

    Of all such weights those that stray least from equal ones (in relative entropy): exponential tilting, Csiszár,
    I-divergence geometry, Annals of Probability 1975.
    """
    right = np.array([sum(a.correct for a in q.answers) for q in questions], dtype=np.float64)
    answers = np.array([len(q.answers) for q in questions], dtype=np.float64)
    excess = right - correct * answers
    if not excess.min() < 0 < excess.max():
        return None
    low, high = -TILT, TILT
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        weights = np.exp(middle * (excess / np.abs(excess).max()))
        low, high = (middle, high) if weights @ excess < 0 else (low, middle)
    return [float(w) for w in weights / weights.mean()]


def differences(ours: Sequence[Tally], baseline: Sequence[Tally]) -> dict[str, Interval | None]:
    """Ours minus the baseline's, of the same questions."""
    return {name: paired_shares(_columns(ours, name), _columns(baseline, name)) for name in MEASURES}


def _columns(tallies: Sequence[Tally], name: str) -> tuple[list[float], list[float]]:
    parts = [t.parts[name] for t in tallies]
    return [hits for hits, _ in parts], [of for _, of in parts]


def labelled(question: Question, scores: Sequence[float], threshold: float) -> Labelled:
    """Answers by score, the best first, those of at least ``threshold`` called correct, and the first whatever it has.

    Args:
        scores: one for each answer of the question, in its order.
    """
    order = sorted(range(len(scores)), key=lambda n: (-scores[n], n))
    return [(question.answers[n], place == 0 or scores[n] >= threshold) for place, n in enumerate(order)]


def by_half(question: Question, probabilities: Sequence[float]) -> Labelled:
    """Answers by probability, the best first, those of at least 0.5 called correct, and no other.

    Args:
        probabilities: one for each answer of the question, in its order.
    """
    order = sorted(range(len(probabilities)), key=lambda n: (-probabilities[n], n))
    return [(question.answers[n], probabilities[n] >= 0.5) for n in order]
