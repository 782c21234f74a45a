"""How well reports are ranked for "finding present", against the radiologists' own codes.

The reports go into an index of their own, and every query takes the way of a user's: parsed,
looked up in the lexicon, searched in the scope of a note.
"""

from __future__ import annotations

import csv
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from opensearchpy import OpenSearch
from opensearchpy.helpers import bulk

from ingest.indexer import encoded
from ingest.labelling import Labeller
from ingest.ledger import StoredNote
from ingest.ledger.tables import INDEXED
from ingest.prepare import document, prepare
from search_stack.client import engine_errors
from search_stack.criteria import parse, plain
from search_stack.errors import AspectraError
from search_stack.evaluation.run import Qrels
from search_stack.grouping import grouped
from search_stack.index import index_body
from search_stack.index_meta import IndexMeta
from search_stack.inference.models import Encoder, Reranker
from search_stack.schema import Note
from search_stack.searcher import Searcher
from search_stack.settings import Settings
from search_stack.stages import FirstStage
from search_stack.understanding import Understanding

QUERIES = {
    "Opacity": "opacity",
    "Cardiomegaly": "cardiomegaly",
    "Calcinosis": "calcification",
    "Pulmonary Atelectasis": "atelectasis",
    "Calcified Granuloma": "calcified granuloma",
    "Cicatrix": "scarring",
    "Pleural Effusion": "pleural effusion",
    "Atherosclerosis": "atherosclerosis",
    "Airspace Disease": "airspace disease",
    "Scoliosis": "scoliosis",
    "Nodule": "nodule",
    "Granulomatous Disease": "granulomatous disease",
    "Fractures, Bone": "fracture",
    "Osteophyte": "osteophyte",
    "Pulmonary Congestion": "pulmonary vascular congestion",
    "Spondylosis": "spondylosis",
    "Infiltrate": "infiltrate",
    "Emphysema": "emphysema",
    "Hernia, Hiatal": "hiatal hernia",
    "Pulmonary Edema": "pulmonary edema",
    "Pneumonia": "pneumonia",
    "Kyphosis": "kyphosis",
    "Consolidation": "consolidation",
    "Pneumothorax": "pneumothorax",
}
"""The radiologists' codes, each with what a user would type for it."""
COLUMNS = ("uid", "Problems", "findings", "impression")
DEEPEST = 10_000
"""The engine ranks so many passages at most."""
SLICE = 128
FEWEST = 5
SIGNS = {"present": "+", "absent": "-"}
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Report:
    uid: str
    text: str
    codes: frozenset[str]


