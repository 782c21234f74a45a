"""How often an assertion is right, on sentences with a marked concept."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from search_stack.evaluation.compare import Interval, paired_bootstrap
from search_stack.evaluation.datasets.marked_sentences import MarkedSentence
from search_stack.evaluation.measures.precision_recall import PrecisionRecall, precision_recall
from search_stack.language.assertion import Judgement, Sentence, Target, assess

WINDOW = 5
"""Words that a negation reaches in the baseline."""
DENIAL = re.compile(r"\b(?:no|not|without|denies|denied|never|negative for|ruled out|absence of)\b", re.IGNORECASE)


def judge(marked: MarkedSentence) -> Judgement:
    """What the rules say; "present" of a concept that is not in the sentence."""
    if marked.begin == marked.end:
        return Judgement()
    sentence = Sentence(marked.sentence, 0, len(marked.sentence))
    return assess(sentence, [Target(marked.begin, marked.end)])[0]


def window_rule(marked: MarkedSentence) -> bool:
    """The baseline: a denying word among the `WINDOW` words before the concept (NegEx's first idea)."""
    before = marked.sentence[: marked.begin].split()[-WINDOW:]
    return bool(DENIAL.search(" ".join(before)))


@dataclass(frozen=True, slots=True)
class AssertionReport:
    """Figures of the rules and of each system beside them, by name."""

    absent: dict[str, PrecisionRecall]
    accuracy: dict[str, float]
    intervals: dict[str, Interval]
    """Accuracy of the rules minus that of each other system."""
    temporality: float
    experiencer: float
    sentences_per_second: float
    sentences: int

    def json(self) -> dict[str, Any]:
        """The figures to keep."""
        return {
            "absent": asdict(self.absent["aspectra"]),
            "accuracy": self.accuracy["aspectra"],
            "temporality": {"accuracy": self.temporality},
            "experiencer": {"accuracy": self.experiencer},
            "sentences_per_second": self.sentences_per_second,
            "sentences": self.sentences,
            "baselines": {
                name: {
                    "absent": asdict(self.absent[name]),
                    "accuracy": self.accuracy[name],
                    "interval": asdict(interval),
                }
                for name, interval in self.intervals.items()
            },
        }


Rule = Callable[[Sequence[MarkedSentence]], Iterator[bool]]


def evaluate(sentences: Sequence[MarkedSentence], others: Mapping[str, Rule]) -> AssertionReport:
    """Judge ``sentences`` by our rules, by the window rule, and by ``others``."""
    judge(sentences[0])  # the table is read once, and not while the clock runs
    began = time.perf_counter()
    judged = [judge(s) for s in sentences]
    seconds = time.perf_counter() - began
    said = {"aspectra": [j.assertion == "absent" for j in judged], "window": [window_rule(s) for s in sentences]}
    said |= {name: list(rule(sentences)) for name, rule in others.items()}
    gold = [s.negated for s in sentences]
    right = {name: [float(a == b) for a, b in zip(found, gold, strict=True)] for name, found in said.items()}
    return AssertionReport(
        absent={name: precision_recall(found, gold) for name, found in said.items()},
        accuracy={name: _mean(hits) for name, hits in right.items()},
        intervals={n: paired_bootstrap(right["aspectra"], hits) for n, hits in right.items() if n != "aspectra"},
        temporality=_mean([j.temporality == s.temporality for j, s in zip(judged, sentences, strict=True)]),
        experiencer=_mean([(j.experiencer == "patient") == s.patient for j, s in zip(judged, sentences, strict=True)]),
        sentences_per_second=len(sentences) / seconds,
        sentences=len(sentences),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
