"""How well an index's passages are ranked for judged queries: what the product shows, beside BM25."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from search_stack.cohorts.plan import Plan
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Hit
from search_stack.evaluation.datasets.judgments import GRADES, Judgment, Place, judged_ids, pairs
from search_stack.evaluation.measures import GRADED, NDCG, Measure, Precision
from search_stack.evaluation.rankings import Rankings, mean
from search_stack.evaluation.report import RetrievalReport, retrieval_report
from search_stack.index.engine import Engine
from search_stack.query.tree import QueryError
from search_stack.retrieval.answer import Answer
from search_stack.retrieval.reading import by_words, fetch, notes_there
from search_stack.retrieval.searcher import Searcher
from search_stack.retrieval.stages import Ranked
from search_stack.review.agreement import Kappa, kappa

DEPTH = 20
"""Passages of each system that are looked at."""
CONDENSED: tuple[Measure, ...] = (Precision(10, 2), Precision(10), NDCG(10))
"""Measures that are worked out again without the passages that nobody judged."""
Progress = Callable[[str, int, int], None]
Found = Mapping[str, Mapping[str, Sequence[Place]]]
"""By system and query, the passages best first."""


@dataclass(frozen=True, slots=True)
class JudgmentsReport:
    """``unjudged``: by system, the share of the first ten that nobody judged, which counts as wrong in ``whole`` and is
    passed over in ``condensed`` (Sakai, "Alternatives to Bpref", SIGIR 2007)."""

    whole: RetrievalReport
    condensed: RetrievalReport
    unjudged: Mapping[str, float]
    kinds: Mapping[str, Mapping[str, float]]
    """By kind of query and system, nDCG@10."""
    each: Mapping[str, int]
    """Queries of each kind."""
    refused: Sequence[str]
    """Queries that the product could not read."""
    unanswerable: int
    """Queries without a passage of any worth; they are left out."""
    missing: int
    """Judged notes that the index does not hold."""
    agreement: Kappa | None
    read_twice: int

    def json(self) -> dict[str, Any]:
        """The figures to keep."""
        k = self.agreement
        return {
            **self.whole.json(),
            "condensed": self.condensed.json(),
            "unjudged": dict(self.unjudged),
            "kinds": {kind: dict(by_system) for kind, by_system in self.kinds.items()},
            "refused": len(self.refused),
            "unanswerable": self.unanswerable,
            "missing_notes": self.missing,
            "kappa": {"value": k.value, "low": k.low, "high": k.high, "read_twice": self.read_twice} if k else None,
        }


def evaluate(judgments: Sequence[Judgment], searcher: Searcher, engine: Engine, progress: Progress) -> JudgmentsReport:
    """Ask the judged queries of the index that ``searcher`` and ``engine`` stand for: the engine's BM25 over the words
    as typed, the vectors alone, both fused (what a page shows first), and the default.

    Raises:
        AspectraError: the index holds none of the judged notes, or no query has an answer among them.
    """
    there = notes_there(engine, sorted({j.note for j in judgments}))
    if not there:
        raise AspectraError("The index holds none of the judged notes.", "Ingest them first: aspectra ingest PATH")
    first: dict[str, dict[str, list[Judgment]]] = defaultdict(lambda: defaultdict(list))
    kinds: dict[str, str] = {}
    for j in judgments:
        if j.reading == 1 and j.note in there:
            first[j.query][j.note].append(j)
            kinds[j.query] = j.kind
    asked = {q: notes for q, notes in first.items() if any(j.grade for own in notes.values() for j in own)}
    if not asked:
        raise AspectraError("No query has an answer among the judged passages.", "Judge more: aspectra judge.")
    refused: list[str] = []
    found: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for number, (query, judged) in enumerate(asked.items(), 1):
        for system, places in _answered(searcher, engine, query, refused):
            found[system][query] = judged_ids(places, judged)
        progress("queries asked", number, len(asked))
    qrels = {
        q: {str(Place(j.note, j.begin, j.end)): j.grade for own in notes.values() for j in own}
        for q, notes in asked.items()
    }
    whole = retrieval_report(_ranked(found), qrels, GRADED)
    only = {s: {q: [i for i in ids if i in qrels[q]] for q, ids in by.items()} for s, by in found.items()}
    of_kind: dict[str, list[str]] = defaultdict(list)
    for query in asked:
        of_kind[kinds[query]].append(query)
    twice = list(pairs(judgments))
    return JudgmentsReport(
        whole=whole,
        condensed=retrieval_report(_ranked(only), qrels, CONDENSED),
        unjudged={s: _unjudged(by, qrels) for s, by in found.items()},
        kinds={
            kind: {s: mean({q: values[NDCG(10)][q] for q in queries}) for s, values in whole.per_query.items()}
            for kind, queries in sorted(of_kind.items())
        },
        each={kind: len(queries) for kind, queries in of_kind.items()},
        refused=refused,
        unanswerable=len(first) - len(asked),
        missing=len({j.note for j in judgments} - there),
        agreement=kappa(_table(twice)) if twice else None,
        read_twice=len(twice),
    )


def systems(searcher: Searcher, engine: Engine, query: str, depth: int) -> Iterator[tuple[str, Sequence[Hit]]]:
    """What each system shows first for ``query``: by BM25 over the words as typed, by vectors alone, by both fused, by
    default.

    Raises:
        QueryError: the product cannot read it; BM25 has answered.
    """
    yield "bm25", by_words(engine, query, depth)
    asked = searcher.looked_for(query)
    hybrid, default = (
        searcher.search(asked.query, size=depth, rerank=rerank, words=asked.words) for rerank in (False, True)
    )
    plan = searcher.plan(asked.query, asked.words)
    yield "vectors", _fetched(engine, plan, searcher.ranker.first_stage(plan, depth)[0].knn)
    yield "hybrid", _shown(hybrid)
    yield "default", _shown(default)


def pooled(searcher: Searcher, engine: Engine, query: str, depth: int) -> list[Hit]:
    """The passages that any of six systems shows first: `systems`, BM25 of the query as understood, and the default
    ranked by the names of its concepts.

    Raises:
        QueryError: the product cannot read it.
    """
    found = [hit for _, hits in systems(searcher, engine, query, depth) for hit in hits]
    asked = searcher.looked_for(query)
    plan = searcher.plan(asked.query, asked.words)
    found += _fetched(engine, plan, searcher.ranker.first_stage(plan, depth)[0].bm25)
    found += _shown(searcher.search(asked.query, size=depth))
    return list({hit.passage_id: hit for hit in found}.values())


def _answered(searcher: Searcher, engine: Engine, query: str, refused: list[str]) -> Iterator[tuple[str, list[Place]]]:
    try:
        for system, hits in systems(searcher, engine, query, DEPTH):
            yield system, [_place(hit) for hit in hits]
    except QueryError:
        refused.append(query)


def _fetched(engine: Engine, plan: Plan, ranked: Ranked) -> list[Hit]:
    hits = fetch(engine, plan, [i for i, _ in ranked])
    return [hits[i] for i, _ in ranked if i in hits]


def _place(hit: Hit) -> Place:
    return Place(hit.note_id, hit.begin, hit.end)


def _shown(answer: Answer) -> list[Hit]:
    return [g.hits[0] for g in answer.groups]


def _ranked(found: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, Rankings]:
    """With a score for each place, as `retrieval_report` takes them."""
    return {
        system: {q: [(i, -float(n)) for n, i in enumerate(ids)] for q, ids in by_query.items()}
        for system, by_query in found.items()
    }


def _unjudged(by_query: Mapping[str, Sequence[str]], qrels: Mapping[str, Mapping[str, int]]) -> float:
    shown = [(q, i) for q, ids in by_query.items() for i in ids[:10]]
    return sum(i not in qrels[q] for q, i in shown) / len(shown) if shown else 0.0


def _table(twice: Sequence[tuple[Judgment, Judgment]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """(3, 3): how often the two readers gave which grades."""
    table = np.zeros((len(GRADES), len(GRADES)))
    for one, other in twice:
        table[one.grade, other.grade] += 1
    return table
