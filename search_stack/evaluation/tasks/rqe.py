"""Does a long question entail a short one: RQE, told by how near the two are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ValidationError

from search_stack.core.errors import AspectraError
from search_stack.evaluation.compare import Interval, Share, paired_shares, share
from search_stack.evaluation.datasets.question_pairs import QuestionPair
from search_stack.inference.models import Encoder, Reranker

BASELINE = "majority"
Floats = npt.NDArray[np.float64]
_WORD = re.compile(r"\w+")


class Learnt(BaseModel):
    """What was chosen on training pairs, and over which models."""

    encoder: str
    """Identities of the models whose scores are meant."""
    reranker: str
    majority: bool
    """What most of the pairs are."""
    thresholds: dict[str, float]
    """By system, the least score of a pair that is called entailed."""
    best: str
    """The system that called most of the training pairs right."""

    @classmethod
    def shipped(cls) -> Learnt:
        """What was chosen on RQE's training pairs over the shipped models.

        Raises:
            AspectraError: it cannot be read.
        """
        place = files("search_stack.evaluation") / "rqe.json"
        try:
            return cls.model_validate_json(place.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, ValidationError) as e:
            raise AspectraError(f"{place}: holds no thresholds.", "Choose them anew: --train FILE.") from e


@dataclass(frozen=True, slots=True)
class RqeReport:
    pairs: int
    entailed: float
    """The share of the pairs that are."""
    best: str
    """The system that is taken, chosen on other pairs."""
    systems: Mapping[str, Share]
    """By system its accuracy, with the interval over long questions."""
    intervals: Mapping[str, Interval | None]
    """By system other than the baseline, its accuracy minus the baseline's."""

    def json(self) -> dict[str, Any]:
        return {"accuracy": self.systems[self.best].value, **asdict(self), "baseline": BASELINE}


def overlap(pairs: Sequence[QuestionPair]) -> Floats:
    """(N,): of the short question's words, the share that the long one has too."""
    sides = [({*_WORD.findall(p.long.casefold())}, {*_WORD.findall(p.short.casefold())}) for p in pairs]
    return np.array([len(long & short) / max(1, len(short)) for long, short in sides])


def scores(pairs: Sequence[QuestionPair], encoder: Encoder, reranker: Reranker) -> dict[str, Floats]:
    """By system, (N,) of the pairs; the larger, the rather the short question is entailed."""
    long, short = encoder.encode([p.long for p in pairs]), encoder.encode([p.short for p in pairs])
    cross: list[float] = []
    for asked, own in groupby(pairs, key=lambda p: p.long):
        cross += reranker.score(asked, [p.short for p in own]).tolist()
    return {
        "overlap": overlap(pairs),
        "cosine": np.asarray((long * short).sum(axis=1), dtype=np.float64),
        "cross-encoder": np.array(cross),
    }


def learn(pairs: Sequence[QuestionPair], told: Mapping[str, Floats], encoder: str, reranker: str) -> Learnt:
    """Of each system the threshold that calls most of ``pairs`` right. Pairs of a question and itself teach nothing.

    Args:
        told: by system, (N,) scores of the pairs.

    Raises:
        AspectraError: the pairs are not of both kinds.
    """
    kept = np.array([p.long != p.short for p in pairs])
    entailed = np.array([p.entailed for p in pairs])[kept]
    if entailed.all() or not entailed.any():
        raise AspectraError("The training pairs are all of one kind.", "Give some that are entailed and some not.")
    thresholds = {name: best_threshold(values[kept], entailed) for name, values in told.items()}
    right = {name: int(((told[name][kept] >= at) == entailed).sum()) for name, at in thresholds.items()}
    return Learnt(
        encoder=encoder,
        reranker=reranker,
        majority=bool(2 * entailed.sum() >= len(entailed)),
        thresholds=thresholds,
        best=max(right, key=lambda name: right[name]),
    )


def best_threshold(values: Floats, entailed: npt.NDArray[np.bool_]) -> float:
    """Halfway between two of ``values`` (N,), where most are on their side; the lowest such place."""
    order = np.argsort(values, kind="stable")
    ordered, true = values[order], entailed[order]
    # Right, where the first n are called not entailed: those below that are not, and those above that are.
    right = np.concatenate([[0], np.cumsum(~true)]) + true.sum() - np.concatenate([[0], np.cumsum(true)])
    ends = np.concatenate([[ordered[0] - 1], ordered, [ordered[-1] + 1]])
    right[1:-1][ordered[1:] == ordered[:-1]] = -1
    n = int(right.argmax())
    return float((ends[n] + ends[n + 1]) / 2)


def report(pairs: Sequence[QuestionPair], told: Mapping[str, Floats], learnt: Learnt) -> RqeReport:
    """Accuracy of each system.

    Args:
        told: by system, (N,) scores of the pairs.
    """
    entailed = np.array([p.entailed for p in pairs])
    right = {BASELINE: entailed == learnt.majority}
    right |= {name: (values >= learnt.thresholds[name]) == entailed for name, values in told.items()}
    # One long question stands in several pairs, which are right or wrong together: it is drawn as one.
    numbers = {long: n for n, long in enumerate(dict.fromkeys(p.long for p in pairs))}
    groups = np.array([numbers[p.long] for p in pairs])
    of = np.bincount(groups).tolist()
    hits = {name: np.bincount(groups, weights=own).tolist() for name, own in right.items()}
    shares = {name: share(own, of) for name, own in hits.items()}
    return RqeReport(
        len(pairs),
        float(entailed.mean()),
        learnt.best,
        {name: found for name, found in shares.items() if found},
        {name: paired_shares((own, of), (hits[BASELINE], of)) for name, own in hits.items() if name != BASELINE},
    )
