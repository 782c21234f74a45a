from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.entity_aspect import load

TEXT = "Asthma narrows the airways. It is treated with inhalers."


def whole() -> dict[str, Any]:
    return {
        "name": "tiny",
        "documents": [
            {
                "id": "d0",
                "title": "Asthma",
                "text": TEXT,
                "annotations": [
                    {"id": "p0", "begin": 0, "length": 27, "entity": "asthma", "aspect": "information"},
                    {"id": "p1", "begin": 28, "length": 28, "entity": "asthma", "aspect": "treatment"},
                ],
            }
        ],
        "queries": [
            {
                "text": "How is asthma treated?",
                "annotations": [{"entity": "asthma", "aspect": "treatment", "aspectHeading": "How it is treated"}],
                "results": [{"id": "p1", "relevance": 1}, {"id": "p0", "relevance": 0}],
            }
        ],
    }


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data.json"


def failure(path: Path) -> AspectraError:
    with pytest.raises(AspectraError) as caught:
        load(path)
    return caught.value


def test_passages_and_queries_are_read(path: Path) -> None:
    path.write_text(json.dumps(whole()))
    data = load(path)
    assert data.name == "tiny"
    assert [p.text for p in data.passages] == ["Asthma narrows the airways.", "It is treated with inhalers."]
    assert (data.passages[1].document_id, data.passages[1].title, data.passages[1].aspect) == (
        "d0",
        "Asthma",
        "treatment",
    )
    (query,) = data.queries
    assert (query.id, query.entity, query.aspect_heading) == ("q0", "asthma", "How it is treated")
    assert query.relevant == ("p1",)
    assert data.passage_by_id()["p0"] == data.passages[0]


def test_offsets_count_characters_beyond_the_first_plane(path: Path) -> None:
    raw = whole()
    raw["documents"][0]["text"] = "😀" + TEXT
    raw["documents"][0]["annotations"][0].update(begin=1)
    path.write_text(json.dumps(raw))
    assert load(path).passages[0].text == "Asthma narrows the airways."


def test_without_a_name_the_file_gives_it(path: Path) -> None:
    raw = whole()
    del raw["name"]
    path.write_text(json.dumps(raw))
    assert load(path).name == "data"


def test_a_result_without_relevance_is_relevant_and_the_heading_falls_back(path: Path) -> None:
    raw = whole()
    raw["queries"][0]["results"] = [{"id": "p0"}]
    del raw["queries"][0]["annotations"][0]["aspectHeading"]
    path.write_text(json.dumps(raw))
    assert load(path).queries[0].relevant == ("p0",)
    assert load(path).queries[0].aspect_heading == "treatment"


def test_a_file_that_is_not_there(path: Path) -> None:
    assert failure(path).message == f"{path}: cannot be read (No such file or directory)."


def test_a_file_that_is_not_json(path: Path) -> None:
    path.write_text('{"documents": [')
    assert failure(path).message.startswith(f"{path}: not JSON (")
    path.write_bytes(b"\xff\xfe")
    assert failure(path).message.startswith(f"{path}: not JSON (")


@pytest.mark.parametrize(
    ("damage", "where"),
    [
        (lambda raw: raw.pop("documents"), "top level lacks 'documents'."),
        (lambda raw: raw.pop("queries"), "lacks 'queries'."),
        (lambda raw: raw["documents"][0].pop("text"), "document 0 lacks 'text'."),
        (lambda raw: raw["documents"][0]["annotations"][1].pop("begin"), "document 0 lacks 'begin'."),
        (lambda raw: raw["documents"][0].update(annotations=[TEXT]), "document 0 has a field of another kind"),
        (
            lambda raw: raw["documents"][0]["annotations"][0].update(begin=TEXT),
            "document 0 has a field of another kind",
        ),
        (lambda raw: raw["documents"][0]["annotations"][0].update(aspect=7), "document 0 has a field of another kind"),
        (lambda raw: raw["queries"][0].update(text=["What helps?"]), "query 0 has a field of another kind"),
        (lambda raw: raw["documents"].append(TEXT), "document 1 has a field of another kind"),
        (lambda raw: raw["queries"][0].pop("results"), "query 0 lacks 'results'."),
        (lambda raw: raw["queries"][0].update(annotations=[]), "query 0 has a field of another kind, or an empty one."),
        (lambda raw: raw["queries"][0].update(annotations=[TEXT]), "query 0 has a field of another kind"),
        (lambda raw: raw["queries"][0].update(results=[]), "query q0 names no passage"),
        (
            lambda raw: raw["queries"][0].update(results=[{"id": "p9"}]),
            "query q0 names no passage, or one that the file",
        ),
    ],
)
def test_a_wrong_field_is_told_with_its_place(path: Path, damage: Callable[[Any], None], where: str) -> None:
    raw = whole()
    damage(raw)
    path.write_text(json.dumps(raw))
    error = failure(path)
    assert error.message.startswith(f"{path}: ")
    assert where in error.message
    assert "docs/evaluation.md" in error.remedy
    assert "airways" not in str(error)


def test_a_list_at_the_top(path: Path) -> None:
    path.write_text("[]")
    assert "top level has a field of another kind" in failure(path).message


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"length": 0}, "document 0, annotation 1: begin and length give no part"),
        ({"length": 29}, "document 0, annotation 1: begin and length give no part"),
        ({"begin": -1}, "document 0, annotation 1: begin and length give no part"),
        ({"begin": 27, "length": 1}, "document 0, annotation 1: the passage is empty"),
        ({"id": "p0"}, "two passages have the id p0"),
        ({"aspect": "therapy"}, "query q0 asks for the aspect 'treatment', which no passage has"),
    ],
)
def test_a_passage_that_cannot_be_used_is_named(path: Path, change: dict[str, Any], said: str) -> None:
    raw = whole()
    raw["documents"][0]["annotations"][1].update(change)
    path.write_text(json.dumps(raw))
    assert failure(path).message.startswith(f"{path}: {said}")
