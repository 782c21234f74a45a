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
PENALTY = 0.3
"""C of the support vector machine. Like the two below chosen by cross-validation on the training file, without the
further examples whose text stands in it."""
FURTHER = 0.5
"""What a further example weighs, of sections that a heading names, beside one that a person named."""
MOST = 600
"""Further examples of one header, at most."""


def train(
    counted: Sequence[Features],
    headers: Sequence[str],
    weighted: Weighted,
    size: int,
    further: int = 0,
) -> dict[str, Array]:
    """Fit a linear support vector machine, one header against the rest, and round its weights to int8.

    Args:
        counted: features of each section, with their counts.
        weighted: gives features and weights of counts under inverse document frequencies.
        size: number of features.
        further: so many at the end are further examples, drawn at most `MOST` of a header.

    Returns:
        The arrays of a `search_stack.language.sections.text_model.TextModel`, by name.
    """
    own = len(counted) - further
    kept = [*range(own), *(own + n for n in _drawn(headers[own:]))]
    counted, headers = [counted[n] for n in kept], [headers[n] for n in kept]
    idf = _idf(counted, size)
    rows = [weighted(c, idf) for c in counted]
    at = np.concatenate([r[0] for r in rows])
    values = np.concatenate([r[1] for r in rows])
    begins = np.cumsum([0, *(len(r[0]) for r in rows)])
    model = LinearSVC(C=PENALTY, random_state=SEED)
    weight = np.where(np.arange(len(rows)) < own, 1.0, FURTHER)
    model.fit(csr_matrix((values, at, begins), shape=(len(rows), size)), headers, sample_weight=weight)
    weights = model.coef_.T
    scale = np.abs(weights).max(axis=0) / 127
    return {
        "headers": np.array(model.classes_.tolist()),
        "weights": np.round(weights / scale).astype(np.int8),
        "scale": scale.astype(np.float32),
        "bias": model.intercept_.astype(np.float32),
        "idf": idf,
    }


def _drawn(headers: Sequence[str]) -> list[int]:
    """Places of at most `MOST` examples of each header, drawn with a fixed seed, in order."""
    taken: Counter[str] = Counter()
    out = []
    for n in np.random.default_rng(SEED).permutation(len(headers)).tolist():
        taken[headers[n]] += 1
        if taken[headers[n]] <= MOST:
            out.append(n)
    return sorted(out)


def _idf(counted: Sequence[Features], size: int) -> Array:
    seen = Counter(n for c in counted for n in c)
    idf = np.ones(size, dtype=np.float16)
    for n, times in seen.items():
        idf[n] = math.log((1 + len(counted)) / (1 + times)) + 1
    return idf
