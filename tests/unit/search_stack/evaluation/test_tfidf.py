from __future__ import annotations

import math

import pytest

from search_stack.evaluation.tfidf import TfIdf

TEXTS = {"a": "Gout hurts, gout.", "b": "Fever hurts.", "c": "Rest"}


def test_scores_are_cosines_of_weighed_words() -> None:
    hurts, rare = 1 + math.log(3 / 2), 1 + math.log(3)
    gout = (1 + math.log(2)) * rare
    by_hand = (rare * gout + hurts * hurts) / (math.hypot(rare, hurts) * math.hypot(gout, hurts))
    found = TfIdf(TEXTS).ranked("gout hurts unheard", TEXTS, 3)
    assert [name for name, _ in found] == ["a", "b", "c"]
    assert found[0][1] == pytest.approx(by_hand)
    assert found[1][1] == pytest.approx(hurts * hurts / (math.hypot(rare, hurts) * math.hypot(rare, hurts)))
    assert found[2][1] == 0


def test_only_the_candidates_are_ranked_and_equal_ones_by_id() -> None:
    index = TfIdf(TEXTS)
    assert index.ranked("gout", ["c", "b"], 5) == [("b", 0.0), ("c", 0.0)]
    assert [name for name, _ in index.ranked("gout", TEXTS, 2)] == ["a", "b"]
    assert index.ranked("", ["a"], 5) == [("a", 0.0)]
