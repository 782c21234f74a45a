"""Passages to groups, and the engine's buckets to facets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from search_stack.core.schema import Hit, Scores
from search_stack.retrieval.answer import Group, Scope

HITS_IN_GROUP = 3


Key = str | int


def grouped(order: Sequence[str], groups: Mapping[str, tuple[int, int]], scope: Scope) -> list[tuple[Key, list[str]]]:
    """Ids of ``order`` by passage, or by the number of their note or patient, groups in the order of their best."""
    out: dict[Key, list[str]] = {}
    for i in order:
        keys: dict[Scope, Key] = {"passage": i, "note": groups[i][0], "patient": groups[i][1]}
        out.setdefault(keys[scope], []).append(i)
    return list(out.items())


def group_of(scope: Scope, ids: Sequence[str], hits: Mapping[str, Hit], scores: Mapping[str, Scores]) -> Group | None:
    """The first of a group's passages, without those deleted meanwhile, and how many more it has; None without any."""
    shown = tuple(_with_scores(hits[i], scores[i]) for i in ids[:HITS_IN_GROUP] if i in hits)
    return Group(named(scope, shown[0]), shown, max(0, len(ids) - HITS_IN_GROUP)) if shown else None


def named(scope: Scope, hit: Hit) -> str:
    """What a group of the scope is called."""
    return {"passage": hit.passage_id, "note": str(hit.note_key), "patient": hit.patient_id}[scope]


def _with_scores(hit: Hit, scores: Scores) -> Hit:
    matched = hit.matched
    if not matched:
        matched = "some words" if scores.bm25 else "meaning"
    return replace(hit, scores=scores, matched=matched)
