from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from search_stack.cohorts.clauses import among
from search_stack.cohorts.plan import Plan
from search_stack.query.nodes import Finding
from search_stack.query.tree import QueryError
from search_stack.retrieval import dsl
from search_stack.retrieval.tiers import denied, tier_of

Planned = Callable[[str], Plan]
VECTOR = [0.6, 0.8]
LINE = (
    '(effusion OR hydrothorax) "chest pain" -fever -"heart failure" crackles section:impression after:2019 before:2020'
)


def words(text: str, zero: str = "all") -> dict[str, Any]:
    fields = ["text", "title", "section"]
    how = {"type": "cross_fields", "fields": fields, "operator": "and", "zero_terms_query": zero}
    return {"multi_match": {"query": text, **how}}


def phrase(text: str) -> dict[str, Any]:
    return {"match_phrase": {"text.exact": text}}


def either(*clauses: dict[str, Any]) -> dict[str, Any]:
    return {"bool": {"should": list(clauses), "minimum_should_match": 1}}


def without(*clauses: dict[str, Any]) -> dict[str, Any]:
    return {"bool": {"must_not": list(clauses)}}


def listed(concept: str) -> dict[str, Any]:
    close = [{"term": {name: concept}} for name in ("present", "historical", "possible")]
    return either(*close, without({"term": {"mentioned": concept}}))


FILTERS = [
    either({"term": {"aspect": "impression"}}, {"term": {"section.name": "impression"}}),
    {"range": {"date": {"gte": "2019-01-01"}}},
    {"range": {"date": {"lt": "2020-01-01"}}},
]
EXCLUDED = [without({"term": {"present": "fever"}}), without(phrase("heart failure"))]


