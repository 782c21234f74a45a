"""The one retrieval path: production search and offline evaluation both go through it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from opensearchpy import OpenSearch

from search_stack import dsl
from search_stack.answer import Answer, Counts, Scope
from search_stack.client import EngineStarting, EngineUnavailable, connect, engine_errors
from search_stack.criteria import Query, Within
from search_stack.errors import AspectraError
from search_stack.fusion import interpolate, reciprocal_rank_fusion
from search_stack.grouping import HITS_IN_GROUP, assertions, facets, group_of, grouped
from search_stack.hits import read_hit
from search_stack.index import MOST_KEYS, alias
from search_stack.inference.models import Encoder, Reranker
from search_stack.labels import LedgerFacts, OlderLabels, older_labels
from search_stack.lexicon.completion import Completion, starting
from search_stack.lexicon.concepts import Lexicon
from search_stack.lexicon.current import Current
from search_stack.schema import Finding, Hit
from search_stack.serving import Serving
from search_stack.settings import Settings
from search_stack.stages import FirstStage, Ranked, Reranked, all_scores
from search_stack.suggest import unknown_value
from search_stack.understanding import Understanding

LARGEST_PAGE = 100
KNN_WEIGHT, BM25_WEIGHT = 1.5, 0.2
"""Weights beside the cross-encoder's 1, chosen on 400 queries of medquad_dev, passages with their documents' opening
words: R@1 0.980, against 0.965 by the cosine and 0.913 by the cross-encoder alone."""


class _Clock:
    """Milliseconds of each stage."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.laps[stage] = round((now - self._last) * 1000, 2)
        self._last = now


@dataclass(frozen=True, slots=True)
class Ranking:
    """Passages best first, how they came there, and the hits that were fetched on the way."""

    order: list[str]
    first: FirstStage
    reranked: Reranked
    hits: dict[str, Hit]
    responses: list[dict[str, Any]]
    clock: _Clock


