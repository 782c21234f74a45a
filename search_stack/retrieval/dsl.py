"""The engine's query DSL: pure functions over a `search_stack.cohorts.plan.Plan`, plain dicts, the only such place.

Text from a person reaches `match`, `match_phrase` and `term` only, never `query_string`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from search_stack.cohorts.clauses import EVERYTHING, Clause, all_clauses, any_clause
from search_stack.cohorts.plan import LABELS, Plan
from search_stack.core.schema import Hit
from search_stack.index.passage import IndexedPassage
from search_stack.query.fields import BY_KEY, FIELDS
from search_stack.query.nodes import Finding, Phrase, Words
from search_stack.query.tree import wanted
from search_stack.retrieval.tiers import excluded

_STORED = {f.name for f in fields(IndexedPassage)}
HIT_FIELDS = [f.name for f in fields(Hit) if f.name in _STORED]
"""What a hit shows as it is stored."""
AROUND = ["lead", "before"]
"""Fields that the models read a passage with, besides those of the hit."""
MARKS = ("\ue000", "\ue001")
"""Private-use characters around a highlight: they stand in no note that is indexed as text."""
BUCKETS = 10_000
MOST_VALUES = 1_000
WHOLE, FILTERS = "every word", "filters"
"""Names under which the engine reports that a hit belongs to `Plan.matching`: with words, without."""
PLACE = ["note_key", "note_version", "begin", "end", "section", "aspect"]
"""Where a passage stands in its note, none of its text."""
GROUPING = ["note_key", "patient_no", "wording", "begin", "end"]
Sort = list[dict[str, Any]]
NEWEST: Sort = [{"date": {"order": "desc", "missing": "_last"}}, {"note_key": "asc"}, {"ordinal": "asc"}]
OLDEST: Sort = [{"date": {"order": "asc", "missing": "_last"}}, {"note_key": "asc"}, {"ordinal": "asc"}]
IN_ORDER: Sort = [{"note_key": "asc"}, {"ordinal": "asc"}]


def bm25(plan: Plan, depth: int, among: Sequence[str] | None = None, unsaid: bool = False) -> Clause:
    """Passages by BM25 over text, and a little over title and heading. Without words: newest first."""
    body: Clause = {"size": depth, "_source": _grouping(plan), "track_total_hits": False}
    required = _required(plan, among, unsaid)
    if not plan.ranks:
        body["query"] = all_clauses(required)
        body["sort"] = NEWEST
        return body
    body["query"] = {"bool": {"should": _ranked(plan), "minimum_should_match": 1, "filter": required}}
    return body


def _ranked(plan: Plan) -> list[Clause]:
    ranked: list[Clause] = [
        {"multi_match": {"query": plan.terms, "type": "cross_fields", "fields": ["text", "title", "section"]}}
    ]
    # A finding may be there in other words than the query's.
    return ranked + [{"constant_score": {"filter": plan.holds(c)}} for c in plan.concepts]


def by_words(words: str, size: int) -> Clause:
    """Passages by BM25 over their text alone, as a hit shows them."""
    return {"size": size, "_source": HIT_FIELDS, "track_total_hits": False, "query": {"match": {"text": words}}}


def notes_among(ids: Sequence[str]) -> Clause:
    """Those of ``ids`` that some passage is of."""
    values = {"terms": {"field": "note_id", "size": len(ids)}}
    query = {"terms": {"note_id": list(ids)}}
    return {"size": 0, "track_total_hits": False, "query": query, "aggs": {"values": values}}


def knn(
    plan: Plan, vector: Sequence[float], depth: int, among: Sequence[str] | None = None, unsaid: bool = False
) -> Clause:
    """Passages by cosine, searched among those that satisfy the filters."""
    field: Clause = {"vector": list(vector), "k": depth}
    if required := _required(plan, among, unsaid):
        field["filter"] = all_clauses(required)
    return {"size": depth, "_source": _grouping(plan), "track_total_hits": False, "query": {"knn": {"vector": field}}}


def with_vector(passage: str) -> Clause:
    """A passage as a hit shows it, and what else `near` asks by."""
    shown = [*HIT_FIELDS, "vector", "patient_no", "wording"]
    return {"size": 1, "_source": shown, "track_total_hits": False, "query": {"ids": {"values": [passage]}}}


def of_patient(vector: Sequence[float], note_key: int, patient_no: int, size: int) -> Clause:
    """Passages of other notes of a patient, by cosine to that of a passage, as a hit shows them."""
    kept = {"bool": {"filter": [{"term": {"patient_no": patient_no}}], "must_not": [{"term": {"note_key": note_key}}]}}
    return _near(vector, kept, size)


def of_others(vector: Sequence[float], wording: str, patient_no: int, size: int) -> Clause:
    """Passages of other patients, by cosine to that of a passage, but those that have its words."""
    kept = {"bool": {"must_not": [{"term": {"patient_no": patient_no}}, {"term": {"wording": wording}}]}}
    return _near(vector, kept, size)


def near_in(vector: Sequence[float], notes: Clause) -> Clause:
    """The passages of ``notes`` by their cosine, exact: the engine looks at each where it is asked for as many as there
    are."""
    return _near(vector, notes, BUCKETS, PLACE)


def _near(vector: Sequence[float], kept: Clause, size: int, shown: Sequence[str] = HIT_FIELDS) -> Clause:
    query = {"knn": {"vector": {"vector": list(vector), "k": size, "filter": kept}}}
    return {"size": size, "_source": list(shown), "track_total_hits": False, "query": query}


def said_again(wording: str, note_key: int, size: int) -> Clause:
    """Passages of other notes that have the same words, the newest first, and how many there are."""
    query = {"bool": {"filter": [{"term": {"wording": wording}}], "must_not": [{"term": {"note_key": note_key}}]}}
    return {"size": size, "_source": HIT_FIELDS, "track_total_hits": True, "query": query, "sort": NEWEST}


def notes_of(plan: Plan, wordings: Sequence[str]) -> Clause:
    """How many notes have a matching passage of each of ``wordings``: exact, for each note has one at most."""
    return _number_of("wording", wordings, plan.matching())


def passages_of(plan: Plan, field: str, keys: Sequence[int]) -> Clause:
    """How many matching passages each of the notes or patients ``keys`` has, which are counted."""
    return _number_of(field, keys, _shown_of_units(plan))


def _shown_of_units(plan: Plan) -> Clause:
    """What matches in notes or patients that are known to be counted: a query for some must not hold all their keys."""
    return plan.shown() if plan.within else plan.matching()


def _number_of(field: str, values: Sequence[str] | Sequence[int], matching: Clause) -> Clause:
    there: Clause = {"terms": {field: list(values)}}
    by = {"terms": {"field": field, "include": list(values), "size": max(1, len(values))}}
    query = all_clauses([there, matching])
    return {"size": 0, "track_total_hits": False, "query": query, "aggs": {"numbers": by}}


def _required(plan: Plan, among: Sequence[str] | None, unsaid: bool) -> list[Clause]:
    """Of the passages ``among``: `Plan.listed`, or `Plan.unsaid`."""
    return [
        *(plan.unsaid() if unsaid else plan.listed()),
        *([] if among is None else [{"ids": {"values": list(among)}}]),
    ]


def _grouping(plan: Plan) -> list[str]:
    """What `search_stack.retrieval.stages.FirstStage` is made of."""
    fields = [*GROUPING]
    if excluded(plan) or any(isinstance(c, Finding) for c in plan.concepts):
        fields += [*LABELS, "absent", "own", "mentioned"]
    return [
        *fields,
        *(["named"] if plan.by_name else []),
        *(["measured"] if plan.by_amount else []),
        *(["placed"] if plan.by_site else []),
    ]


def hybrid(plan: Plan, vector: Sequence[float], depth: int) -> Clause:
    """Both in one request, to be fused by the engine's own pipeline; used by the benchmark."""
    parts = [bm25(plan, depth)["query"], knn(plan, vector, depth)["query"]]
    return {
        "size": depth,
        "_source": GROUPING,
        "track_total_hits": False,
        "query": {"hybrid": {"queries": parts, "pagination_depth": depth}},
    }


