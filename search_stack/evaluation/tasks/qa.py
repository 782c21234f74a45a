"""Answers to a question, ordered and told right from wrong: MEDIQA 2019, task 3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import bm25s

from search_stack.evaluation.answers import Labelled, Tally, differences, labelled, shares, tally
from search_stack.evaluation.compare import Interval, Share
from search_stack.evaluation.datasets.mediqa import Question
from search_stack.evaluation.stacking import FEATURES, Floats, Stacked

BASELINE, OURS = "bm25", "stacked"


@dataclass(frozen=True, slots=True)
class QaReport:
    questions: int
    answers: int
    systems: Mapping[str, Mapping[str, Share | None]]
    intervals: Mapping[str, Mapping[str, Interval | None]]
    """By system other than the baseline, its measures minus the baseline's."""

    def json(self) -> dict[str, Any]:
        """The figures to keep; at the top those of `OURS`, each measure in lower case, and their intervals."""
        ours = {name.lower(): found for name, found in self.systems[OURS].items()}
        return {
            **{name: found and found.value for name, found in ours.items()},
            "interval_95": {name: found and [found.low, found.high] for name, found in ours.items()},
            **asdict(self),
            "baseline": BASELINE,
        }

    def cell(self, system: str, measure: str) -> str:
        """A figure, and a mark where it differs from the baseline's beyond chance."""
        value = self.systems[system][measure]
        told = self.intervals.get(system, {}).get(measure)
        mark = "" if told is None or not told.significant else "▲" if told.low > 0 else "▼"
        return "–" if value is None else f"{value.value:.3f}{mark}"


def as_given(question: Question) -> Labelled:
    """The order of the system that found the answers, all of them called correct."""
    return [(answer, True) for answer in question.answers]


def by_mean(question: Question, scores: Sequence[float]) -> Labelled:
    """Answers by score, those at or above their question's mean called correct."""
    return labelled(question, scores, sum(scores) / len(scores))


def bm25(questions: Sequence[Question]) -> list[list[float]]:
    """For each question the scores of its answers; a word's weight is that in all answers of the file.

    Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, as bm25s computes it.
    """
    texts = [answer.text for question in questions for answer in question.answers]
    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)
    out, begin = [], 0
    for question in questions:
        tokens = bm25s.tokenize([question.text], stopwords="en", return_ids=False, show_progress=False)[0]
        known = [t for t in tokens if t in index.vocab_dict]
        scores = index.get_scores(known) if known else [0.0] * len(texts)
        out.append([float(s) for s in scores[begin : begin + len(question.answers)]])
        begin += len(question.answers)
    return out


def systems(questions: Sequence[Question], features: Sequence[Floats], stacked: Stacked) -> dict[str, list[Tally]]:
    """What each system's lists and labels add, question by question."""
    cosine = FEATURES.index("cosine largest")
    return {
        "as given": [tally(as_given(q)) for q in questions],
        BASELINE: [tally(by_mean(q, s)) for q, s in zip(questions, bm25(questions), strict=True)],
        "cosine": [tally(by_mean(q, f[:, cosine].tolist())) for q, f in zip(questions, features, strict=True)],
        OURS: [
            tally(labelled(q, stacked.probabilities(f).tolist(), stacked.threshold))
            for q, f in zip(questions, features, strict=True)
        ],
    }


def report(questions: Sequence[Question], told: Mapping[str, Sequence[Tally]]) -> QaReport:
    others = {name: tallies for name, tallies in told.items() if name != BASELINE}
    return QaReport(
        len(questions),
        sum(len(q.answers) for q in questions),
        {name: shares(tallies) for name, tallies in told.items()},
        {name: differences(tallies, told[BASELINE]) for name, tallies in others.items()},
    )
