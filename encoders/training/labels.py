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


def train(buckets: Sequence[NDArray[np.int64]], answers: Sequence[str], size: int) -> dict[str, Array]:
    """Fit one logistic regression an answer against the rest, and round the weights to int8.

    Args:
        buckets: of each mention, the hashed features.
        size: number of buckets.

    Returns:
        The arrays of a `search_stack.language.arbiter.Arbiter`, by name.
    """
    names = sorted(set(answers))
    begins = np.cumsum([0, *map(len, buckets)])
    at = np.concatenate(list(buckets))
    matrix = csr_matrix((np.ones(len(at), dtype=np.float32), at, begins), shape=(len(buckets), size))
    given = np.array(answers)
    columns, bias = [], []
    for name in names:
        model = LogisticRegression(C=PENALTY, solver="liblinear", random_state=SEED).fit(matrix, given == name)
        columns.append(model.coef_[0])
        bias.append(model.intercept_[0])
    weights = np.stack(columns, axis=1)
    scale = np.abs(weights).max(axis=0) / 127
    return {
        "answers": np.array(names),
        "weights": np.round(weights / scale).astype(np.int8),
        "scale": scale.astype(np.float32),
        "bias": np.array(bias, dtype=np.float32),
    }