def keys(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


def test_what_is_counted_holds_every_criterion(planned: Planned) -> None:
    assert planned(LINE).matching() == {
        "bool": {
            "filter": [
                either({"term": {"present": "effusion"}}, {"term": {"present": "hydrothorax"}}),
                phrase("chest pain"),
                *EXCLUDED,
                words("crackles"),
                *FILTERS,
            ]
        }
    }


def test_bm25_ranks_by_words_among_what_may_be_listed(planned: Planned) -> None:
    text = "effusion hydrothorax chest pain crackles"
    body = dsl.bm25(planned(LINE), 50, among=["1.0"])
    assert body["size"] == 50
    assert set(body["_source"]) > {"note_key", "patient_no", "present"}
    assert body["query"]["bool"]["should"] == [
        {"multi_match": {"query": text, "type": "cross_fields", "fields": ["text", "title", "section"]}},
        {"constant_score": {"filter": {"term": {"present": "effusion"}}}},
        {"constant_score": {"filter": {"term": {"present": "hydrothorax"}}}},
    ]
    may_be_listed = {
        "bool": {
            "filter": [either(listed("effusion"), listed("hydrothorax")), phrase("chest pain"), *EXCLUDED, *FILTERS]
        }
    }
    assert body["query"]["bool"]["filter"] == [may_be_listed, {"ids": {"values": ["1.0"]}}]


def test_a_line_ranks_by_its_own_words_and_bm25_by_the_names_too(planned: Planned) -> None:
    plan = replace(planned("effusion"), typed="fluid on the lung")
    assert plan.text == "fluid on the lung"
    assert plan.ranks
    assert dsl.bm25(plan, 5)["query"]["bool"]["should"][0]["multi_match"]["query"] == "fluid on the lung effusion"
    assert replace(plan, typed="Effusion seen").terms == "Effusion seen"


def test_filters_in_plain_words_rank_nothing_and_a_denial_in_plain_words_does(planned: Planned) -> None:
    assert not replace(planned("patient:P-1 after:2019-01-01"), typed="since 2019").ranks
    assert not planned("-effusion").ranks
    assert replace(planned("-effusion"), typed="without effusion").ranks


def test_without_words_the_newest_come_first(planned: Planned) -> None:
    body = dsl.bm25(planned("patient:P-1"), 5)
    assert body["query"] == {"term": {"patient_id": "P-1"}}
    assert body["sort"] == [{"date": {"order": "desc", "missing": "_last"}}, {"note_key": "asc"}, {"ordinal": "asc"}]


def test_near_is_asked_of_the_patient_and_of_others_by_the_vector() -> None:
    patient = {"term": {"patient_no": 4}}
    own_note = [{"term": {"note_key": 9}}]
    assert dsl.of_patient(VECTOR, 9, 4, 6)["query"]["knn"]["vector"] == {
        "vector": VECTOR,
        "k": 6,
        "filter": {"bool": {"filter": [patient], "must_not": own_note}},
    }
    others = dsl.of_others(VECTOR, "w", 4, 6)["query"]["knn"]["vector"]["filter"]
    assert others == without(patient, {"term": {"wording": "w"}})


def test_knn_filters_while_it_searches(planned: Planned) -> None:
    body = dsl.knn(planned("crackles section:impression"), VECTOR, 7)
    assert body["query"] == {"knn": {"vector": {"vector": VECTOR, "k": 7, "filter": FILTERS[0]}}}
    assert dsl.knn(planned("crackles"), VECTOR, 7)["query"] == {"knn": {"vector": {"vector": VECTOR, "k": 7}}}
    near = dsl.knn(planned("crackles"), VECTOR, 7, among=["2.1"])["query"]["knn"]["vector"]
    assert near["filter"] == {"ids": {"values": ["2.1"]}}


def test_hybrid_holds_both_queries_and_a_fixed_depth(planned: Planned) -> None:
    plan = planned(LINE)
    parts = [dsl.bm25(plan, 9)["query"], dsl.knn(plan, VECTOR, 9)["query"]]
    assert dsl.hybrid(plan, VECTOR, 9)["query"] == {"hybrid": {"queries": parts, "pagination_depth": 9}}


def test_text_from_a_person_never_reaches_a_query_language(planned: Planned) -> None:
    plan = planned('x:y "a b" -c finding:fever')
    bodies = [
        dsl.bm25(plan, 5),
        dsl.knn(plan, VECTOR, 5),
        dsl.counts(plan),
        dsl.fetch(plan, ["1.0"]),
        dsl.of_unit(plan, "note_key", 1, 3),
        dsl.in_order(plan, 5, None, ["1.0"], shown=True),
    ]
    named = set(keys(bodies))
    assert not named & {"query_string", "simple_query_string", "script", "script_score", "regexp", "wildcard"}
    assert {"multi_match", "match_phrase", "term"} <= named


def test_words_that_say_nothing_are_in_all_passages_but_exclude_none(planned: Planned) -> None:
    assert planned('words:"of the"').matching() == words("of the", "all")
    assert planned('fever -words:"of the"').matching()["bool"]["filter"][1] == without(words("of the", "none"))


@pytest.mark.parametrize(
    ("line", "source", "tier"),
    [
        ("fever", {"present": ["fever"]}, 0),
        ("fever", {"historical": ["fever"], "possible": ["fever"]}, 1),
        ("fever", {"possible": ["fever"]}, 2),
        ("fever", {}, 3),
        ("fever effusion", {"present": ["fever"]}, 3),
        ("fever OR effusion", {"present": ["fever"]}, 0),
        ("no fever", {"own": ["absent fever"]}, 0),
        ("no fever", {"own": ["absent valley-fever"], "absent": ["fever"]}, 4),
        ("no fever", {}, 3),
        ("finding:fever historical", {"historical": ["fever"], "mentioned": ["fever"]}, 0),
        ("finding:fever historical", {}, 3),
        (
            "effusion, no fever",
            {"own": ["absent valley-fever"], "absent": ["fever"], "possible": ["effusion"]},
            2,
        ),
        ("effusion, no fever", {"own": ["absent valley-fever"], "absent": ["fever"], "present": ["effusion"]}, 4),
        ("crackles", {}, 0),
    ],
)
def test_tiers(planned: Planned, line: str, source: dict[str, list[str]], tier: int) -> None:
    assert tier_of(planned(line), source) == tier


def test_a_passage_that_shows_a_part_of_what_its_patient_satisfies_is_in_no_lower_tier(planned: Planned) -> None:
    plan = planned("fever effusion")
    assert tier_of(Plan(plan.node, plan.ids, among("patient_no", [1])), {"present": ["fever"]}) == 0


def test_a_denial_beside_is_told(planned: Planned) -> None:
    assert denied(planned("effusion"), {"absent": ["effusion"], "present": ["effusion"]})
    assert not denied(planned("no effusion"), {"absent": ["effusion"]})


@pytest.mark.parametrize(
    ("line", "needs"),
    [
        ("fever", False),
        ("fever OR effusion", False),
        ("fever section:impression after:2019", False),
        ("fever effusion", True),
        ("fever -effusion", True),
        ("-fever", True),
        ("-section:impression", False),
        ("(fever section:impression) OR effusion", False),
    ],
)
def test_sets_are_only_compared_where_criteria_may_stand_apart(planned: Planned, line: str, needs: bool) -> None:
    assert planned(line).needs_keys is needs


def test_a_concept_that_the_lexicon_lacks_is_no_silent_nothing(planned: Planned) -> None:
    with pytest.raises(QueryError, match="no concept called"):
        Plan.of(Finding("gout"), None)


def test_plain_words_are_one_criterion() -> None:
    assert Plan.words(" no  fever ?").matching() == words("no fever")


def test_what_is_not_asked_for_as_present_must_be_mentioned_and_what_does_not_mention_it_may_follow(
    planned: Planned,
) -> None:
    absent, unmentioned = {"term": {"absent": "fever"}}, without({"term": {"mentioned": "fever"}})

    def beside(said: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"bool": {"filter": [either(said, unmentioned)], "must_not": [said]}}]

    assert planned("no fever").listed() == [absent]
    assert planned("no fever").unsaid() == beside(absent)
    assert planned("fever").listed() == [listed("fever")]
    past = {"term": {"historical": "fever"}}
    assert planned("finding:fever historical").unsaid() == beside(past)
    assert dsl.bm25(planned("no fever"), 5, unsaid=True)["query"]["bool"]["filter"] == beside(absent)
    near = dsl.knn(planned("no fever"), [1.0], 5, unsaid=True)["query"]["knn"]["vector"]
    assert near["filter"] == beside(absent)[0]
    widens = {
        line: planned(line).widens
        for line in ("no fever", "crackles OR (no fever)", "fever", "fever -effusion", "crackles", "finding:fever any")
    }
    assert widens == {
        "no fever": True,
        "crackles OR (no fever)": False,
        "fever": False,
        "fever -effusion": False,
        "crackles": False,
        "finding:fever any": False,
    }
