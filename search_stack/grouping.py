"""Passages to groups, and the engine's buckets to facets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from search_stack.answer import FacetValue, Group, Scope
from search_stack.schema import Hit, Scores

HITS_IN_GROUP = 3


def grouped(order: Sequence[str], groups: Mapping[str, tuple[str, str]], scope: Scope) -> list[tuple[str, list[str]]]:
    """Ids of ``order`` by passage, note or patient, groups in the order of their best."""
    out: dict[str, list[str]] = {}
    for i in order:
        key = {"passage": i, "note": groups[i][0], "patient": groups[i][1]}[scope]
        out.setdefault(key, []).append(i)
    return list(out.items())


def group_of(key: str, ids: Sequence[str], hits: Mapping[str, Hit], scores: Mapping[str, Scores]) -> Group:
    """The first of a group's passages, without those deleted meanwhile, and how many more it has."""
    shown = [_with_scores(hits[i], scores[i]) for i in ids[:HITS_IN_GROUP] if i in hits]
    return Group(key, tuple(shown), more=max(0, len(ids) - HITS_IN_GROUP))


def _with_scores(hit: Hit, scores: Scores) -> Hit:
    matched = hit.matched
    if not matched:
        matched = "some words" if scores.bm25 else "meaning"
    return replace(hit, scores=scores, matched=matched)


def assertions(responses: Sequence[Mapping[str, Any]]) -> dict[str, tuple[FacetValue, ...]]:
    """The facet "assertion", from its response; none where the query names no concept."""
    if not responses:
        return {}
    found = responses[0]["aggregations"]["assertion"]["buckets"]
    return {"assertion": tuple(FacetValue(a, b["doc_count"]) for a, b in found.items() if b["doc_count"])}


def facets(aggregations: Mapping[str, Any]) -> dict[str, tuple[FacetValue, ...]]:
    """Facets over all that matches, each with its most frequent values first."""
    return {
        name: tuple(
            FacetValue(str(b.get("key_as_string", b["key"])), b["doc_count"]) for b in aggregations[name]["buckets"]
        )
        for name in ("type", "section", "year")
    }
