"""Training of the arbiter, which decides where the rules on assertions are silent or disagree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

Array = NDArray[Any]
SEED = 17
PENALTY = 0.3
"""C of the logistic regressions, chosen on the dev part of the judged mentions."""

SMALLEST = 3
"""Of 127: smaller weights are left out. They change nothing and take room."""


def train(
    buckets: Sequence[NDArray[np.int64]], answers: Sequence[str], size: int, weights: Sequence[float] | None = None
) -> dict[str, Array]:
    """Fit one logistic regression an answer against the rest, and round the weights to int8.

    Args:
        buckets: of each mention, the hashed features.
        size: number of buckets.
        weights: how often each mention counts; once without.

    Returns:
        The arrays of a `search_stack.language.arbiter.Arbiter`, by name.
    """
    names = sorted(set(answers))
    begins = np.cumsum([0, *map(len, buckets)])
    at = np.concatenate(list(buckets))
    matrix = csr_matrix((np.ones(len(at), dtype=np.float32), at, begins), shape=(len(buckets), size))
    given = np.array(answers)
    counts = None if weights is None else np.array(weights)
    columns, bias = [], []
    for name in names:
        model = LogisticRegression(C=PENALTY, solver="liblinear", random_state=SEED).fit(matrix, given == name, counts)
        columns.append(model.coef_[0])
        bias.append(model.intercept_[0])
    learnt = np.stack(columns, axis=1)
    scale = np.abs(learnt).max(axis=0) / 127
    rounded = np.round(learnt / scale)
    return {
        "answers": np.array(names),
        "weights": np.where(np.abs(rounded) < SMALLEST, 0, rounded).astype(np.int8),
        "scale": scale.astype(np.float32),
        "bias": np.array(bias, dtype=np.float32),
    }
