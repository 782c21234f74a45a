"""How well reports are ranked for "finding present", against the radiologists' own codes.

The reports go into an index of their own, and every query takes the way of a user's: parsed,
looked up in the lexicon, searched in the scope of a note.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

from opensearchpy import OpenSearch

from search_stack.cohorts.plan import Plan
from search_stack.core.schema import Note
from search_stack.core.settings import Settings
from search_stack.evaluation.datasets.coded_reports import QUERIES, CodedReport
from search_stack.evaluation.measures import AveragePrecision
from search_stack.evaluation.measures.precision_recall import PrecisionRecall, precision_recall
from search_stack.evaluation.rankings import Qrels, Rankings
from search_stack.evaluation.report import RetrievalReport, retrieval_report
from search_stack.evaluation.temporary_index import Progress, in_slices, temporary_index
from search_stack.index.documents import document, encoded, prepare
from search_stack.index.passage import IndexedPassage
from search_stack.inference.models import Encoder, Reranker
from search_stack.language.labeller import Labeller
from search_stack.query.understand import Understanding
from search_stack.retrieval.grouping import grouped
from search_stack.retrieval.searcher import Searcher
from search_stack.retrieval.stages import FirstStage, Ranked

DEEPEST = 10_000
"""The engine ranks so many passages at most."""
SLICE = 128
AP = AveragePrecision()


class _Keyed(NamedTuple):
    """A report as the note that is indexed; its key is its place among the reports."""

    key: int
    note: Note
    version: int = 1

    @property
    def patient_no(self) -> int:
        return self.key + 1


def passages_of(
    reports: Sequence[CodedReport], encoder: Encoder, labeller: Labeller, settings: Settings, progress: Progress
) -> Iterator[IndexedPassage]:
    """The passages of every report that has words, as ingest would index them."""
    for part in in_slices(list(enumerate(reports)), SLICE, "reports indexed", progress):
        noted = (_Keyed(n, Note(r.uid, r.text, r.uid, type="radiology report")) for n, r in part if r.text)
        parts = [(k, p) for k in noted for p in prepare(k, labeller, encoder, settings.passage_tokens)]
        vectors = encoded(encoder, parts)
        yield from (document(k, p, v, labeller) for (k, p), v in zip(parts, vectors, strict=True))


def rank(
    reports: Sequence[CodedReport],
    codes: Sequence[str],
    client: OpenSearch,
    encoder: Encoder,
    reranker: Reranker | None,
    labeller: Labeller,
    settings: Settings,
    progress: Progress,
) -> dict[str, Rankings]:
    """Every report ranked for every code, by BM25 alone and by the whole search."""
    understanding = Understanding.of(labeller.lexicon)
    by_words: dict[str, Ranked] = {}
    by_search: dict[str, Ranked] = {}
    passages = passages_of(reports, encoder, labeller, settings, progress)
    with temporary_index(passages, client, encoder, settings) as index:
        searcher = Searcher(client, settings, encoder, reranker, index, lambda: understanding)
        for number, code in enumerate(codes, 1):
            bm25 = note_keys(searcher.ranker.first_stage(Plan.words(QUERIES[code]), DEEPEST)[0], "bm25")
            ranking = searcher.ranker.rank(searcher.plan(searcher.understand(QUERIES[code]).query), DEEPEST)
            found = list(map(str, grouped(ranking.order, ranking.first.groups, "note")))
            by_words[code] = scored(bm25, reports)
            # What the search does not list at all comes last, in BM25's order.
            by_search[code] = scored([*found, *bm25], reports)
            progress("codes ranked", number, len(codes))
    return {"bm25": by_words, "aspectra": by_search}


def note_keys(first: FirstStage, stage: Literal["bm25", "knn", "hybrid"]) -> list[str]:
    """Keys of the notes in one of the rankings, by their best passage."""
    ranked: Ranked = getattr(first, stage)
    return list(map(str, grouped([i for i, _ in ranked], first.groups, "note")))


def scored(keys: Sequence[str], reports: Sequence[CodedReport]) -> Ranked:
    """The reports of ``keys``, each where it is first, with scores that fall."""
    unique = list(dict.fromkeys(keys))
    return [(reports[int(key)].uid, float(len(unique) - rank)) for rank, key in enumerate(unique)]


def counted(reports: Sequence[CodedReport], codes: Sequence[str], labeller: Labeller) -> PrecisionRecall:
    """How well what counts (the finding or one below it, present anywhere in the report) agrees with the codes.

    Over all pairs of report and code.
    """
    kinds = {}
    for code in codes:
        concept = labeller.lexicon.find(QUERIES[code])
        kinds[code] = labeller.lexicon.descendants(concept.id) | {concept.id} if concept else frozenset()
    found, gold = [], []
    for report in reports:
        present = {f.concept for f in labeller.label(report.text).findings if "present" in f.counts_as}
        found += [not present.isdisjoint(kinds[code]) for code in codes]
        gold += [code in report.codes for code in codes]
    return precision_recall(found, gold)


@dataclass(frozen=True, slots=True)
class FindingsReport:
    """Average precision, over all codes and by code; and whether what counts is what was coded."""

    systems: RetrievalReport
    judged: Qrels
    counted: PrecisionRecall

    def average_precision(self, system: str, code: str) -> float:
        """Average precision of one code."""
        return self.systems.per_query[system][AP][code]

    def json(self) -> dict[str, Any]:
        """The figures to keep."""
        return {
            "map": self.systems.systems["aspectra"][AP.name],
            "bm25_map": self.systems.systems["bm25"][AP.name],
            "per_finding": {
                code: {
                    "ap": self.average_precision("aspectra", code),
                    "bm25_ap": self.average_precision("bm25", code),
                    "reports": len(found),
                }
                for code, found in self.judged.items()
            },
            "intervals": self.systems.json()["intervals"],
            "counted": asdict(self.counted),
        }


def evaluate(rankings: dict[str, Rankings], judged: Qrels, counts: PrecisionRecall) -> FindingsReport:
    """The search beside BM25, and what the labels count."""
    return FindingsReport(retrieval_report(rankings, judged, [AP]), judged, counts)
