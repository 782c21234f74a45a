"""A search kept to collections: whatever a body holds, its query and each k-NN clause are kept to them."""

from __future__ import annotations

import pytest

from search_stack.core.reach import EVERYTHING, NOTHING, Reach
from search_stack.index.fence import fenced

REACH = Reach(frozenset({"b", "a"}))
INSIDE = {"terms": {"collection": ["a", "b"]}}


def test_a_query_keeps_its_score_and_aggregations_see_what_it_finds() -> None:
    body = {"size": 3, "query": {"match": {"text": "x"}}, "aggs": {"n": {"terms": {"field": "global"}}}}
    kept = fenced(body, REACH)
    assert kept["query"] == {"bool": {"must": [body["query"]], "filter": [INSIDE]}}
    assert {name: kept[name] for name in ("size", "aggs")} == {name: body[name] for name in ("size", "aggs")}
    assert fenced(body, EVERYTHING) == body


def test_a_body_without_a_query_is_kept_too() -> None:
    assert fenced({"size": 0}, REACH)["query"]["bool"]["filter"] == [INSIDE]
    assert fenced({"size": 0}, NOTHING)["query"]["bool"]["filter"] == [{"terms": {"collection": []}}]


def test_neighbours_are_looked_for_among_those_inside() -> None:
    own = {"term": {"aspect": "plan"}}
    plain = {"knn": {"vector": {"vector": [1.0], "k": 5}}}
    filtered = {"knn": {"vector": {"vector": [1.0], "k": 5, "filter": own}}}
    kept = fenced({"query": {"hybrid": {"queries": [plain, filtered]}}}, REACH)
    first, second = kept["query"]["bool"]["must"][0]["hybrid"]["queries"]
    assert first["knn"]["vector"] == {"vector": [1.0], "k": 5, "filter": {"bool": {"filter": [INSIDE]}}}
    assert second["knn"]["vector"]["filter"] == {"bool": {"filter": [INSIDE, own]}}


@pytest.mark.parametrize(
    "beyond",
    [{"suggest": {}}, {"rescore": {}}, {"aggs": {"all": {"global": {}}}}, {"aggs": {"x": {"aggs": [{"global": {}}]}}}],
)
def test_what_looks_past_the_query_is_refused(beyond: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="cannot be kept"):
        fenced({"query": {"match_all": {}}, **beyond}, REACH)
    assert fenced(beyond, EVERYTHING) == beyond