class Searcher:
    """BM25 and filtered k-NN, fused, then reranked.

    Args:
        index: index or alias to search; the passages alias where not given.
        understanding: looks the words of a query up in the lexicon; without it they stay words.
        ledger: whose index it must be; without it, an index that no ledger stands behind.
    """

    def __init__(
        self,
        client: OpenSearch,
        settings: Settings,
        encoder: Encoder,
        reranker: Reranker | None,
        index: str | None = None,
        understanding: Callable[[], Understanding] | None = None,
        ledger: LedgerFacts | None = None,
    ) -> None:
        self._client = client
        self._settings = settings
        self._encoder = encoder
        self._reranker = reranker
        self._index = index or alias(settings)
        self._understanding = understanding
        self._ledger = ledger
        self.serving = Serving(client, settings, self._index)

    @classmethod
    def from_settings(cls, settings: Settings, ledger: LedgerFacts | None) -> Searcher:
        return cls(
            connect(settings),
            settings,
            Encoder.from_settings(settings),
            Reranker.from_settings(settings),
            understanding=Current(settings.lexicon_folder, Understanding.of),
            ledger=ledger,
        )

    def understand(self, query: Query) -> Query:
        """``query`` with its words looked up in the lexicon.

        Raises:
            QueryError: it names a finding or entity that no lexicon holds.
        """
        return self._understanding().understand(query) if self._understanding else query

    def _msearch(self, bodies: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        if self._ledger:
            self.serving.need(self._ledger.identity)
        lines: list[Mapping[str, Any]] = []
        for body in bodies:
            lines += [{"index": self._index}, body]
        with engine_errors(self._settings):
            responses = self._client.msearch(body=lines)["responses"]
        for response in responses:
            if "error" in response:
                if response["status"] == 404:
                    raise AspectraError("There is no index yet.", "Ingest some notes first: aspectra ingest PATH")
                if response["status"] == 503:
                    raise EngineStarting(self._settings)
                if response["status"] == 429:
                    raise EngineUnavailable("The engine is busy.", "Try again shortly.")
                raise AspectraError(
                    f"The engine refused the search ({response['status']}, {response['error'].get('type', 'error')}).",
                    "Simplify the query, or run: aspectra doctor",
                )
            if response.get("timed_out") or response["_shards"]["failed"]:
                raise EngineUnavailable("A part of the index did not answer.", "Try again; else run: aspectra doctor")
        return list(responses)

    def first_stage(
        self, query: Query, depth: int, among: Sequence[str] | None = None, extra: Sequence[Mapping[str, Any]] = ()
    ) -> tuple[FirstStage, list[dict[str, Any]]]:
        """The engine's part: BM25, k-NN and their fusion, each ``depth`` deep.

        ``among`` restricts every stage to these passages. ``extra`` bodies travel in the
        same request; their responses come back in order. An index of another encoder's vectors is asked by words only.
        """
        bodies = [dsl.bm25(query, depth, among)]
        ours = not query.clauses or self.serving.encoded_by(self._encoder.manifest.identity)
        if by_vectors := bool(query.clauses) and ours:
            vector = self._encoder.encode([query.text])[0].tolist()
            bodies.append(dsl.knn(query, vector, depth, among))
        responses = self._msearch([*bodies, *extra])
        groups: dict[str, tuple[str, str]] = {}
        tiers: dict[str, int] = {}
        contradicted: set[str] = set()
        lists: list[Ranked] = []
        for response in responses[: len(bodies)]:
            found = response["hits"]["hits"]
            for h in found:
                groups[h["_id"]] = (str(h["_source"]["note_key"]), h["_source"]["patient_id"])
                tiers[h["_id"]] = dsl.tier(query, h["_source"])
                if dsl.denied(query, h["_source"]):
                    contradicted.add(h["_id"])
            lists.append([(h["_id"], h["_score"] or 0.0) for h in found])
        near = [(i, 2 * s - 1) for i, s in lists[1]] if by_vectors else []
        fused = reciprocal_rank_fusion([[i for i, _ in ranking] for ranking in (lists[0], near)])
        if query.labelled:
            # Where labels decide what is found, a vector knows less than the words: MAP 0.942 against 0.938.
            words = {i: n for n, (i, _) in enumerate(lists[0])}
            fused.sort(key=lambda one: words.get(one[0], len(words)))
        first = FirstStage(lists[0], near, fused, groups, tiers, frozenset(contradicted), ours)
        fused.sort(key=lambda one: first.standing(one[0]))
        return first, responses[len(bodies) :]

    def fetch(self, query: Query, ids: Sequence[str]) -> dict[str, Hit]:
        """The passages ``ids`` with highlights, by id; one deleted meanwhile is left out."""
        if not ids:
            return {}
        response = self._msearch([dsl.fetch(query, ids)])[0]
        named = self.named(query)
        return {h["_id"]: read_hit(h, named) for h in response["hits"]["hits"]}

    def named(self, query: Query) -> frozenset[str]:
        """The concepts that ``query`` asks for, and their children."""
        if not query.concepts or not self._understanding:
            return frozenset()
        lexicon = self._understanding().lexicon
        return frozenset().union(*({t.concept, *lexicon.descendants(t.concept)} for t in query.concepts))

    def rerank(self, query: Query, texts: Mapping[str, str], first: FirstStage) -> Reranked:
        """Order ``texts`` by the cross-encoder's score, interpolated with those of the first stage.

        A cascade: the cross-encoder reads the first `Settings.rerank_cut` by cosine and BM25, which cost nothing
        more; what it has not read follows in that order.

        Nothing where there is no cross-encoder or no word, or where the labels decide: on Open-i
        a cross-encoder that reads each finding again lowers MAP from 0.942 to 0.927.
        """
        if self._reranker is None or not texts or not query.clauses or query.labelled:
            return Reranked([], {})
        stages = [(KNN_WEIGHT, dict(first.knn)), (BM25_WEIGHT, dict(first.bm25))]
        near = interpolate(list(texts), stages)
        near.sort(key=lambda one: first.standing(one[0]))
        cut = self._settings.rerank_cut or len(near)
        read = [i for i, _ in near[:cut]]
        scores = self._reranker.score(query.text, [texts[i] for i in read])
        cross = dict(zip(read, map(float, scores), strict=True))
        # Stretched anew over what is read, where cosines differ little: R@1 0.980 against 0.955.
        order = interpolate(read, [(1.0, cross), *stages])
        # What it has not read comes after, in the order of the cut.
        order += [(i, score - 1 - KNN_WEIGHT - BM25_WEIGHT) for i, score in near[cut:]]
        order.sort(key=lambda one: first.standing(one[0]))
        return Reranked(order, cross)

    def _readable(self, hit: Hit) -> str:
        return self._reranker.readable(hit.text, hit.around) if self._reranker else hit.text

    def rank(self, query: Query, depth: int, rerank: bool = True, extra: Sequence[Mapping[str, Any]] = ()) -> Ranking:
        """Passages in their final order: both stages, ``depth`` deep, the first of them reranked."""
        clock = _Clock()
        first, responses = self.first_stage(query, depth, extra=extra)
        clock.lap("engine")
        order = [i for i, _ in first.hybrid]
        top = order[: self._settings.rerank_depth] if rerank else []
        hits = self.fetch(query, top)
        clock.lap("fetch")
        reranked = self.rerank(query, {i: self._readable(hits[i]) for i in top if i in hits}, first)
        clock.lap("rerank")
        if reranked.order:
            order = [*(i for i, _ in reranked.order), *order[len(top) :]]
        return Ranking(order, first, reranked, hits, responses, clock)

    def search(
        self, query: Query, scope: Scope = "passage", page: int = 1, size: int = 10, rerank: bool = True
    ) -> Answer:
        """Page ``page`` of the answer, ``size`` passages, notes or patients long.

        In the scope of a passage every criterion must hold in the same passage. In that of a
        note or patient each concept may stand in another passage, and what is excluded must
        stand in none; the words that name no concept stay together.

        Raises:
            AspectraError: the engine is away or refuses; a filter names a value that no
                note has.
        """
        if not 1 <= size <= LARGEST_PAGE or page < 1:
            raise AspectraError(f"Pages start at 1 and hold 1 to {LARGEST_PAGE} entries.")
        query = self._together(self.understand(query), scope)
        ranking = self.rank(query, self._settings.candidate_depth, rerank, self._count_bodies(query))
        groups = grouped(ranking.order, ranking.first.groups, scope)
        shown = groups[(page - 1) * size : page * size]
        wanted = [i for _, ids in shown for i in ids[:HITS_IN_GROUP] if i not in ranking.hits]
        hits = {**ranking.hits, **self.fetch(query, wanted)}
        counts = self._counts(query, ranking.responses)
        ranking.clock.lap("counts")
        if not counts.passages:
            self._check_index(query)
            self._check_values(query)
        scores = all_scores(ranking.first, ranking.reranked)
        tiers = ranking.first.tiers
        hits = {i: replace(h, tier=tiers.get(i, 0)) for i, h in hits.items()}
        return Answer(
            scope=scope,
            query=query,
            groups=tuple(group_of(key, ids, hits, scores) for key, ids in shown if any(i in hits for i in ids)),
            page=page,
            pages=-(-len(groups) // size),
            ranked=len(groups),
            counts=counts,
            facets={**facets(ranking.responses[0]["aggregations"]), **assertions(ranking.responses[3:])},
            milliseconds=ranking.clock.laps,
            reranked=len(ranking.reranked.order),
            vectors=ranking.first.vectors,
            older=self._older(query),
        )

    def lexicon(self) -> Lexicon | None:
        """What queries are understood by, as it stands now."""
        return self._understanding().lexicon if self._understanding else None

    def _older(self, query: Query) -> OlderLabels:
        if not query.concepts or not self._understanding or not self._ledger:
            return OlderLabels()
        return older_labels(query.concepts, self._understanding().lexicon, self.serving.labels(), self._ledger)

    def _count_bodies(self, query: Query) -> list[dict[str, Any]]:
        whole = dsl.matching(query)
        bodies = [dsl.counts(query), dsl.distinct(whole, "note_key"), dsl.distinct(whole, "patient_id")]
        by_assertion = dsl.assertions(query)
        return [*bodies, by_assertion] if by_assertion else bodies

    def _counts(self, query: Query, responses: Sequence[Mapping[str, Any]]) -> Counts:
        whole = dsl.matching(query)
        undated = 0
        if query.after or query.before:
            undated = len(self._keys(dsl.undated(replace(query, within=None)), "note_key"))
        return Counts(
            passages=responses[0]["hits"]["total"]["value"],
            notes=len(self._keys(whole, "note_key", responses[1])),
            patients=len(self._keys(whole, "patient_id", responses[2])),
            undated_notes=undated,
        )

    def _keys(self, query: dict[str, Any], field: str, response: Mapping[str, Any] | None = None) -> list[str | int]:
        """Every distinct value of ``field``; ``response`` is that to the first page where it was asked already."""
        out: list[str | int] = []
        response = response or self._msearch([dsl.distinct(query, field)])[0]
        while True:
            page = response["aggregations"]["distinct"]
            out += [b["key"]["value"] for b in page["buckets"]]
            if len(page["buckets"]) < dsl.BUCKETS:
                return out
            response = self._msearch([dsl.distinct(query, field, page["after_key"])])[0]

    def _together(self, query: Query, scope: Scope) -> Query:
        """``query`` kept to the notes or patients that satisfy all its criteria, wherever in them."""
        if scope == "passage" or not query.concepts:
            return query
        wanted, unwanted = dsl.wanted_and_unwanted(query)
        if len(wanted) + len(unwanted) < 2:
            return query
        field = "note_key" if scope == "note" else "patient_id"
        keys = set.intersection(*(set(self._keys(one, field)) for one in wanted))
        for one in unwanted:
            keys -= set(self._keys(one, field)) if keys else set()
        if len(keys) > MOST_KEYS:
            raise AspectraError(
                f"{len(keys):,} {scope}s satisfy the criteria together; at most {MOST_KEYS:,} are searched.",
                "Narrow it by a date, a type or a collection.",
            )
        return replace(query, within=Within(field, tuple(sorted(keys, key=str))))

    def note_findings(self, note_key: int) -> tuple[Finding, ...]:
        """The labelled findings of a note, in the order of its text."""
        found = self._msearch([dsl.findings_of(note_key)])[0]["hits"]["hits"]
        return tuple(Finding(**f) for h in found for f in h["_source"].get("findings") or ())

    def complete(self, start: str, size: int = 8) -> list[Completion]:
        """Concepts of which a name goes on from ``start``, with how many passages mention them."""
        if not self._understanding:
            return []
        lexicon = self._understanding().lexicon
        found = starting(lexicon, start, size)
        if not found:
            return []
        counts = self._msearch([dsl.mentions(found)])[0]["aggregations"]["mentions"]["buckets"]
        known = [lexicon.concepts[i] for i in found]
        return [Completion(c.name, c.kind, counts[c.id]["doc_count"]) for c in known]

    def _check_index(self, query: Query) -> None:
        """Nothing was found: an index without labels must not pass for notes without findings."""
        if not query.concepts:
            return
        with engine_errors(self._settings):
            labelled = self._client.indices.get_field_mapping(fields="mentioned", index=self._index)
        if not labelled:
            raise AspectraError("The index holds no labels.", "Build it anew: aspectra reindex")

    def _check_values(self, query: Query) -> None:
        """Nothing was found: say so where a filter's value exists in no note."""
        for field, names in (("aspect", query.aspects), ("section", query.sections), ("note_type", query.types)):
            if not names:
                continue
            stored = "aspect" if field == "section" else field
            known = [b["key"] for b in self._msearch([dsl.values(stored)])[0]["aggregations"]["values"]["buckets"]]
            if field == "section":
                headings = self._msearch([dsl.values("section.name")])[0]["aggregations"]["values"]["buckets"]
                known += [b["key"] for b in headings]
            for name in names:
                if problem := unknown_value(field, name, known):
                    raise problem
