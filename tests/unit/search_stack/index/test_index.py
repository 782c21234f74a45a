from __future__ import annotations

from dataclasses import fields
from typing import Literal

import pytest

from search_stack.core.schema import ASSERTIONS, Hit, passage_id
from search_stack.core.settings import Settings
from search_stack.index.mapping import (
    ANALYSIS,
    FUNCTION_WORDS,
    RRF_PIPELINE,
    alias,
    index_body,
    mapping,
    pipeline,
    template,
)
from search_stack.index.meta import SCHEMA, IndexMeta, OutdatedIndex
from search_stack.index.passage import IndexedPassage
from search_stack.index.versions import next_name
from search_stack.retrieval import dsl
from search_stack.retrieval.fusion import RANK_CONSTANT


def test_every_field_of_a_passage_is_of_a_type_that_the_engine_knows() -> None:
    known = {"keyword", "text", "long", "integer", "date", "object", "knn_vector"}
    assert {one["type"] for one in mapping(4, "lucene")["properties"].values()} == known


def test_a_document_has_the_mappings_fields() -> None:
    passage = IndexedPassage(
        note_id="n",
        note_key=3,
        note_version=1,
        patient_id="P",
        note_type="letter",
        date=None,
        title="",
        collection="demo",
        ordinal=2,
        begin=0,
        end=4,
        wording="w",
        section="Plan",
        aspect="treatment",
        text="Rest",
        vector=[1.0, 0.0],
    )
    assert set(passage.document()) == set(mapping(2, "lucene")["properties"])
    assert passage.id == passage_id(3, 2) == "3.2"
    assert "1.0" not in repr(passage)


def test_unknown_fields_are_refused() -> None:
    assert mapping(4, "lucene")["dynamic"] == "strict"


def test_an_index_says_how_it_was_built() -> None:
    meta = IndexMeta("a-bundle", "a-ledger")
    built = mapping(4, "lucene", meta)
    assert built["_meta"] == {"schema": SCHEMA, "encoder": "a-bundle", "ledger": "a-ledger"}
    assert IndexMeta.read(built) == meta
    assert IndexMeta.read({}) == IndexMeta(schema=1)


def test_every_assertion_has_a_field() -> None:
    assert set(ASSERTIONS) <= set(mapping(4, "lucene")["properties"])


def test_a_hit_shows_what_is_stored_and_what_the_search_found() -> None:
    found = {"passage_id", "highlights", "scores", "matched", "around", "tier"}
    assert {f.name for f in fields(Hit)} - set(dsl.HIT_FIELDS) == found


@pytest.mark.parametrize("engine", ["lucene", "faiss"])
def test_the_vector_field_takes_engine_and_dimension(engine: Literal["lucene", "faiss"]) -> None:
    body = index_body(Settings(vector_engine=engine, index_shards=2, index_replicas=1), 384)
    vector = body["mappings"]["properties"]["vector"]
    assert (vector["type"], vector["dimension"]) == ("knn_vector", 384)
    assert (vector["method"]["engine"], vector["method"]["space_type"]) == (engine, "cosinesimil")
    assert body["settings"]["index"]["knn"] is True
    assert body["settings"]["index"]["number_of_shards"] == 2
    assert body["settings"]["index"]["number_of_replicas"] == 1


def test_every_analyzer_named_in_the_mapping_is_defined() -> None:
    named: set[str] = set()
    for field in mapping(4, "lucene")["properties"].values():
        for part in (field, *field.get("fields", {}).values()):
            named |= {part[k] for k in ("analyzer", "search_analyzer") if k in part}
    assert named == set(ANALYSIS["analyzer"])
    for analyzer in ANALYSIS["analyzer"].values():
        own = {f for f in analyzer["filter"] if f.startswith("clinical")}
        assert own <= set(ANALYSIS["filter"])


def test_words_that_deny_are_searched() -> None:
    assert not {"no", "not", "never", "without", "nor", "none"} & set(FUNCTION_WORDS)


def test_the_template_covers_every_version_and_no_other_index() -> None:
    settings = Settings(index_prefix="ward-3")
    assert template(settings, 4)["index_patterns"] == ["ward-3-passages-*"]
    assert template(settings, 4)["template"] == index_body(settings, 4)
    assert alias(settings) == "ward-3-passages"
    assert pipeline(settings) == "ward-3-rrf"


def test_the_engines_fusion_has_our_constant() -> None:
    combination = RRF_PIPELINE["phase_results_processors"][0]["score-ranker-processor"]["combination"]  # type: ignore[index]
    assert combination["rank_constant"] == RANK_CONSTANT


@pytest.mark.parametrize(
    ("existing", "expected"),
    [
        ([], "aspectra-passages-000001"),
        (["aspectra-passages-000001"], "aspectra-passages-000002"),
        (["aspectra-passages-000010", "aspectra-passages-000009"], "aspectra-passages-000011"),
        (["aspectra-passages-1", "aspectra-passages-000007-old", "other-passages-000009"], "aspectra-passages-000001"),
        (["xaspectra-passages-000004"], "aspectra-passages-000001"),
    ],
)
def test_next_name_follows_the_newest(existing: list[str], expected: str) -> None:
    assert next_name("aspectra-passages", existing) == expected


def test_an_index_of_another_version_says_which_way_and_what_mends_it() -> None:
    older, newer = OutdatedIndex("x", SCHEMA - 1), OutdatedIndex("x", SCHEMA + 1)
    said = f"The index x was made by an older Aspectra: its schema is {SCHEMA - 1}, and this one's {SCHEMA}."
    assert older.message == said
    assert older.remedy == "Build it anew from the ledger: aspectra reindex"
    assert "a newer Aspectra" in newer.message
    assert newer.remedy == "Use that version, or build it anew from the ledger: aspectra reindex"
