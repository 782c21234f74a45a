"""Training of the model that tells a section's aspect from its text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.svm import LinearSVC

Features = Counter[int]
Array = NDArray[Any]
Weighted = Callable[[Mapping[int, int], Array], tuple[Array, Array]]
SEED = 13
PENALTY = 1.0
"""C of the support vector machine, chosen by cross-validation on the training file."""


def train(
    counted: Sequence[Features],
    headers: Sequence[str],
    weighted: Weighted,
    size: int,
) -> dict[str, Array]:
    """Fit a linear support vector machine, one header against the rest, and round its weights to int8.

    Args:
        counted: features of each section, with their counts.
        weighted: gives features and weights of counts under inverse document frequencies.
        size: number of features.

    Returns:
        The arrays of a `search_stack.language.sections.text_model.TextModel`, by name.
    """
    idf = _idf(counted, size)
    rows = [weighted(c, idf) for c in counted]
    at = np.concatenate([r[0] for r in rows])
    values = np.concatenate([r[1] for r in rows])
    begins = np.cumsum([0, *(len(r[0]) for r in rows)])
    model = LinearSVC(C=PENALTY, class_weight="balanced", random_state=SEED)
    model.fit(csr_matrix((values, at, begins), shape=(len(rows), size)), list(headers))
    weights = model.coef_.T
    scale = np.abs(weights).max(axis=0) / 127
    return {
        "headers": np.array(model.classes_.tolist()),
        "weights": np.round(weights / scale).astype(np.int8),
        "scale": scale.astype(np.float32),
        "bias": model.intercept_.astype(np.float32),
        "idf": idf,
    }


def _idf(counted: Sequence[Features], size: int) -> Array:
    seen = Counter(n for c in counted for n in c)
    idf = np.ones(size, dtype=np.float16)
    for n, times in seen.items():
        idf[n] = math.log((1 + len(counted)) / (1 + times)) + 1
    return idf
