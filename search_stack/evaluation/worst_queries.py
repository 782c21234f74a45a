"""The worst queries of a system, with what it and the baseline put first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from search_stack.evaluation.datasets.entity_aspect import Query
from search_stack.evaluation.rankings import Qrels, Rankings, ranking

SHOWN = 5
"""Passages of each ranking."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A passage in a ranking."""

    rank: int
    id: str
    text: str
    right: bool


@dataclass(frozen=True, slots=True)
class WorstQuery:
    """A query, and by system the rank of its first answer (None: not found) and the first passages."""

    query: Query
    answered: Mapping[str, int | None]
    first: Mapping[str, Sequence[Placed]]


def worst_queries(
    systems: Mapping[str, Rankings],
    compared: tuple[str, str],
    qrels: Qrels,
    queries: Sequence[Query],
    texts: Mapping[str, str],
    most: int = 50,
) -> list[WorstQuery]:
    """Queries whose first answer stands lowest in the first of ``compared``, those first that the second does best;
    none that has it on top."""
    found = []
    for query in queries:
        ranked = {s: ranking(systems[s].get(query.id, ())) for s in compared}
        right = {p for p, relevance in qrels[query.id].items() if relevance > 0}
        answered = {s: _first(ids, right) for s, ids in ranked.items()}
        if answered[compared[0]] != 1:
            first = {
                s: [Placed(n, i, texts[i], i in right) for n, i in enumerate(ids[:SHOWN], 1)]
                for s, ids in ranked.items()
            }
            found.append(WorstQuery(query, answered, first))
    last = 1 << 30
    found.sort(key=lambda w: (-(w.answered[compared[0]] or last), w.answered[compared[1]] or last, w.query.id))
    return found[:most]


def _first(ids: Sequence[str], right: set[str]) -> int | None:
    return next((n for n, i in enumerate(ids, 1) if i in right), None)
