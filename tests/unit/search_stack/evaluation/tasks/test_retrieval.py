from __future__ import annotations

import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.candidates import Candidates
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Query
from search_stack.evaluation.tasks.retrieval import sample


def data(count: int) -> EntityAspectData:
    return EntityAspectData("d", (), tuple(Query(f"q{n}", "?", "", "", "", ("p",)) for n in range(count)))


@pytest.mark.parametrize(("text", "depth"), [("bm25:2", 2), ("bm25:64", 64), ("bm25:500", 500), ("corpus", 0)])
def test_candidates(text: str, depth: int) -> None:
    assert Candidates.parse(text) == Candidates(depth)


@pytest.mark.parametrize(
    "text", ["", "bm25", "bm25:", "bm25:1", "bm25:501", "bm25:-4", "bm25:6.4", "BM25:64", "corpus "]
)
def test_unknown_candidates(text: str) -> None:
    with pytest.raises(AspectraError) as caught:
        Candidates.parse(text)
    assert caught.value.message == f"--candidates {text!r} is not known."
    assert "bm25:64" in caught.value.remedy


def test_a_sample_is_the_same_each_time_and_in_order() -> None:
    first, second = sample(data(200), 20), sample(data(200), 20)
    assert first == second
    numbers = [int(q.id[1:]) for q in first]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 20
    assert numbers != list(range(20))


@pytest.mark.parametrize("limit", [None, 5, 6])
def test_all_where_there_are_no_more(limit: int | None) -> None:
    assert sample(data(5), limit) == data(5).queries
