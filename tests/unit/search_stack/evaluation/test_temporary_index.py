"""The index of an evaluation is there as long as the block runs, and no longer."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, cast

import pytest
from opensearchpy import OpenSearch

from search_stack.core.settings import Settings
from search_stack.evaluation.temporary_index import in_slices, temporary_index
from search_stack.index.passage import IndexedPassage
from search_stack.inference.models import Encoder

ENCODER = cast(Encoder, SimpleNamespace(dimensions=2, manifest=SimpleNamespace(identity="a bundle")))


class Engine:
    """Keeps what indexes there are, and the ids in each."""

    def __init__(self) -> None:
        self.held: dict[str, list[str]] = {}
        self.indices = self
        self.transport = SimpleNamespace(serializer=SimpleNamespace(dumps=json.dumps))

    def create(self, index: str, body: dict[str, Any]) -> None:
        assert body["mappings"]["_meta"]["encoder"] == "a bundle"
        self.held[index] = []

    def bulk(self, body: str, **_: Any) -> dict[str, Any]:
        heads = [json.loads(line)["index"] for line in body.splitlines()[::2]]
        for head in heads:
            self.held[head["_index"]].append(head["_id"])
        return {"errors": False, "items": [{"index": {"status": 201}} for _ in heads]}

    def refresh(self, index: str) -> None:
        assert index in self.held

    def delete(self, index: str, params: dict[str, str]) -> None:
        del self.held[index]


def passage(key: int) -> IndexedPassage:
    return IndexedPassage(
        note_id="n",
        note_key=key,
        note_version=1,
        patient_id="p",
        ordinal=0,
        begin=0,
        end=1,
        text="a",
        wording="w",
        vector=[1, 0],
    )


def test_it_holds_every_passage_under_a_name_of_its_own_and_is_dropped() -> None:
    engine = Engine()
    client = cast(OpenSearch, engine)
    with (
        temporary_index(map(passage, range(3)), client, ENCODER, Settings()) as one,
        temporary_index([], client, ENCODER, Settings()) as other,
    ):
        assert engine.held == {one: ["0.0", "1.0", "2.0"], other: []}
        assert one.startswith("aspectra-evaluation-")
    assert not engine.held


def test_it_is_dropped_where_the_passages_or_the_block_fail() -> None:
    engine = Engine()
    client = cast(OpenSearch, engine)
    with (
        pytest.raises(ZeroDivisionError),
        temporary_index((passage(1 // n) for n in (1, 0)), client, ENCODER, Settings()),
    ):
        pass
    assert not engine.held
    with pytest.raises(KeyError), temporary_index([passage(1)], client, ENCODER, Settings()):
        raise KeyError
    assert not engine.held


def test_progress_hears_of_a_slice_when_the_next_is_asked_for() -> None:
    heard: list[tuple[str, int, int]] = []
    slices = in_slices("abcde", 2, "letters", lambda *said: heard.append(said))
    assert next(slices) == "ab"
    assert heard == []
    assert list(slices) == ["cd", "e"]
    assert heard == [("letters", 2, 5), ("letters", 4, 5), ("letters", 5, 5)]
