"""Each measure against figures worked out by hand, and all of them against ir_measures."""

from __future__ import annotations

import random
from math import log2

import ir_measures
import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.measures import GRADED, NDCG, STANDARD, AveragePrecision, Recall, ReciprocalRank, parse
from search_stack.evaluation.rankings import evaluate, mean

# Relevant: b (1), d (3) and x (2), which the system did not find; c is judged not relevant.
RELEVANT = {"b": 1, "c": 0, "d": 3, "x": 2}
RANKING = ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("R@1", 0.0),
        ("R@2", 1 / 3),
        ("R@4", 2 / 3),
        ("R@100", 2 / 3),
        ("P@2", 1 / 2),
        ("P@10", 2 / 10),
        ("P(rel=2)@4", 1 / 4),
        ("Success(rel=2)@3", 0.0),
        ("Success(rel=2)@4", 1.0),
        # One was judged wrong: before d, not before b; x was not found.
        ("Bpref", (1 + 0 + 0) / 3),
        ("MRR", 1 / 2),
        ("MAP", (1 / 2 + 2 / 4) / 3),
        ("nDCG@1", 0.0),
        ("nDCG@2", (1 / log2(3)) / (3 + 2 / log2(3))),
        ("nDCG@10", (1 / log2(3) + 3 / log2(5)) / (3 + 2 / log2(3) + 1 / log2(4))),
    ],
)
def test_a_measure_gives_the_figure_worked_out_by_hand(name: str, expected: float) -> None:
    assert parse(name).per_query(RANKING, RELEVANT) == pytest.approx(expected)


@pytest.mark.parametrize("measure", STANDARD, ids=lambda m: m.name)
def test_an_empty_ranking_scores_0_and_the_only_relevant_first_scores_1(measure: Recall) -> None:
    assert measure.per_query([], {"a": 1}) == 0
    assert measure.per_query(["a", "b"], {"a": 1}) == 1


def test_recall_at_k_is_success_at_k_for_one_relevant() -> None:
    assert [Recall(k).per_query(["a", "b", "c"], {"c": 1}) for k in (1, 2, 3)] == [0, 0, 1]


def test_a_measure_is_a_value_that_its_name_gives_back() -> None:
    assert [m.name for m in STANDARD] == ["R@1", "R@5", "R@10", "MRR", "MAP", "nDCG@10", "Success@1"]
    assert tuple(parse(m.name) for m in STANDARD) == STANDARD
    assert {parse("R@5"): "kept"}[Recall(5)] == "kept"
    assert (parse("MRR"), parse("MAP"), parse("nDCG@3")) == (ReciprocalRank(), AveragePrecision(), NDCG(3))


@pytest.mark.parametrize(
    "name",
    ["", "R", "R@", "R@x", "R@-1", "R@1.5", "ndcg@10", "MRR@10", "P", "R(rel=2)@5", "P(rel=0)@5", "R@5 ", "R@\u0665"],
)
def test_an_unknown_name_is_refused_by_name(name: str) -> None:
    with pytest.raises(AspectraError, match="Unknown measure") as e:
        parse(name)
    assert repr(name) in e.value.message
    assert "nDCG@k" in e.value.remedy


@pytest.mark.parametrize("name", ["R@0", "nDCG@0"])
def test_a_cutoff_below_1_is_refused(name: str) -> None:
    with pytest.raises(AspectraError, match=f"Measure {name}: the cutoff"):
        parse(name)


@pytest.mark.parametrize("measure", STANDARD, ids=lambda m: m.name)
@pytest.mark.parametrize("relevant", [{}, {"a": 0}])
def test_a_query_without_relevant_passages_is_an_error(measure: Recall, relevant: dict[str, int]) -> None:
    with pytest.raises(AspectraError, match="No passage is judged relevant"):
        measure.per_query(["a"], relevant)


@pytest.mark.parametrize("seed", range(5))
def test_random_runs_score_as_in_ir_measures(seed: int) -> None:
    rng = random.Random(seed)
    passages = [f"p{n}" for n in range(40)]
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, list[tuple[str, float]]] = {}
    for number in range(50):
        query = f"q{number}"
        qrels[query] = {p: rng.choice([0, 0, 1, 2, 3]) for p in rng.sample(passages, rng.randint(1, 12))}
        qrels[query][rng.choice(passages)] = rng.randint(1, 3)
        retrieved = rng.sample(passages, rng.randint(1, 30))
        scores = rng.sample(range(-500, 500), len(retrieved))  # distinct: ties are ordered otherwise there
        if number % 10:  # every tenth query is missing from the run
            run[query] = list(zip(retrieved, map(float, scores), strict=True))

    theirs_by_name = {"MRR": "RR", "MAP": "AP"}
    ours = evaluate(run, qrels, {*STANDARD, *GRADED})
    their_run = {query: dict(scored) for query, scored in run.items()}
    for measure, by_query in ours.items():
        theirs = ir_measures.parse_measure(theirs_by_name.get(measure.name, measure.name))
        expected = {m.query_id: m.value for m in ir_measures.iter_calc([theirs], qrels, their_run)}
        assert by_query == pytest.approx(expected, abs=1e-9)
        assert mean(by_query) == pytest.approx(ir_measures.calc_aggregate([theirs], qrels, their_run)[theirs])
