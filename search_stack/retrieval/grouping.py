"""Passages to groups, and the engine's buckets to facets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from search_stack.core.schema import Hit, Scores
from search_stack.retrieval.answer import Group, Key, Scope

HITS_IN_GROUP: Mapping[Scope, int] = {"passage": 1, "note": 3, "patient": 3}


def grouped(order: Sequence[str], groups: Mapping[str, Mapping[Scope, Key]], scope: Scope) -> dict[Key, list[str]]:
    """Ids of ``order`` by what they are listed under in ``scope``, groups in the order of their best."""
    out: dict[Key, list[str]] = {}
    for i in order:
        out.setdefault(groups[i][scope], []).append(i)
    return out


def group_of(
    scope: Scope, ids: Sequence[str], more: int, hits: Mapping[str, Hit], scores: Mapping[str, Scores]
) -> Group | None:
    """The passages ``ids`` of a group, without those deleted meanwhile, that has ``more``; None without any."""
    shown = tuple(_with_scores(hits[i], scores[i]) for i in ids if i in hits)
    return Group(named(scope, shown[0]), shown, more) if shown else None


def named(scope: Scope, hit: Hit) -> str:
    """What a group of the scope is called."""
    return {"passage": hit.passage_id, "note": str(hit.note_key), "patient": hit.patient_id}[scope]


def _with_scores(hit: Hit, scores: Scores) -> Hit:
    matched = hit.matched
    if not matched:
        matched = "some words" if scores.bm25 else "meaning"
    return replace(hit, scores=scores, matched=matched)
