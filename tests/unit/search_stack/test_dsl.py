from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from search_stack import dsl
from search_stack.criteria import parse

VECTOR = [0.6, 0.8]
LINE = (
    'effusion OR hydrothorax "chest pain" -fever -"heart failure" section:impression type:letter patient:P-1 note:n-1 '
    "collection:demo after:2019 before:2020"
)


def word(text: str, no_words: str = "all") -> dict[str, Any]:
    fields = ["text", "title", "section"]
    return {"multi_match": {"query": text, "fields": fields, "operator": "and", "zero_terms_query": no_words}}


def phrase(text: str) -> dict[str, Any]:
    return {"match_phrase": {"text.exact": text}}


FILTERS = [
    {"terms": {"note_type": ["letter"]}},
    {"terms": {"patient_id": ["P-1"]}},
    {"terms": {"note_id": ["n-1"]}},
    {"terms": {"collection": ["demo"]}},
    {
        "bool": {
            "should": [{"terms": {"aspect": ["impression"]}}, {"terms": {"section.name": ["impression"]}}],
            "minimum_should_match": 1,
        }
    },
    {"range": {"date": {"gte": "2019-01-01", "lt": "2020-01-01"}}},
]
EXCLUDED = [word("fever", "none"), phrase("heart failure")]


def keys(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


def test_matching_holds_filters_words_phrases_and_exclusions() -> None:
    assert dsl.matching(parse(LINE)) == {
        "bool": {
            "filter": [
                *FILTERS,
                phrase("chest pain"),
                {"bool": {"should": [word("effusion"), word("hydrothorax")], "minimum_should_match": 1}},
                phrase("chest pain"),
            ],
            "must_not": EXCLUDED,
        }
    }


def test_bm25_ranks_by_words_among_what_the_filters_leave() -> None:
    text = "effusion hydrothorax chest pain"
    assert dsl.bm25(parse(LINE), 50, among=["1.0"]) == {
        "size": 50,
        "_source": ["note_key", "patient_id"],
        "track_total_hits": False,
        "query": {
            "bool": {
                "should": [
                    {"match": {"text": {"query": text}}},
                    {"match": {"title": {"query": text, "boost": 0.3}}},
                    {"match": {"section": {"query": text, "boost": 0.3}}},
                ],
                "minimum_should_match": 1,
                "filter": [*FILTERS, phrase("chest pain"), {"ids": {"values": ["1.0"]}}],
                "must_not": EXCLUDED,
            }
        },
    }


def test_without_words_the_newest_come_first() -> None:
    body = dsl.bm25(parse("patient:P-1"), 5)
    assert body["query"] == {"bool": {"filter": [{"terms": {"patient_id": ["P-1"]}}], "must_not": []}}
    assert body["sort"] == [{"date": {"order": "desc", "missing": "_last"}}, {"note_key": "asc"}, {"ordinal": "asc"}]


def test_knn_filters_while_it_searches() -> None:
    body = dsl.knn(parse(LINE), VECTOR, 7)
    assert body["size"] == 7
    assert body["query"] == {
        "knn": {
            "vector": {
                "vector": VECTOR,
                "k": 7,
                "filter": {"bool": {"filter": [*FILTERS, phrase("chest pain")], "must_not": EXCLUDED}},
            }
        }
    }


def test_knn_without_filters_has_none() -> None:
    assert dsl.knn(parse("effusion"), VECTOR, 7)["query"] == {"knn": {"vector": {"vector": VECTOR, "k": 7}}}


def test_knn_can_be_kept_to_given_passages() -> None:
    nearest = dsl.knn(parse("effusion"), VECTOR, 7, among=["2.1"])["query"]["knn"]["vector"]
    assert nearest["filter"] == {"bool": {"filter": [{"ids": {"values": ["2.1"]}}], "must_not": []}}


def test_hybrid_holds_both_queries_and_a_fixed_depth() -> None:
    query = parse(LINE)
    assert dsl.hybrid(query, VECTOR, 9)["query"] == {
        "hybrid": {
            "queries": [dsl.bm25(query, 9)["query"], dsl.knn(query, VECTOR, 9)["query"]],
            "pagination_depth": 9,
        }
    }


def test_a_clause_that_mixes_words_and_phrases_is_not_required_before_ranking() -> None:
    query = parse('"pleural effusion" OR hydrothorax')
    assert dsl.bm25(query, 5)["query"]["bool"]["filter"] == []
    assert dsl.matching(query)["bool"]["filter"] == [
        {"bool": {"should": [phrase("pleural effusion"), word("hydrothorax")], "minimum_should_match": 1}}
    ]


def test_a_function_word_matches_all_where_wanted_and_none_where_excluded() -> None:
    bool_ = dsl.matching(parse("the effusion -of"))["bool"]
    assert bool_["filter"][0]["multi_match"]["zero_terms_query"] == "all"
    assert bool_["must_not"][0]["multi_match"]["zero_terms_query"] == "none"


def test_counts_are_exact_and_over_what_matches() -> None:
    query = parse(LINE)
    body = dsl.counts(query)
    assert body["query"] == dsl.matching(query)
    assert (body["size"], body["track_total_hits"]) == (0, True)
    assert {name: next(iter(a)) for name, a in body["aggs"].items()} == {
        "type": "terms",
        "section": "terms",
        "year": "date_histogram",
    }


def test_undated_leaves_the_dates_out_and_asks_for_none() -> None:
    query = parse("effusion -fever after:2019")
    assert dsl.undated(query) == {
        "bool": {
            "filter": [word("effusion")],
            "must_not": [word("fever", "none"), {"exists": {"field": "date"}}],
        }
    }


def test_distinct_values_are_paged_through() -> None:
    query = dsl.matching(parse("effusion"))
    first = dsl.distinct(query, "patient_id")
    assert first["aggs"] == {
        "distinct": {"composite": {"size": 10_000, "sources": [{"value": {"terms": {"field": "patient_id"}}}]}}
    }
    second = dsl.distinct(query, "patient_id", {"value": "P-9"})
    assert second["aggs"]["distinct"]["composite"]["after"] == {"value": "P-9"}
    assert second["query"] == query


def test_fetch_marks_words_and_phrases_apart_and_names_whole_matches() -> None:
    query = parse('effusion "chest pain"')
    body = dsl.fetch(query, ["1.0", "1.1"])
    assert body["size"] == 2
    assert body["query"]["bool"]["filter"] == [{"ids": {"values": ["1.0", "1.1"]}}]
    assert body["query"]["bool"]["should"] == [{"bool": {**dsl.matching(query)["bool"], "_name": dsl.WHOLE}}]
    fields = body["highlight"]["fields"]
    assert fields["text"]["highlight_query"] == {"match": {"text": "effusion"}}
    assert fields["text.exact"]["highlight_query"] == phrase("chest pain")
    for field in fields.values():
        assert (field["pre_tags"], field["post_tags"]) == ([dsl.MARKS[0]], [dsl.MARKS[1]])
        assert field["number_of_fragments"] == 0


def test_fetch_without_words_marks_nothing() -> None:
    query = parse("patient:P-1")
    body = dsl.fetch(query, ["1.0"])
    assert body["query"]["bool"] == {
        "filter": [{"ids": {"values": ["1.0"]}}],
        "should": [{"bool": {**dsl.matching(query)["bool"], "_name": dsl.FILTERS}}],
    }
    assert "highlight" not in body


def test_vectors_stay_in_the_engine() -> None:
    assert "vector" not in dsl.HIT_FIELDS


def test_text_never_reaches_a_query_language() -> None:
    hostile = parse(r'a/b/ text:* (x~2)^9 [1 TO 2] {"match_all":1} section:"a*" type:"a OR b" -"x:*"')
    bodies = [
        dsl.bm25(hostile, 5),
        dsl.knn(hostile, VECTOR, 5),
        dsl.hybrid(hostile, VECTOR, 5),
        dsl.matching(hostile),
        dsl.counts(hostile),
        dsl.undated(hostile),
        dsl.distinct(dsl.matching(hostile), "note_key"),
        dsl.fetch(hostile, ["1.0"]),
        dsl.values("aspect"),
    ]
    banned = {"query_string", "simple_query_string", "regexp", "wildcard", "prefix", "fuzzy", "script", "template"}
    assert banned.isdisjoint(keys(bodies))
