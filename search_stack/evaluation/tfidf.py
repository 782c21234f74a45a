"""TF-IDF, the plainest of baselines: the cosine of two texts' weighed words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from search_stack.retrieval.stages import Ranked

_WORD = re.compile(r"\w+")


class TfIdf:
    """Passages by the cosine of their words' weights with the query's: ``(1 + ln tf)(1 + ln(N / df))`` ("ltc.ltc" of
    Salton & Buckley, 1988, smoothed), N the passages and df those that hold the word. Words in small letters, whole and
    without stemming.

    Args:
        texts: all passages, by id.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        counts = {name: Counter(_words(text)) for name, text in texts.items()}
        held = Counter(word for found in counts.values() for word in found)
        self._idf = {word: 1.0 + math.log(len(texts) / times) for word, times in held.items()}
        self._weights = {name: self._weighed(found) for name, found in counts.items()}

    def ranked(self, query: str, among: Iterable[str], depth: int) -> Ranked:
        """The first ``depth`` of the passages ``among``, best first, with their cosines; what shares no word with
        ``query`` has 0. Equal ones are ordered by id."""
        asked = self._weighed(Counter(_words(query)))
        scores = {name: self._dot(asked, self._weights[name]) for name in among}
        return sorted(scores.items(), key=lambda one: (-one[1], one[0]))[:depth]

    def _weighed(self, counts: Mapping[str, int]) -> dict[str, float]:
        """Weights of length 1; words that no passage holds have none."""
        known = {w: (1.0 + math.log(n)) * self._idf[w] for w, n in counts.items() if w in self._idf}
        length = math.sqrt(sum(w * w for w in known.values())) or 1.0
        return {word: weight / length for word, weight in known.items()}

    @staticmethod
    def _dot(asked: Mapping[str, float], passage: Mapping[str, float]) -> float:
        return sum(weight * passage.get(word, 0.0) for word, weight in asked.items())


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
