"""The arbiter's weights, and its decision.

One-against-rest logistic regression over hashed features (feature hashing: Weinberger et al., ICML 2009), rounded to
int8. It may choose another answer than the rules where it is sure enough, or none: the words do not mean the concept.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from search_stack.core.errors import AspectraError

BUCKETS = 1 << 16
NONE = "none"
"""The answer that the words do not mean the concept."""
SURE = {"absent": 0.6, NONE: 0.6}
"""Probability from which an answer is taken against the rules: `SURE_ELSE` but for these. That of "absent" counts where
the rules say absent, too: a denial is not lightly undone."""
SURE_ELSE = 0.35
ASKS = 0.75
"""Probability of its best answer below which the reader is asked instead."""
FILE = "labels.npz"


@dataclass(frozen=True, slots=True)
class Arbiter:
    """``weights`` (BUCKETS, A) int8 with ``scale`` (A,), ``bias`` (A,), for the answers in order."""

    answers: tuple[str, ...]
    weights: NDArray[np.int8]
    scale: NDArray[np.float32]
    bias: NDArray[np.float32]

    @property
    def digest(self) -> str:
        """Changes whenever a weight does."""
        return hashlib.sha256(b"".join(a.tobytes() for a in (self.weights, self.scale, self.bias))).hexdigest()[:16]

    @property
    def own_digest(self) -> str:
        """What `search_stack.language.version.labels_version` is told of it: empty of the shipped one, a copy too."""
        return "" if self is shipped() or self.digest == shipped().digest else self.digest

    def probabilities(self, found: Sequence[str]) -> NDArray[np.float32]:
        """(A,): of each answer by itself, made to add up to 1."""
        at = buckets(found)
        total = self.weights[at].sum(axis=0, dtype=np.int32) * self.scale + self.bias
        odds = 1 / (1 + np.exp(-total))
        shares: NDArray[np.float32] = odds / odds.sum()
        return shares

    def decide(self, shares: NDArray[np.float32], rule: str) -> str:
        """The answer by its `probabilities`: one of the assertions, or `NONE`; that of the rules where no other is sure
        enough."""
        best = int(shares.argmax())
        answer = self.answers[best]
        sure = max(SURE.get(answer, SURE_ELSE), SURE["absent"] if rule == "absent" else 0)
        return answer if answer == rule or shares[best] >= sure else rule

    def weighed(self, found: Sequence[str], answer: str, most: int = 5) -> list[tuple[str, float]]:
        """The features that spoke most for ``answer``, with their weights."""
        column = self.answers.index(answer)
        given = self.weights[buckets(found), column].astype(float) * float(self.scale[column])
        order = np.argsort(-given)[:most]
        return [(found[n], round(float(given[n]), 3)) for n in order if given[n] > 0]


def buckets(found: Sequence[str]) -> NDArray[np.int64]:
    return np.fromiter((zlib.crc32(f.encode()) % BUCKETS for f in found), dtype=np.int64, count=len(found))


def load_arbiter(folder: Path | None = None) -> Arbiter:
    """The one in ``folder``, or the shipped one.

    Raises:
        AspectraError: there is none, or it is no such model.
    """
    path = (folder or Path(str(files("search_stack.language.arbiter") / "model"))) / FILE
    try:
        with np.load(path, allow_pickle=False) as found:
            return Arbiter(tuple(found["answers"].tolist()), found["weights"], found["scale"], found["bias"])
    except (OSError, KeyError, ValueError) as e:
        raise AspectraError(
            f"{path}: no model of labels ({type(e).__name__}).",
            "Train one: aspectra train labels --data FOLDER --out FOLDER",
        ) from e


def arbiter_of(folder: Path | None) -> Arbiter:
    """The site's own one in the lexicon's folder, else the shipped one.

    Raises:
        AspectraError: its own is no such model.
    """
    return load_arbiter(folder) if folder is not None and (folder / FILE).is_file() else shipped()


@cache
def shipped() -> Arbiter:
    return load_arbiter()
