"""Criteria to the engine's query DSL: pure functions, plain dicts, the only such place.

Text from a person reaches `match`, `match_phrase` and `term` only, never `query_string`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from search_stack.criteria import Query, Term

Clause = dict[str, Any]
HIT_FIELDS = [
    "note_id",
    "note_key",
    "patient_id",
    "note_type",
    "date",
    "title",
    "collection",
    "section",
    "aspect",
    "begin",
    "end",
    "text",
]
MARKS = ("\ue000", "\ue001")
"""Private-use characters around a highlight: they stand in no note that is indexed as text."""
BUCKETS = 10_000
WHOLE, FILTERS = "every word", "filters"
"""Names under which the engine reports that a hit belongs to `matching`: with words, without."""
GROUPING = ["note_key", "patient_id"]


def _contains(term: Term, no_words: str = "all") -> Clause:
    """The passage, its heading or its note's title holds the term.

    ``no_words``: what a term of function words alone is in, "all" passages or "none".
    """
    if term.phrase:
        return {"match_phrase": {"text.exact": term.text}}
    return {
        "multi_match": {
            "query": term.text,
            "fields": ["text", "title", "section"],
            "operator": "and",
            "zero_terms_query": no_words,
        }
    }


def _any(clauses: Sequence[Clause]) -> Clause:
    return clauses[0] if len(clauses) == 1 else {"bool": {"should": list(clauses), "minimum_should_match": 1}}


def _fields(query: Query) -> list[Clause]:
    out: list[Clause] = []
    for field, values in (
        ("note_type", query.types),
        ("patient_id", query.patients),
        ("note_id", query.notes),
        ("collection", query.collections),
    ):
        if values:
            out.append({"terms": {field: list(values)}})
    if query.sections:
        named = [{"terms": {name: list(query.sections)}} for name in ("aspect", "section.name")]
        out.append(_any(named))
    if query.after or query.before:
        span = {"gte": query.after, "lt": query.before}
        out.append({"range": {"date": {k: d.isoformat() for k, d in span.items() if d}}})
    return out


def _required(query: Query, among: Sequence[str] | None = None) -> dict[str, list[Clause]]:
    """What every hit must satisfy, whichever stage brings it: fields, phrases, exclusions."""
    must = _fields(query)
    must += [_any([_contains(t) for t in c]) for c in query.clauses if all(t.phrase for t in c)]
    if among is not None:
        must.append({"ids": {"values": list(among)}})
    return {"filter": must, "must_not": [_contains(t, no_words="none") for t in query.excluded]}


def bm25(query: Query, depth: int, among: Sequence[str] | None = None) -> Clause:
    """Passages by BM25 over text, and a little over title and heading. Without words: newest first."""
    body: Clause = {"size": depth, "_source": GROUPING, "track_total_hits": False}
    if not query.clauses:
        body["query"] = {"bool": _required(query, among)}
        body["sort"] = [{"date": {"order": "desc", "missing": "_last"}}, {"note_key": "asc"}, {"ordinal": "asc"}]
        return body
    ranked = [
        {"match": {"text": {"query": query.text}}},
        {"match": {"title": {"query": query.text, "boost": 0.3}}},
        {"match": {"section": {"query": query.text, "boost": 0.3}}},
    ]
    body["query"] = {"bool": {"should": ranked, "minimum_should_match": 1, **_required(query, among)}}
    return body


def knn(query: Query, vector: Sequence[float], depth: int, among: Sequence[str] | None = None) -> Clause:
    """Passages by cosine, searched among those that satisfy the filters."""
    field: Clause = {"vector": list(vector), "k": depth}
    required = _required(query, among)
    if required["filter"] or required["must_not"]:
        field["filter"] = {"bool": required}
    return {"size": depth, "_source": GROUPING, "track_total_hits": False, "query": {"knn": {"vector": field}}}


def hybrid(query: Query, vector: Sequence[float], depth: int) -> Clause:
    """Both in one request, to be fused by the engine's own pipeline; used by the benchmark."""
    parts = [bm25(query, depth)["query"], knn(query, vector, depth)["query"]]
    return {
        "size": depth,
        "_source": GROUPING,
        "track_total_hits": False,
        "query": {"hybrid": {"queries": parts, "pagination_depth": depth}},
    }


def matching(query: Query) -> Clause:
    """Passages that satisfy the filters and hold every word: the set that is counted."""
    required = _required(query)
    words = [_any([_contains(t) for t in c]) for c in query.clauses]
    return {"bool": {"filter": required["filter"] + words, "must_not": required["must_not"]}}


def counts(query: Query) -> Clause:
    """Exact number of matching passages, and facets over them."""
    return {
        "size": 0,
        "track_total_hits": True,
        "query": matching(query),
        "aggs": {
            "type": {"terms": {"field": "note_type", "size": 20}},
            "section": {"terms": {"field": "aspect", "size": 20}},
            "year": {
                "date_histogram": {"field": "date", "calendar_interval": "year", "format": "yyyy", "min_doc_count": 1}
            },
        },
    }


def undated(query: Query) -> Clause:
    """What `matching` would hold besides, were it not for the date filter."""
    without = matching(query.without_dates())
    without["bool"]["must_not"] = [*without["bool"]["must_not"], {"exists": {"field": "date"}}]
    return without


def distinct(query: Clause, field: str, after: dict[str, Any] | None = None) -> Clause:
    """A page of the distinct values of ``field``: paged through, an exact count, not an estimate."""
    composite: Clause = {"size": BUCKETS, "sources": [{"value": {"terms": {"field": field}}}]}
    if after:
        composite["after"] = after
    return {"size": 0, "track_total_hits": False, "query": query, "aggs": {"distinct": {"composite": composite}}}


def fetch(query: Query, ids: Sequence[str]) -> Clause:
    """The passages ``ids``, with the words of the query marked in their text."""
    named: Clause = {"ids": {"values": list(ids)}}
    body: Clause = {"size": len(ids), "_source": HIT_FIELDS, "query": {"bool": {"filter": [named]}}}
    whole = {"bool": {**matching(query)["bool"], "_name": WHOLE if query.clauses else FILTERS}}
    body["query"]["bool"]["should"] = [whole]
    if query.clauses:
        words = " ".join(t.text for c in query.clauses for t in c if not t.phrase)
        phrases = [t for c in query.clauses for t in c if t.phrase]
        marks = {"pre_tags": [MARKS[0]], "post_tags": [MARKS[1]], "number_of_fragments": 0}
        wanted: dict[str, Clause] = {}
        if words:
            wanted["text"] = {**marks, "highlight_query": {"match": {"text": words}}}
        if phrases:
            wanted["text.exact"] = {**marks, "highlight_query": _any([_contains(t) for t in phrases])}
        body["highlight"] = {"fields": wanted, "max_analyzer_offset": 900_000}
    return body


def values(field: str) -> Clause:
    """Every value of a keyword field, the commonest first."""
    return {"size": 0, "track_total_hits": False, "aggs": {"values": {"terms": {"field": field, "size": 1000}}}}
