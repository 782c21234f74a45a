"""Order of a ranking, and which queries count."""

from __future__ import annotations

import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.measures import parse
from search_stack.evaluation.rankings import evaluate, mean, ranking

R1, MRR = parse("R@1"), parse("MRR")


def test_higher_scores_come_first_and_ties_go_by_passage_id() -> None:
    assert ranking([("c", 1.0), ("b", 2.0), ("a", 1.0), ("d", 3.0)]) == ["d", "b", "a", "c"]


def test_the_order_in_which_a_system_lists_ties_changes_nothing() -> None:
    scored = [("10", 0.5), ("9", 0.5), ("a", 0.5)]
    assert ranking(scored) == ranking(scored[::-1]) == ["10", "9", "a"]


def test_a_passage_twice_and_a_score_that_is_no_number_are_errors() -> None:
    with pytest.raises(AspectraError, match="Passage a is in the ranking twice"):
        ranking([("a", 1.0), ("a", 0.5)])
    with pytest.raises(AspectraError, match="Passage b has a score that is not a number"):
        ranking([("a", 1.0), ("b", float("nan"))])


def test_values_come_by_measure_and_query() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    run = {"q1": [("b", 0.1), ("a", 0.9)], "q2": [("b", 0.9), ("a", 0.1)]}
    assert evaluate(run, qrels, [R1, MRR]) == {R1: {"q1": 1.0, "q2": 0.0}, MRR: {"q1": 1.0, "q2": 0.5}}


def test_a_query_missing_from_the_run_scores_0_and_stays_in_the_mean() -> None:
    values = evaluate({"q1": [("a", 1.0)], "q3": []}, {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}, [R1])[R1]
    assert values == {"q1": 1.0, "q2": 0.0, "q3": 0.0}
    assert mean(values) == pytest.approx(1 / 3)


def test_a_query_that_is_not_judged_does_not_count() -> None:
    assert evaluate({"q1": [("a", 1.0)], "other": [("a", 1.0)]}, {"q1": {"a": 1}}, [R1]) == {R1: {"q1": 1.0}}


def test_an_error_names_the_query() -> None:
    with pytest.raises(AspectraError, match="Query q2: No passage is judged relevant"):
        evaluate({}, {"q1": {"a": 1}, "q2": {"a": 0}}, [R1])
    with pytest.raises(AspectraError, match="Query q1: Passage a is in the ranking twice"):
        evaluate({"q1": [("a", 1.0), ("a", 1.0)]}, {"q1": {"a": 1}}, [R1])


def test_no_queries_is_an_error_and_not_a_mean_of_nothing() -> None:
    with pytest.raises(AspectraError, match="no query"):
        evaluate({"q1": [("a", 1.0)]}, {}, [R1])
    with pytest.raises(AspectraError, match="No mean"):
        mean({})
