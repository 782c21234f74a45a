"""What a hit tells of how it was found."""

from __future__ import annotations

from search_stack.core.schema import Scores
from ui.hit_view import standings


def test_places_are_told_in_words_and_a_closer_reading_only_where_there_was_one() -> None:
    scores = Scores(bm25=3.7, bm25_rank=22, knn=None, knn_rank=None, hybrid=0.03, hybrid_rank=3)
    told = (("Words found", "22nd place"), ("Similar in meaning", "not among the first"), ("By both", "3rd place"))
    assert standings(scores) == told
    read = Scores(bm25_rank=22, hybrid_rank=3, cross=0.4, rerank=1.2, rerank_rank=1)
    assert standings(read) == (*told, ("After a closer reading", "1st place"))