def load_reports(file: Path, limit: int | None = None) -> list[Report]:
    """Reports with their codes; the text is findings and impression, each under its heading.

    Raises:
        AspectraError: the file cannot be read, or lacks a column; a report stands there twice.
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines)
            missing = [c for c in COLUMNS if c not in (rows.fieldnames or ())]
            if missing:
                raise AspectraError(
                    f"{file}:1: there is no column {missing[0]}.", f"It needs the columns {', '.join(COLUMNS)}."
                )
            out: dict[str, Report] = {}
            for row in rows:
                if row["uid"] in out:
                    raise AspectraError(f"{file}:{rows.line_num}: uid: stands there twice.", "Keep one of the rows.")
                out[row["uid"]] = _report(row)
                if limit and len(out) == limit:
                    break
    except OSError as e:
        raise AspectraError(f"{file}: cannot be read ({e.strerror}).", "Name a file of reports.") from e
    except (UnicodeDecodeError, csv.Error) as e:
        raise AspectraError(f"{file}: not a UTF-8 CSV file ({type(e).__name__}).", "Save it as CSV in UTF-8.") from e
    if not out:
        raise AspectraError(f"{file}: holds no report.", "Name a file of reports.")
    return list(out.values())


def _report(row: Mapping[str, str | None]) -> Report:
    parts = [(name, (row[name] or "").strip()) for name in ("findings", "impression")]
    text = "\n\n".join(f"{name.upper()}:\n{words}" for name, words in parts if words)
    return Report(row["uid"] or "", text, frozenset(c.strip() for c in (row["Problems"] or "").split(";")))


def qrels(reports: Sequence[Report]) -> Qrels:
    """The reports of each code, for the codes that any report has."""
    judged = {code: {r.uid: 1 for r in reports if code in r.codes} for code in QUERIES}
    return {code: found for code, found in judged.items() if found}


@contextmanager
def indexed(
    reports: Sequence[Report],
    client: OpenSearch,
    encoder: Encoder,
    labeller: Labeller,
    settings: Settings,
    progress: Progress,
) -> Iterator[str]:
    """An index of the reports, there as long as the block runs; yields its name."""
    name = f"{settings.index_prefix}-evaluation-{secrets.token_hex(4)}"
    with engine_errors(settings):
        client.indices.create(
            index=name, body=index_body(settings, encoder.dimensions, IndexMeta(encoder.manifest.identity))
        )
        try:
            for start in range(0, len(reports), SLICE):
                part = reports[start : start + SLICE]
                stored = [
                    StoredNote(key, 1, INDEXED, 0, "", 0, 0, Note(r.uid, r.text, r.uid, type="radiology report"))
                    for key, r in enumerate(part, start)
                    if r.text
                ]
                parts = [(s, p) for s in stored for p in prepare(s, labeller, encoder, settings.passage_tokens)]
                vectors = encoded(encoder, parts)
                documents = (document(s, p, v, labeller) for (s, p), v in zip(parts, vectors, strict=True))
                bulk(client, ({"_index": name, "_id": d.id, "_source": d.document()} for d in documents))
                progress("reports indexed", start + len(part), len(reports))
            client.indices.refresh(index=name)
            yield name
        finally:
            client.indices.delete(index=name, params={"ignore_unavailable": "true"})


Runs = dict[str, dict[str, list[tuple[str, float]]]]
"""By system, then query: reports with their scores."""


def rank_codes(
    reports: Sequence[Report],
    codes: Sequence[str],
    client: OpenSearch,
    encoder: Encoder,
    reranker: Reranker | None,
    labeller: Labeller,
    settings: Settings,
    progress: Progress,
) -> Runs:
    """Every report ranked for every code, by BM25 alone and by the whole search."""
    understanding = Understanding.of(labeller.lexicon)
    runs: Runs = {"bm25": {}, "aspectra": {}}
    with indexed(reports, client, encoder, labeller, settings, progress) as index:
        searcher = Searcher(client, settings, encoder, reranker, index, lambda: understanding)
        for number, code in enumerate(codes, 1):
            bm25 = _keys(searcher.first_stage(plain(QUERIES[code]), DEEPEST)[0], "bm25")
            ranking = searcher.rank(searcher.understand(parse(QUERIES[code])), DEEPEST)
            found = [key for key, _ in grouped(ranking.order, ranking.first.groups, "note")]
            runs["bm25"][code] = _scored(bm25, reports)
            # What the search does not list at all comes last, in BM25's order.
            runs["aspectra"][code] = _scored([*found, *bm25], reports)
            progress("codes ranked", number, len(codes))
    return runs


def rank_polarity(
    reports: Sequence[Report],
    client: OpenSearch,
    encoder: Encoder,
    labeller: Labeller,
    settings: Settings,
    progress: Progress,
) -> tuple[Runs, Qrels]:
    """Queries (present or absent, finding) on the lexicon's own labels, by what knows no labels and by the search.

    The protocol of lexicon-based radiology retrieval: the labels are what the rules found, so
    the search that filters by them is no more than a check of the whole path; the others show
    how far words and vectors alone tell "no effusion" from "effusion". A query is ``+name`` or
    ``-name``, of every concept with at least `FEWEST` reports.
    """
    judged: dict[str, dict[str, int]] = {}
    for r in reports:
        for f in labeller.label(r.text).findings:
            if sign := SIGNS.get(f.assertion):
                for concept in labeller.lexicon.closure([f.concept]):
                    judged.setdefault(sign + labeller.lexicon.concepts[concept].name, {})[r.uid] = 1
    judged = {q: found for q, found in sorted(judged.items()) if len(found) >= FEWEST}
    understanding = Understanding.of(labeller.lexicon)
    runs: Runs = {system: {} for system in ("bm25", "bi", "hybrid", "aspectra")}
    with indexed(reports, client, encoder, labeller, settings, progress) as index:
        searcher = Searcher(client, settings, encoder, None, index, lambda: understanding)
        for number, q in enumerate(judged, 1):
            words = q[1:] if q[0] == "+" else f"no {q[1:]}"
            first, _ = searcher.first_stage(plain(words), DEEPEST)
            for system, stage in (("bm25", "bm25"), ("bi", "knn"), ("hybrid", "hybrid")):
                runs[system][q] = _scored(_keys(first, stage), reports)
            asked = parse(f'finding:"{q[1:]}" {"present" if q[0] == "+" else "absent"}')
            ours, _ = searcher.first_stage(searcher.understand(asked), DEEPEST)
            runs["aspectra"][q] = _scored(_keys(ours, "hybrid"), reports)
            progress("queries ranked", number, len(judged))
    return runs, judged


def separation(runs: Runs, judged: Qrels) -> dict[str, dict[str, float]]:
    """How far each system tells a finding from its denial: for each query, the share of pairs of a report that only
    affirms (or only denies, as the query asks) and one that only does the contrary in which the former ranks higher
    (area under the ROC curve; 0.5 cannot tell). Reports that a system does not list come last, together."""
    out: dict[str, dict[str, float]] = {system: {} for system in runs}
    for query, right in judged.items():
        contrary = judged.get(("-" if query[0] == "+" else "+") + query[1:], {})
        wanted, other = set(right) - set(contrary), set(contrary) - set(right)
        if len(wanted) < FEWEST or len(other) < FEWEST:
            continue
        for system, run in runs.items():
            score = dict(run[query])
            ours, theirs = ([score.get(uid, 0.0) for uid in uids] for uids in (wanted, other))
            better = sum((a > b) + (a == b) / 2 for a in ours for b in theirs)
            out[system][query] = better / (len(ours) * len(theirs))
    return out


def _keys(first: FirstStage, stage: str) -> list[str]:
    """Keys of the notes in one of the rankings, by their best passage."""
    ranked: list[tuple[str, float]] = getattr(first, stage)
    return [key for key, _ in grouped([i for i, _ in ranked], first.groups, "note")]


def _scored(keys: Sequence[str], reports: Sequence[Report]) -> list[tuple[str, float]]:
    unique = list(dict.fromkeys(keys))
    return [(reports[int(key)].uid, float(len(unique) - rank)) for rank, key in enumerate(unique)]
