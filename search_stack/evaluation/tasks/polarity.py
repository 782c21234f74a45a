"""How well reports are ranked for "finding present" and "finding absent", on the lexicon's own labels.

The protocol of lexicon-based radiology retrieval: the labels are what the rules found, so
the search that filters by them is no more than a check of the whole path; the others show
how far words and vectors alone tell "no effusion" from "effusion". A query is ``+name`` or
``-name``, of every concept with at least `FEWEST` reports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from opensearchpy import OpenSearch

from search_stack.cohorts.plan import Plan
from search_stack.core.settings import Settings
from search_stack.evaluation.datasets.coded_reports import CodedReport
from search_stack.evaluation.measures import Measure, Recall
from search_stack.evaluation.rankings import Qrels, Rankings
from search_stack.evaluation.report import RetrievalReport, retrieval_report
from search_stack.evaluation.tasks.findings import AP, DEEPEST, note_keys, passages_of, scored
from search_stack.evaluation.temporary_index import Progress, temporary_index
from search_stack.inference.models import Encoder
from search_stack.language.labeller import Labeller
from search_stack.query.nodes import Finding
from search_stack.query.understand import Understanding
from search_stack.retrieval.searcher import Searcher
from search_stack.retrieval.stages import Ranked

FEWEST = 5
"""Reports of a query, and of each side of a pair."""
MEASURES: tuple[Measure, ...] = (AP, Recall(10), Recall(100))
SIGNS = {"present": "+", "absent": "-"}
PARTS = {"Pos": "+", "Neg": "-", "All": "+-"}
"""Queries that are averaged over, by their signs."""


def labelled(reports: Sequence[CodedReport], labeller: Labeller) -> Qrels:
    """The reports of each query."""
    judged: dict[str, dict[str, int]] = {}
    for r in reports:
        for f in labeller.label(r.text).findings:
            if sign := SIGNS.get(f.assertion):
                for concept in labeller.lexicon.closure([f.concept]):
                    judged.setdefault(sign + labeller.lexicon.concepts[concept].name, {})[r.uid] = 1
    return {q: found for q, found in sorted(judged.items()) if len(found) >= FEWEST}


def rank(
    reports: Sequence[CodedReport],
    queries: Sequence[str],
    client: OpenSearch,
    encoder: Encoder,
    labeller: Labeller,
    settings: Settings,
    progress: Progress,
) -> dict[str, Rankings]:
    """Every report ranked for every query, by what knows no labels and by the search."""
    understanding = Understanding.of(labeller.lexicon)
    bm25: dict[str, Ranked] = {}
    bi: dict[str, Ranked] = {}
    hybrid: dict[str, Ranked] = {}
    by_labels: dict[str, Ranked] = {}
    passages = passages_of(reports, encoder, labeller, settings, progress)
    with temporary_index(passages, client, encoder, settings) as index:
        searcher = Searcher(client, settings, encoder, None, index, lambda: understanding)
        for number, q in enumerate(queries, 1):
            words = q[1:] if q[0] == "+" else f"no {q[1:]}"
            first, _ = searcher.ranker.first_stage(Plan.words(words), DEEPEST)
            bm25[q] = scored(note_keys(first, "bm25"), reports)
            bi[q] = scored(note_keys(first, "knn"), reports)
            hybrid[q] = scored(note_keys(first, "hybrid"), reports)
            asked = Finding(q[1:], "present" if q[0] == "+" else "absent")
            ours, _ = searcher.ranker.first_stage(searcher.plan(asked), DEEPEST)
            by_labels[q] = scored(note_keys(ours, "hybrid"), reports)
            progress("queries ranked", number, len(queries))
    return {"bm25": bm25, "bi": bi, "hybrid": hybrid, "aspectra": by_labels}


@dataclass(frozen=True, slots=True)
class PolarityReport:
    """Figures of each of `PARTS`, and the `separation` of each system, query by query."""

    parts: Mapping[str, RetrievalReport]
    separation: Mapping[str, Mapping[str, float]]

    def json(self) -> dict[str, Any]:
        """The figures to keep."""
        return {
            "map": self.parts["All"].systems["aspectra"][AP.name],
            "polarity": {name: report.json() for name, report in self.parts.items()},
            "separation": self.separation,
        }


def evaluate(rankings: Mapping[str, Rankings], judged: Qrels) -> PolarityReport:
    """Every system beside BM25."""
    asked = {name: {q: found for q, found in judged.items() if q[0] in signs} for name, signs in PARTS.items()}
    return PolarityReport(
        {name: retrieval_report(rankings, part, MEASURES) for name, part in asked.items()},
        separation(rankings, judged),
    )


def separation(rankings: Mapping[str, Rankings], judged: Qrels) -> dict[str, dict[str, float]]:
    """How far each system tells a finding from its denial: for each query, the share of pairs of a report that only
    affirms (or only denies, as the query asks) and one that only does the contrary in which the former ranks higher
    (area under the ROC curve; 0.5 cannot tell). Reports that a system does not list come last, together."""
    out: dict[str, dict[str, float]] = {system: {} for system in rankings}
    for query, right in judged.items():
        contrary = judged.get(("-" if query[0] == "+" else "+") + query[1:], {})
        wanted, other = set(right) - set(contrary), set(contrary) - set(right)
        if len(wanted) < FEWEST or len(other) < FEWEST:
            continue
        for system, ranked in rankings.items():
            score = dict(ranked[query])
            ours, theirs = ([score.get(uid, 0.0) for uid in uids] for uids in (wanted, other))
            better = sum((a > b) + (a == b) / 2 for a in ours for b in theirs)
            out[system][query] = better / (len(ours) * len(theirs))
    return out
