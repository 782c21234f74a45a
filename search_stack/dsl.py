"""Criteria to the engine's query DSL: pure functions, plain dicts, the only such place.

Text from a person reaches `match`, `match_phrase` and `term` only, never `query_string`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from search_stack.criteria import ANY, AnyTerm, ConceptTerm, Query, Term
from search_stack.schema import ASSERTIONS

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
    "findings",
]
AROUND = ["lead", "before"]
"""Fields that the models read a passage with, besides those of the hit."""
MARKS = ("\ue000", "\ue001")
"""Private-use characters around a highlight: they stand in no note that is indexed as text."""
BUCKETS = 10_000
WHOLE, FILTERS = "every word", "filters"
"""Names under which the engine reports that a hit belongs to `matching`: with words, without."""
GROUPING = ["note_key", "patient_id"]
LABELS = ["present", "historical", "possible"]
"""Assertions under which a passage is listed for a finding, the strongest first."""
DENIED = "absent"


def _contains(term: AnyTerm, no_words: str = "all") -> Clause:
    """The passage, its heading or its note's title holds the term, or the labels of the passage do.

    ``no_words``: what a term of function words alone is in, "all" passages or "none".
    """
    if isinstance(term, ConceptTerm):
        labelled: Clause = {"term": {_label(term): term.concept}}
        return _all([labelled, _contains(Term(term.words, phrase=True))]) if term.words else labelled
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


def _label(term: ConceptTerm) -> str:
    """The field of the index that holds the concepts asked for."""
    if term.role == "entity":
        return "entities"
    return "mentioned" if term.assertion == ANY else term.assertion


def _least(term: AnyTerm) -> Clause | None:
    """What a passage must hold to be listed at all for ``term``; None where nothing.

    A passage that only denies a finding, or tells of somebody else's, is never listed for it; one
    that says it is past or possible, or that does not mention it and only comes close, is.
    """
    if isinstance(term, ConceptTerm) and not term.strict and term.assertion == "present":
        close = [{"terms": {name: [term.concept]}} for name in LABELS]
        listed = _any([*close, {"bool": {"must_not": [{"term": {"mentioned": term.concept}}]}}])
        return _all([listed, _contains(Term(term.words, phrase=True))]) if term.words else listed
    return _contains(term) if isinstance(term, ConceptTerm) or term.phrase else None


def _all(clauses: Sequence[Clause]) -> Clause:
    return clauses[0] if len(clauses) == 1 else {"bool": {"filter": list(clauses)}}


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
    if query.aspects:
        out.append({"terms": {"aspect": list(query.aspects)}})
    if query.sections:
        named = [{"terms": {name: list(query.sections)}} for name in ("aspect", "section.name")]
        out.append(_any(named))
    if query.after or query.before:
        span = {"gte": query.after, "lt": query.before}
        out.append({"range": {"date": {k: d.isoformat() for k, d in span.items() if d}}})
    return out


def _required(query: Query, among: Sequence[str] | None = None) -> dict[str, list[Clause]]:
    """What every hit must satisfy, whichever stage brings it: fields, phrases, findings, exclusions."""
    must = _fields(query)
    if query.within:
        kept: Clause = {"terms": {query.within.field: list(query.within.keys)}}
        return {"filter": [*must, kept, _shown(query), *_ids(among)], "must_not": []}
    for clause in query.clauses:
        least = [_least(t) for t in clause]
        known = [one for one in least if one is not None]
        if len(known) == len(least):
            must.append(_any(known))
    return {"filter": [*must, *_ids(among)], "must_not": [_contains(t, no_words="none") for t in query.excluded]}


def _ids(among: Sequence[str] | None) -> list[Clause]:
    return [] if among is None else [{"ids": {"values": list(among)}}]


def _shown(query: Query) -> Clause:
    """A passage shows at least one of the criteria that its note or patient satisfies together."""
    return _any([_all(unit) for unit in _units(query)]) if query.clauses else {"match_all": {}}


def _units(query: Query) -> list[list[Clause]]:
    """Criteria that may stand apart in a note or record: each concept, and all the words, which stay together."""
    words: list[Clause] = []
    out: list[list[Clause]] = []
    for clause in query.clauses:
        one = _any([_contains(t) for t in clause])
        if any(isinstance(t, ConceptTerm) for t in clause):
            out.append([one])
        else:
            words.append(one)
    return [*out, words] if words else out


def wanted_and_unwanted(query: Query) -> tuple[list[Clause], list[Clause]]:
    """Passages that satisfy each criterion on its own, and those that show each exclusion."""
    fields = _fields(query)
    wanted = [{"bool": {"filter": [*fields, *unit]}} for unit in _units(query)]
    unwanted = [{"bool": {"filter": [*fields, _contains(t, no_words="none")]}} for t in query.excluded]
    return wanted, unwanted


def bm25(query: Query, depth: int, among: Sequence[str] | None = None) -> Clause:
    """Passages by BM25 over text, and a little over title and heading. Without words: newest first."""
    body: Clause = {"size": depth, "_source": _grouping(query), "track_total_hits": False}
    if not query.clauses:
        body["query"] = {"bool": _required(query, among)}
        body["sort"] = [{"date": {"order": "desc", "missing": "_last"}}, {"note_key": "asc"}, {"ordinal": "asc"}]
        return body
    ranked = [
        {"match": {"text": {"query": query.text}}},
        {"match": {"title": {"query": query.text, "boost": 0.3}}},
        {"match": {"section": {"query": query.text, "boost": 0.3}}},
    ]
    # A finding may be there in other words than the query's.
    ranked += [{"constant_score": {"filter": _contains(t)}} for t in query.concepts]
    body["query"] = {"bool": {"should": ranked, "minimum_should_match": 1, **_required(query, among)}}
    return body


def knn(query: Query, vector: Sequence[float], depth: int, among: Sequence[str] | None = None) -> Clause:
    """Passages by cosine, searched among those that satisfy the filters."""
    field: Clause = {"vector": list(vector), "k": depth}
    required = _required(query, among)
    if required["filter"] or required["must_not"]:
        field["filter"] = {"bool": required}
    return {"size": depth, "_source": _grouping(query), "track_total_hits": False, "query": {"knn": {"vector": field}}}


def _grouping(query: Query) -> list[str]:
    return [*GROUPING, *LABELS, DENIED] if any(not t.strict for t in query.concepts) else GROUPING


def tier(query: Query, source: Mapping[str, Any]) -> int:
    """How well the labels of a passage satisfy ``query``: 0 every finding is as asked, 1 one is past
    only, 2 one is possible only, 3 one is not mentioned."""
    return max((min(_tier(t, source) for t in clause) for clause in query.clauses), default=0)


def denied(query: Query, source: Mapping[str, Any]) -> bool:
    """Whether the passage denies a finding besides: "no effusion on the left; effusion on the right"."""
    return any(t.concept in source.get(DENIED, ()) for t in query.concepts if not t.strict)


def _tier(term: AnyTerm, source: Mapping[str, Any]) -> int:
    if not isinstance(term, ConceptTerm) or term.strict or term.assertion != "present":
        return 0
    return next((n for n, name in enumerate(LABELS) if term.concept in source.get(name, ())), len(LABELS))


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
    if query.within:
        return {"bool": required}
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
    body: Clause = {"size": len(ids), "_source": [*HIT_FIELDS, *AROUND], "query": {"bool": {"filter": [named]}}}
    whole = {"bool": {**matching(query)["bool"], "_name": WHOLE if query.clauses else FILTERS}}
    body["query"]["bool"]["should"] = [whole]
    if query.clauses:
        terms = [t for c in query.clauses for t in c if isinstance(t, Term)]
        words = " ".join(t.text for t in terms if not t.phrase)
        phrases = [t for t in terms if t.phrase]
        marks = {"pre_tags": [MARKS[0]], "post_tags": [MARKS[1]], "number_of_fragments": 0}
        wanted: dict[str, Clause] = {}
        if words:
            wanted["text"] = {**marks, "highlight_query": {"match": {"text": words}}}
        if phrases:
            wanted["text.exact"] = {**marks, "highlight_query": _any([_contains(t) for t in phrases])}
        if wanted:
            body["highlight"] = {"fields": wanted, "max_analyzer_offset": 900_000}
    return body


def assertions(query: Query) -> Clause | None:
    """Passages by what they say of the query's one finding, the rest of the query as it is.

    None where the query holds no finding, or more than one.
    """
    found = [(n, t) for n, clause in enumerate(query.clauses) for t in clause if isinstance(t, ConceptTerm)]
    if len(found) != 1 or found[0][1].role != "finding" or len(query.clauses[found[0][0]]) != 1 or query.within:
        return None
    n, term = found[0]
    anyhow = replace(query, clauses=(*query.clauses[:n], (replace(term, assertion=ANY),), *query.clauses[n + 1 :]))
    each = {a: {"term": {a: term.concept}} for a in ASSERTIONS}
    return {
        "size": 0,
        "track_total_hits": False,
        "query": matching(anyhow),
        "aggs": {"assertion": {"filters": {"filters": each}}},
    }


def findings_of(note_key: int) -> Clause:
    """The labelled findings of a whole note, passage by passage."""
    return {
        "size": 10_000,
        "_source": ["findings", "note_version"],
        "track_total_hits": False,
        "query": {"term": {"note_key": note_key}},
        "sort": [{"ordinal": "asc"}],
    }


def mentions(concepts: Sequence[str]) -> Clause:
    """How many passages mention each of ``concepts``."""
    each = {c: {"term": {"mentioned": c}} for c in concepts}
    return {"size": 0, "track_total_hits": False, "aggs": {"mentions": {"filters": {"filters": each}}}}


def label_versions() -> Clause:
    """Passages by the version of their labels; those that carry none under an empty one."""
    versions = {"terms": {"field": "labels", "size": 1000, "missing": ""}}
    return {"size": 0, "track_total_hits": False, "aggs": {"labels": versions}}


def values(field: str) -> Clause:
    """Every value of a keyword field, the commonest first."""
    return {"size": 0, "track_total_hits": False, "aggs": {"values": {"terms": {"field": field, "size": 1000}}}}
