"""A search kept to some collections. Pure: bodies in, bodies out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from search_stack.core.reach import Reach

_BEYOND = frozenset(("suggest", "rescore", "collapse", "knn", "ext"))
"""Parts of a body that look at documents its query leaves out, or might."""


def fenced(body: Mapping[str, Any], reach: Reach) -> dict[str, Any]:
    """``body``, so that it finds and counts nothing outside ``reach``; scores stay as they are.

    Aggregations see what the query finds. k-NN searches among what it may find, so that what is outside takes no place
    among the nearest.

    Raises:
        ValueError: ``body`` has a part that no query restrains.
    """
    if reach.collections is None:
        return dict(body)
    if beyond := _BEYOND.intersection(body) or ({"global"} if _looks_at_all(body) else ()):
        raise ValueError(f"a search with {', '.join(beyond)} cannot be kept to a collection")
    inside = {"terms": {"collection": sorted(reach.collections)}}
    query = body.get("query") or {"match_all": {}}
    return {**body, "query": {"bool": {"must": [_near(query, inside)], "filter": [inside]}}}


def _near(query: Any, inside: Mapping[str, Any]) -> Any:
    """``query`` with the filter in each k-NN clause too."""
    if isinstance(query, Mapping):
        return {k: _among(v, inside) if k == "knn" else _near(v, inside) for k, v in query.items()}
    return [_near(part, inside) for part in query] if isinstance(query, list) else query


def _among(knn: Mapping[str, Any], inside: Mapping[str, Any]) -> dict[str, Any]:
    """``knn``: what is asked by field."""
    own = {field: [asked["filter"]] if "filter" in asked else [] for field, asked in knn.items()}
    return {f: {**asked, "filter": {"bool": {"filter": [inside, *own[f]]}}} for f, asked in knn.items()}


def _looks_at_all(part: Any) -> bool:
    """Whether an aggregation leaves the query out of account."""
    if isinstance(part, Mapping):
        return part.get("global") == {} or any(map(_looks_at_all, part.values()))
    return isinstance(part, list) and any(map(_looks_at_all, part))