def counts(plan: Plan) -> Clause:
    """Exact number of matching passages, and facets over them."""
    terms = {f.key: {"terms": {"field": f.stored[0], "size": 20}} for f in FIELDS if f.facet and f.stored}
    year = {"date_histogram": {"field": "date", "calendar_interval": "year", "format": "yyyy", "min_doc_count": 1}}
    return {"size": 0, "track_total_hits": True, "query": plan.matching(), "aggs": {**terms, "year": year}}


def each(clauses: Sequence[Clause]) -> Clause:
    """How many passages each of ``clauses`` has."""
    named = {str(n): clause for n, clause in enumerate(clauses)}
    return {"size": 0, "track_total_hits": False, "aggs": {"each": {"filters": {"filters": named}}}}


def fetch(plan: Plan, ids: Sequence[str]) -> Clause:
    """The passages ``ids``, with the words of the query marked in their text."""
    query = {"bool": {"filter": [{"ids": {"values": list(ids)}}], "should": [_whole(plan)]}}
    return {**_shown(plan), "size": len(ids), "query": query}


def in_note(plan: Plan, note_key: int) -> Clause:
    """The passages of one note that may be listed, in the order of its text, with the words of the query marked; named
    are those that are counted."""
    body: Clause = {**_shown(plan), "size": BUCKETS, "track_total_hits": False, "sort": IN_ORDER}
    listed = plan.least(wide=True) or EVERYTHING
    body["query"] = {"bool": {"filter": [{"term": {"note_key": note_key}}, listed], "should": [_whole(plan)]}}
    return body


