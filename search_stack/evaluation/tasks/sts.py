"""How alike two sentences are: correlation with what people say, beside word overlap and BM25."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import bm25s
import numpy as np
import numpy.typing as npt

from search_stack.evaluation.compare import CONFIDENCE, FEWEST_QUERIES, Interval, Share
from search_stack.evaluation.datasets.sentence_pairs import SentencePair

BASELINE = "bm25"
SHIPPED = ("minilm-sts-int8", "minilm-sts-pair-int8")
"""The bundles whose mean tells how alike two sentences are, where no other is named: one compares vectors, one reads
both together, and they err elsewhere."""
SAMPLES = 1000
Floats = npt.NDArray[np.float64]
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class StsReport:
    pairs: int
    systems: Mapping[str, Mapping[str, Share]]
    """By system, Pearson's and Spearman's correlation, each with its interval."""
    intervals: Mapping[str, Mapping[str, Interval]]
    """By system other than the baseline, its correlations minus the baseline's."""

    def json(self) -> dict[str, Any]:
        return {**asdict(self), "baseline": BASELINE}


def overlap(pairs: Sequence[SentencePair]) -> Floats:
    """(N,): words that both sentences have, over those that either has (Jaccard)."""
    words = [({*_WORD.findall(p.one.casefold())}, {*_WORD.findall(p.other.casefold())}) for p in pairs]
    return np.array([len(a & b) / max(1, len(a | b)) for a, b in words])


def bm25(pairs: Sequence[SentencePair]) -> Floats:
    """(N,): of the second sentence for the first, and the other way round, added; a word's weight is that in all
    sentences."""
    texts = [s for p in pairs for s in (p.one, p.other)]
    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)
    out = np.zeros(len(pairs))
    for n, pair in enumerate(pairs):
        for asked, place in ((pair.one, 2 * n + 1), (pair.other, 2 * n)):
            tokens = bm25s.tokenize([asked], stopwords="en", return_ids=False, show_progress=False)[0]
            known = [t for t in tokens if t in index.vocab_dict]
            out[n] += float(index.get_scores(known)[place]) if known else 0.0
    return out


def cosine(pairs: Sequence[SentencePair], encode: Callable[[Sequence[str]], npt.NDArray[np.float32]]) -> Floats:
    """(N,): of the vectors of both, which have length 1."""
    one, other = encode([p.one for p in pairs]), encode([p.other for p in pairs])
    return np.asarray((one * other).sum(axis=1), dtype=np.float64)


def read_together(
    pairs: Sequence[SentencePair], score: Callable[[Sequence[tuple[str, str]]], npt.NDArray[np.float32]]
) -> Floats:
    """(N,), from 0 to 1: the mean of the scores of both orders, which are unbounded, under a sigmoid."""
    both = score([(p.one, p.other) for p in pairs]), score([(p.other, p.one) for p in pairs])
    return np.asarray(1 / (1 + np.exp(-(both[0] + both[1]) / 2)), dtype=np.float64)


def ranks(values: Floats) -> Floats:
    """From 1; equal values share the mean of theirs."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[places])


def pearson(a: Floats, b: Floats) -> float:
    """Pearson's correlation; 0 where either is constant."""
    spread = a.std() * b.std()
    return float(((a - a.mean()) * (b - b.mean())).mean() / spread) if spread else 0.0


def spearman(a: Floats, b: Floats) -> float:
    return pearson(ranks(a), ranks(b))


MEASURES: Mapping[str, Callable[[Floats, Floats], float]] = {"pearson": pearson, "spearman": spearman}


def report(pairs: Sequence[SentencePair], scores: Mapping[str, Floats], seed: int = 13) -> StsReport:
    """Correlations of each system's ``scores``, (N,), with the pairs'; 95 % percentile intervals over pairs drawn with
    replacement, the same ones for every system (Efron and Tibshirani 1993, chapter 13)."""
    gold = np.array([p.score for p in pairs])
    drawn = np.random.default_rng(seed).integers(0, len(pairs), size=(SAMPLES, len(pairs)))
    told = {
        name: {m: np.array([measure(own[d], gold[d]) for d in drawn]) for m, measure in MEASURES.items()}
        for name, own in scores.items()
    }
    values = {name: {m: measure(own, gold) for m, measure in MEASURES.items()} for name, own in scores.items()}
    shares = {name: {m: Share(values[name][m], *_ends(told[name][m])) for m in MEASURES} for name in scores}
    intervals: dict[str, dict[str, Interval]] = {}
    for name in (n for n in scores if n != BASELINE):
        intervals[name] = {}
        for m in MEASURES:
            low, high = _ends(told[name][m] - told[BASELINE][m])
            beyond = len(pairs) >= FEWEST_QUERIES and (low > 0 or high < 0)
            intervals[name][m] = Interval(values[name][m] - values[BASELINE][m], low, high, beyond)
    return StsReport(len(pairs), shares, intervals)


def _ends(samples: Floats) -> tuple[float, float]:
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(samples, [tail, 1 - tail])
    return float(low), float(high)
