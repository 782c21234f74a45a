from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.retrieval.fusion import reciprocal_rank_fusion

RANKINGS = st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), max_size=4)


def test_sums_of_reciprocal_ranks() -> None:
    fused = dict(reciprocal_rank_fusion([["a", "b"], ["b"]]))
    assert fused["a"] == pytest.approx(1 / 61)
    assert fused["b"] == pytest.approx(1 / 62 + 1 / 61)


def test_equal_sums_are_in_order_of_id() -> None:
    assert [i for i, _ in reciprocal_rank_fusion([["b"], ["a"]])] == ["a", "b"]


def test_nothing_gives_nothing() -> None:
    assert reciprocal_rank_fusion([]) == []
    assert reciprocal_rank_fusion([[], []]) == []


@given(RANKINGS)
def test_every_item_is_there_once_best_first(rankings: list[list[str]]) -> None:
    fused = reciprocal_rank_fusion(rankings)
    assert sorted(i for i, _ in fused) == sorted({i for r in rankings for i in r})
    scores = [s for _, s in fused]
    assert scores == sorted(scores, reverse=True)


@given(st.lists(st.sampled_from("abcdefgh"), unique=True))
def test_one_ranking_keeps_its_order(ranking: list[str]) -> None:
    assert [i for i, _ in reciprocal_rank_fusion([ranking, []])] == ranking


@given(RANKINGS)
def test_the_order_of_the_rankings_does_not_matter(rankings: list[list[str]]) -> None:
    forward, backward = dict(reciprocal_rank_fusion(rankings)), dict(reciprocal_rank_fusion(rankings[::-1]))
    assert forward == pytest.approx(backward)
