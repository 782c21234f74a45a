"""What the systems of the retrieval evaluation are given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, cast

import pytest

from search_stack.core.settings import Settings
from search_stack.evaluation import systems
from search_stack.evaluation.candidates import Candidates
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Passage, Query
from search_stack.evaluation.systems import rank_systems

ASKED = "gout ; treatment"


class Listening:
    """A model that keeps what it is asked."""

    bytes_per_passage = parts = None

    def __init__(self) -> None:
        self.heard: list[str] = []

    def read(self, texts: Mapping[str, str]) -> None:
        """Nothing of them is needed."""

    def score(self, query: str, ids: Sequence[str]) -> Sequence[float]:
        self.heard.append(query)
        return [0.0] * len(ids)


class Stages:
    """Finds every passage, and keeps what it is asked."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.ranker = self

    def first_stage(self, plan: Any, depth: int, among: Sequence[str] | None = None) -> tuple[Any, None]:
        self.heard.append(plan.text)
        found = [(i, 1.0) for i in among or ()]
        return SimpleNamespace(bm25=found, knn=found, hybrid=found), None

    def rerank(self, *_: object) -> Any:
        return SimpleNamespace(order=[])


def test_a_model_is_asked_in_the_words_of_the_data_and_the_engine_without_lone_marks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @contextmanager
    def nowhere(*_: object) -> Iterator[str]:
        yield "index"

    stages, model = Stages(), Listening()
    monkeypatch.setattr(systems, "temporary_index", nowhere)
    monkeypatch.setattr(systems, "Searcher", lambda *_: stages)
    passages = (Passage("p", "d", "Gout", "gout", "treatment", "Colchicine helps."),)
    data = EntityAspectData("tiny", passages, (Query("q", ASKED, "gout", "treatment", "Treatment", ("p",)),))
    nothing = cast(Any, SimpleNamespace(dimensions=1))
    found = rank_systems(
        data, data.queries, Candidates.parse("bm25:2"), (), nothing, nothing, None, Settings(), print, {"ours": model}
    )
    assert model.heard == [ASKED]
    assert set(stages.heard) == {"gout treatment"}
    assert found.rankings["ours"]["q"] == [("p", 0.0)]
