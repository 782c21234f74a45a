"""Answers judged by what the served models say of them, stacked: features, and the logistic regression over them.

Wolpert, Stacked Generalization, Neural Networks 1992. The regression is fitted in `encoders.training.stacking`; here it
is only applied, so that no library is needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ValidationError

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.mediqa import Answer, Question
from search_stack.inference.models import Encoder, Reranker

WINDOW, READ = 110, 2
"""Words of a window; and how many of an answer's the cross-encoder reads, those nearest to the question."""
OF_AN_ANSWER = (
    "cosine largest",
    "cosine first",
    "cosine mean",
    "cosine heading",
    "cross first",
    "cross second",
    "cross heading",
    "system rank",
    "length",
)
FEATURES = (*OF_AN_ANSWER, *(f"{name}, within the question" for name in OF_AN_ANSWER))
Floats = npt.NDArray[np.float64]
Progress = Callable[[str, int, int], None]


class Stacked(BaseModel):
    """A logistic regression over `FEATURES`."""

    encoder: str
    """Identities of the models that it was fitted over."""
    reranker: str
    mean: list[float]
    scale: list[float]
    weights: list[float]
    bias: float
    threshold: float

    def probabilities(self, features: Floats) -> Floats:
        """That each answer is correct, (N,), of its features, (N, F)."""
        stretched = (features - np.array(self.mean)) / np.array(self.scale)
        return np.asarray(1 / (1 + np.exp(-(stretched @ np.array(self.weights) + self.bias))))

    @classmethod
    def load(cls, file: Path | None = None) -> Stacked:
        """The one in ``file``, or the shipped one.

        Raises:
            AspectraError: there is none, or it is not over our features.
        """
        place = file or files("search_stack.evaluation") / "stacked.json"
        try:
            found = cls.model_validate_json(place.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, ValidationError) as e:
            raise AspectraError(f"{place}: holds no stacked model.", "Fit one: aspectra train qa") from e
        if {len(found.mean), len(found.scale), len(found.weights)} != {len(FEATURES)}:
            raise AspectraError(f"{place}: is over other features.", "Fit it anew: aspectra train qa")
        return found


def windows(answer: Answer) -> list[str]:
    """The answer in stretches of `WINDOW` words, each behind the heading."""
    words = answer.body.split()
    heading = f"{answer.heading}: " if answer.heading else ""
    return [heading + " ".join(words[n : n + WINDOW]) for n in range(0, max(1, len(words)), WINDOW)]


def features(question: Question, encoder: Encoder, reranker: Reranker) -> Floats:
    """(N, F) of a question's N answers, F as `FEATURES` names them."""
    parts = [windows(answer) for answer in question.answers]
    headings = [answer.heading or parts[n][0] for n, answer in enumerate(question.answers)]
    vectors = encoder.encode([question.text, *headings, *(w for own in parts for w in own)])
    cosines = vectors[1:] @ vectors[0]
    near = np.split(cosines[len(headings) :], np.cumsum([len(own) for own in parts])[:-1])
    best = [[own[i] for i in np.argsort(-c, kind="stable")[:READ]] for own, c in zip(parts, near, strict=True)]
    # An answer of one window is read once more; its second score is its first.
    read = [[*(own * READ)[:READ], heading] for own, heading in zip(best, headings, strict=True)]
    cross = reranker.score(question.text, [text for own in read for text in own]).reshape(len(read), READ + 1)
    rows = [
        [
            float(c.max()),
            float(c[0]),
            float(c.mean()),
            float(cosines[n]),
            *map(float, cross[n]),
            float(answer.system_rank),
            math.log(len(answer.text.split())),
        ]
        for n, (answer, c) in enumerate(zip(question.answers, near, strict=True))
    ]
    own = np.array(rows, dtype=np.float64)
    spread = own.std(axis=0)
    return np.hstack([own, (own - own.mean(axis=0)) / np.where(spread > 0, spread, 1)])


def all_features(
    questions: Sequence[Question], encoder: Encoder, reranker: Reranker, progress: Progress
) -> list[Floats]:
    """`features` of each."""
    out = []
    for number, question in enumerate(questions, 1):
        out.append(features(question, encoder, reranker))
        progress("questions read", number, len(questions))
    return out
