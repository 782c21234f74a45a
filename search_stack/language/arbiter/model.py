"""The arbiter's weights, and its decisions: on the assertion, and on the status of drugs, procedures and devices.

One-against-rest logistic regression over hashed features (feature hashing: Weinberger et al., ICML 2009), rounded to
int8. It may choose another answer than the rules where it is sure enough, or none: the words do not mean the concept.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

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
ASKS = {"present": 0.82, "hypothetical": 0.6}
"""Probability of its best answer below which the reader is asked too: `ASKS_ELSE` but for these. Where it leans to
"present" words may say otherwise that it never saw; of its other answers the reader corrects few."""
ASKS_ELSE = 0.5
ASKS_OF_PICTURES = 0.7
"""Instead of more, in reports of imaging: the reader corrects nothing there above it, and calls possible what
radiologists count as there."""
SPARED = frozenset(("device",))
"""Kinds of which only the arbiter says that the words do not mean the concept: the reader was right with none of 30
devices that it left out of notes of train, where nobody had judged them."""
ITS_WEIGHT = 0.7
"""Power of its probabilities beside the reader's."""
LEAST = 1e-6
"""Share of an answer that one of both does not know."""
SURE_OF_STATUS, SURE_AGAINST_WORDS = 0.5, 0.9
"""Likewise, of a status: where no words say one, and where they do."""
STATUS_OF = {
    "present": frozenset(("done", "past", "taking", "given", "started", "held", "stopped", "allergy", "intolerance")),
    "absent": frozenset(("not done", "not taken")),
    "historical": frozenset(("past", "stopped", "given")),
    "hypothetical": frozenset(("planned",)),
}
"""What a status may be beside each assertion (docs/annotation.md); beside others the rules decide."""
FILE = "labels.npz"
STATUS = "status_"
"""Before the names of the arrays that decide on the status."""


@dataclass(frozen=True, slots=True)
class Linear:
    """``weights`` (BUCKETS, A) int8 with ``scale`` (A,), ``bias`` (A,), for the answers in order."""

    answers: tuple[str, ...]
    weights: NDArray[np.int8]
    scale: NDArray[np.float32]
    bias: NDArray[np.float32]

    @property
    def bytes(self) -> bytes:
        return b"".join(a.tobytes() for a in (self.weights, self.scale, self.bias))

    def probabilities(self, at: NDArray[np.int64]) -> NDArray[np.float32]:
        """(A,): of each answer by itself, made to add up to 1; ``at``: the `buckets` of what was found."""
        total = self.weights[at].sum(axis=0, dtype=np.int32) * self.scale + self.bias
        odds = 1 / (1 + np.exp(-total))
        shares: NDArray[np.float32] = odds / odds.sum()
        return shares

    def weighed(self, found: Sequence[str], answer: str, most: int = 5) -> list[tuple[str, float]]:
        """The features that spoke most for ``answer``, with their weights."""
        column = self.answers.index(answer)
        given = self.weights[buckets(found), column].astype(float) * float(self.scale[column])
        order = np.argsort(-given)[:most]
        return [(found[n], round(float(given[n]), 3)) for n in order if given[n] > 0]


@dataclass(frozen=True, slots=True)
class Arbiter(Linear):
    """Of the assertion; ``status`` is of the status, None where it learnt none."""

    status: Linear | None = None

    @property
    def digest(self) -> str:
        """Changes whenever a weight does."""
        both = self.bytes + (self.status.bytes if self.status else b"")
        return hashlib.sha256(both).hexdigest()[:16]

    @property
    def own_digest(self) -> str:
        """What `search_stack.language.version.labels_version` is told of it: empty of the shipped one, a copy too."""
        return "" if self is shipped() or self.digest == shipped().digest else self.digest

    def asks(self, shares: NDArray[np.float32], of_imaging: bool = False) -> bool:
        """Whether it is not sure by its `probabilities`; ``of_imaging``: the note is a report of imaging."""
        best = int(shares.argmax())
        limit = ASKS.get(self.answers[best], ASKS_ELSE)
        return bool(shares[best] < (min(limit, ASKS_OF_PICTURES) if of_imaging else limit))

    def decide_with(self, shares: NDArray[np.float32], read: Mapping[str, float], kind: str = "") -> str:
        """The answer that is likeliest by its `probabilities` times those of the reader (a logarithmic opinion pool:
        Hinton, Neural Computation 2002): each knows what the other never saw.

        Args:
            read: the reader's, by answer.
            kind: of the concept; of `SPARED` ones the answer is not `NONE`.
        """
        known = dict(zip(self.answers, shares.tolist(), strict=True))

        def both(answer: str) -> float:
            return float(max(known.get(answer, 0), LEAST) ** ITS_WEIGHT * max(read.get(answer, 0), LEAST))

        return max((a for a in (*self.answers, *read) if a != NONE or kind not in SPARED), key=both)

    def decide(self, shares: NDArray[np.float32], rule: str) -> str:
        """The answer by its `probabilities`: one of the assertions, or `NONE`; that of the rules where no other is sure
        enough."""
        best = int(shares.argmax())
        answer = self.answers[best]
        sure = max(SURE.get(answer, SURE_ELSE), SURE["absent"] if rule == "absent" else 0)
        return answer if answer == rule or shares[best] >= sure else rule

    def decide_status(self, at: NDArray[np.int64], rule: str, assertion: str, worded: bool) -> str:
        """The likeliest status that goes with ``assertion``; that of the rules where it is not sure enough.

        Args:
            at: the `buckets` of its `features` and `status_features`.
            worded: words say that of the rules.
        """
        fitting = STATUS_OF.get(assertion)
        if self.status is None or fitting is None:
            return rule
        shares = self.status.probabilities(at)
        share, status = max((float(s), a) for s, a in zip(shares, self.status.answers, strict=True) if a in fitting)
        return status if share >= (SURE_AGAINST_WORDS if worded else SURE_OF_STATUS) else rule


def buckets(found: Sequence[str]) -> NDArray[np.int64]:
    return np.fromiter(map(zlib.crc32, map(str.encode, found)), np.int64, len(found)) % BUCKETS


def load_arbiter(folder: Path | None = None) -> Arbiter:
    """The one in ``folder``, or the shipped one.

    Raises:
        AspectraError: there is none, or it is no such model.
    """
    path = (folder or Path(str(files("search_stack.language.arbiter") / "model"))) / FILE
    try:
        with np.load(path, allow_pickle=False) as found:
            status = Linear(*_arrays(found, STATUS)) if f"{STATUS}answers" in found else None
            return Arbiter(*_arrays(found, ""), status)
    except (OSError, KeyError, ValueError) as e:
        raise AspectraError(
            f"{path}: no model of labels ({type(e).__name__}).",
            "Train one: aspectra train labels --data FOLDER --out FOLDER",
        ) from e


def _arrays(
    found: Mapping[str, NDArray[Any]], of: str
) -> tuple[tuple[str, ...], NDArray[np.int8], NDArray[np.float32], NDArray[np.float32]]:
    answers = tuple(found[f"{of}answers"].tolist())
    return answers, found[f"{of}weights"], found[f"{of}scale"], found[f"{of}bias"]


def arbiter_of(folder: Path | None) -> Arbiter:
    """The site's own one in the lexicon's folder, else the shipped one.

    Raises:
        AspectraError: its own is no such model.
    """
    return load_arbiter(folder) if folder is not None and (folder / FILE).is_file() else shipped()


@cache
def shipped() -> Arbiter:
    return load_arbiter()
