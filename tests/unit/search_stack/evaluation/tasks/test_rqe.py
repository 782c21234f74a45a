"""Entailed questions told by a threshold: cases worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.question_pairs import QuestionPair
from search_stack.evaluation.tasks.rqe import Learnt, best_threshold, learn, overlap, report


def pair(long: str, short: str, entailed: bool) -> QuestionPair:
    return QuestionPair(long, short, entailed)


def test_the_threshold_calls_most_right_and_never_parts_equal_values() -> None:
    assert best_threshold(np.array([0.1, 0.4, 0.2, 0.8]), np.array([False, True, False, True])) == pytest.approx(0.3)
    # Two of 0.5, one of each kind: nothing between them.
    values, entailed = np.array([0.5, 0.5, 0.9, 0.1]), np.array([False, True, True, False])
    assert best_threshold(values, entailed) == pytest.approx(0.3)
    assert best_threshold(np.array([1.0, 2.0]), np.array([True, True])) < 1


def test_learnt_is_from_pairs_of_two_questions() -> None:
    pairs = [pair("a b", "a", True), pair("a b", "c", False), pair("d", "e", False), *[pair("s", "s", True)] * 9]
    learnt = learn(pairs, {"overlap": overlap(pairs)}, "one", "other")
    assert not learnt.majority
    assert (learnt.thresholds, learnt.best) == ({"overlap": 0.5}, "overlap")
    with pytest.raises(AspectraError, match="all of one kind"):
        learn(pairs[1:3], {"overlap": overlap(pairs[1:3])}, "one", "other")


def test_accuracy_stands_beside_what_most_pairs_are() -> None:
    pairs = [pair("gout pain", "what is gout", True), pair("gout pain", "what is flu", False)] * 2
    learnt = Learnt(encoder="", reranker="", majority=False, thresholds={"overlap": 0.2}, best="overlap")
    found = report(pairs, {"overlap": overlap(pairs)}, learnt)
    assert (found.pairs, found.entailed) == (4, 0.5)
    assert found.json()["accuracy"] == 1.0
    assert {name: s.value for name, s in found.systems.items()} == {"majority": 0.5, "overlap": 1.0}
    # All pairs are of one long question, which alone tells nothing of chance.
    told = found.intervals["overlap"]
    assert told is not None
    assert (told.mean_difference, told.significant) == (0.5, False)


def test_the_shipped_thresholds_are_of_these_systems() -> None:
    assert set(Learnt.shipped().thresholds) == {"overlap", "cosine", "cross-encoder"}