def among(plan: Plan, ids: Sequence[str]) -> Clause:
    """Which of ``ids`` match."""
    named: Clause = {"ids": {"values": list(ids)}}
    query = all_clauses([named, plan.matching()])
    return {"size": len(ids), "_source": False, "track_total_hits": False, "query": query}


def of_unit(plan: Plan, field: str, key: str | int, size: int, sort: Sort | None = None) -> Clause:
    """The first ``size`` matching passages of one note or patient that is counted, for show, and how many there are:
    the best, where no ``sort`` is given."""
    body = {**_shown(plan), "size": size, "track_total_hits": True}
    matching = _called(plan, _shown_of_units(plan))
    body["query"] = {"bool": {"filter": [{"term": {field: key}}, matching]}}
    if plan.ranks and sort is None:
        body["query"]["bool"]["should"] = _ranked(plan)
    else:
        body["sort"] = sort or NEWEST
    return body


def in_order(
    plan: Plan, size: int, after: Sequence[Any] | None, without: Sequence[str], shown: bool, sort: Sort = IN_ORDER
) -> Clause:
    """Matching passages in a stable order, those of the wordings ``without`` left out; the sort values lead to the
    next."""
    body: Clause = {**(_shown(plan) if shown else {"_source": False}), "size": size, "track_total_hits": False}
    body["sort"] = sort
    body["query"] = {"bool": {"filter": [_whole(plan)]}}
    if without:
        body["query"]["bool"]["must_not"] = [{"terms": {"wording": list(without)}}]
    if after:
        body["search_after"] = list(after)
    return body


def evidence(
    plan: Plan, notes: Clause, criteria: Sequence[Clause], size: int, after: Sequence[Any] | None = None
) -> Clause:
    """Passages of ``notes`` that show the tree, by note; which of ``criteria``, named clauses, hold in each is told."""
    body = spots(plan, notes, criteria, size, after) | _shown(plan)
    body["_source"] = [*body["_source"], "note_version"]
    return body


