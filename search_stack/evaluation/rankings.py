"""Rankings, relevance judgements, and what the one scores against the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, isnan
from typing import TypeAlias

from search_stack.core.errors import AspectraError
from search_stack.evaluation.measures import Measure

Qrels: TypeAlias = Mapping[str, Mapping[str, int]]
"""By query id, then passage id: the relevance, where above 0 is relevant."""

Rankings: TypeAlias = Mapping[str, Sequence[tuple[str, float]]]
"""Of one system, by query id: (passage id, score), in any order; a higher score is better. TREC calls it a run."""


Values: TypeAlias = Mapping[Measure, Mapping[str, float]]
"""By measure, then query id: the value."""


def ranking(scored: Iterable[tuple[str, float]]) -> list[str]:
    """Passage ids, best first; the one place where order is decided.

    Equal scores are ordered by passage id, ascending as strings, so that the order in which
    a system happened to list its passages never changes a figure. trec_eval, and so
    ir_measures, orders ties the other way round: figures agree where scores are distinct.

    Raises:
        AspectraError: a passage is there twice, or its score is not a number.
    """
    ordered = list(scored)
    seen: set[str] = set()
    for passage, score in ordered:
        if passage in seen:
            raise AspectraError(f"Passage {passage} is in the ranking twice.", "Keep its best score only.")
        if isnan(score):
            raise AspectraError(f"Passage {passage} has a score that is not a number.", "Mend the system that gave it.")
        seen.add(passage)
    return [passage for passage, score in sorted(ordered, key=lambda one: (-one[1], one[0]))]


def evaluate(rankings: Rankings, qrels: Qrels, measures: Iterable[Measure]) -> dict[Measure, dict[str, float]]:
    """Value of each measure for each query of ``qrels``, in the order of ``qrels``.

    A query that is missing from the rankings scores 0; a query that only they have is not
    judged and does not count.

    Raises:
        AspectraError: there are no queries, a query has no relevant passage, or a
            ranking holds a passage twice or a score that is not a number; the message names the query.
    """
    if not qrels:
        raise AspectraError("The relevance judgements hold no query.", "Give qrels with at least one query.")
    values: dict[Measure, dict[str, float]] = {measure: {} for measure in measures}
    for query, relevant in qrels.items():
        try:
            ranked = ranking(rankings.get(query, ()))
            for measure, by_query in values.items():
                by_query[query] = measure.per_query(ranked, relevant)
        except AspectraError as e:
            raise AspectraError(f"Query {query}: {e.message}", e.remedy) from e
    return values


def mean(by_query: Mapping[str, float]) -> float:
    """Mean of one measure over its queries.

    Raises:
        AspectraError: there are no queries.
    """
    if not by_query:
        raise AspectraError("No mean without queries.", "Give qrels with at least one query.")
    return fsum(by_query.values()) / len(by_query)