def spots(
    plan: Plan, notes: Clause, criteria: Sequence[Clause], size: int, after: Sequence[Any] | None = None
) -> Clause:
    """The passages of `evidence`, nothing of them but their notes, as sort values, and what holds in each."""
    body: Clause = {"_source": False, "size": size, "track_total_hits": False, "sort": IN_ORDER}
    body["query"] = {"bool": {"filter": [notes, any_clause(criteria), plan.shown()], "should": list(criteria)}}
    if after:
        body["search_after"] = list(after)
    return body


def fact_evidence(
    patients: Clause, criteria: Sequence[Clause], size: int, after: Sequence[Any] | None = None
) -> Clause:
    """Structured facts of ``patients`` that show any of ``criteria``, named clauses, by patient and day."""
    body: Clause = {"size": size, "track_total_hits": False, "_source": ["patient_no", "day", "fact_key"]}
    body["sort"] = [{"patient_no": "asc"}, {"day": "asc"}, {"fact_key": "asc"}]
    body["query"] = {"bool": {"filter": [patients], "should": list(criteria), "minimum_should_match": 1}}
    if after:
        body["search_after"] = list(after)
    return body


def _whole(plan: Plan) -> Clause:
    """`Plan.matching`, named, so that hits tell whether they are counted."""
    return _called(plan, plan.matching())


def _called(plan: Plan, clause: Clause) -> Clause:
    return {"bool": {"filter": [clause], "_name": WHOLE if plan.ranks else FILTERS}}


def _shown(plan: Plan) -> Clause:
    """What a hit shows: its fields, and the words of the query marked."""
    body: Clause = {"_source": [*HIT_FIELDS, *AROUND]}
    asked = list(wanted(plan.node))
    words = " ".join(leaf.text for leaf in asked if isinstance(leaf, Words))
    phrases = [leaf for leaf in asked if isinstance(leaf, Phrase)]
    marks = {"pre_tags": [MARKS[0]], "post_tags": [MARKS[1]], "number_of_fragments": 0}
    marked: dict[str, Clause] = {}
    if words:
        marked["text"] = {**marks, "highlight_query": {"match": {"text": words}}}
    if phrases:
        marked["text.exact"] = {**marks, "highlight_query": any_clause([plan.holds(p) for p in phrases])}
    if marked:
        body["highlight"] = {"fields": marked, "max_analyzer_offset": 900_000}
    return body


def facet(query: Clause, name: str, unit: str, after: dict[str, Any] | None = None) -> Clause:
    """A page of the pairs of a facet's value and a note or patient: counted by value, exact."""
    if name == "year":
        value: Clause = {"date_histogram": {"field": "date", "calendar_interval": "year", "format": "yyyy"}}
    else:
        value = {"terms": {"field": BY_KEY[name].stored[0]}}
    sources = [{"facet": value}, {"value": {"terms": {"field": unit}}}]
    composite: Clause = {"size": BUCKETS, "sources": sources, **({"after": after} if after else {})}
    return {"size": 0, "track_total_hits": False, "query": query, "aggs": {"distinct": {"composite": composite}}}


FACETS = (*(f.key for f in FIELDS if f.facet and f.stored), "year")


def findings_of(note_key: int) -> Clause:
    """The labelled findings of a whole note, passage by passage."""
    return {
        "size": 10_000,
        "_source": ["findings", "note_version"],
        "track_total_hits": False,
        "query": {"term": {"note_key": note_key}},
        "sort": [{"ordinal": "asc"}],
    }


def values(field: str) -> Clause:
    """The values of a keyword field, at most `MOST_VALUES`, the commonest first."""
    return {"size": 0, "track_total_hits": False, "aggs": {"values": {"terms": {"field": field, "size": MOST_VALUES}}}}
