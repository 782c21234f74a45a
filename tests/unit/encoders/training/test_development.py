from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from torch import Tensor

from encoders.models.bi import BiEncoder
from encoders.models.scorer import Pairwise
from encoders.models.tower import Tower
from encoders.training.development import Development
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData


class Knowing(Pairwise):
    """Counts the words of the query, less those that it does not know, in the passage; ``sign`` -1: the fewer, the
    better."""

    def __init__(self, unknown: str = "", sign: int = 1) -> None:
        super().__init__()
        self.unknown, self.sign = unknown.split(), sign
        self.means = {"causes": "arises", "symptoms": "shows", "treatment": "eased"}

    def pairs(self, queries: Sequence[str], passages: Sequence[str]) -> Tensor:
        words = [[self.means.get(w, w) for w in q.split() if w not in self.unknown] for q in queries]
        found = [sum(w in p.split() for w in row) for row, p in zip(words, passages, strict=True)]
        return torch.tensor([float(self.sign * n) for n in found])

    def save(self, folder: Path) -> None:
        raise NotImplementedError


def test_answers_come_first_and_every_candidate_once(tiny_data: EntityAspectData) -> None:
    development = Development(tiny_data, (), depth=5)
    number = {p.id: n for n, p in enumerate(tiny_data.passages)}
    for query, candidates in zip(tiny_data.queries, development.lists, strict=True):
        assert candidates.query == query.text
        assert len(set(candidates.passages)) == len(candidates.passages) <= 5
        assert candidates.passages[: candidates.answers] == tuple(number[i] for i in query.relevant)


def test_r_at_1_is_the_share_of_queries_whose_answer_is_first(tiny_data: EntityAspectData) -> None:
    development = Development(tiny_data, ())
    assert development.r_at_1(Knowing()) == 1.0
    assert development.r_at_1(Knowing(unknown="causes")) == pytest.approx(2 / 3)
    assert development.r_at_1(Knowing(sign=-1)) == 0.0


def test_a_model_that_scores_all_alike_is_never_right(tiny_data: EntityAspectData) -> None:
    everything = " ".join(q.text for q in tiny_data.queries)
    assert Development(tiny_data, ()).r_at_1(Knowing(unknown=everything)) == 0.0


def test_passages_are_encoded_once_and_score_as_when_scored_together(
    tiny_data: EntityAspectData, tiny_base: Path
) -> None:
    model = BiEncoder(Tower.from_base(tiny_base, 24)).train()
    development = Development(tiny_data, ())
    with torch.inference_mode():
        apart = development._scores(model.eval())
        for candidates, scores in zip(development.lists, apart, strict=True):
            texts = [development.passages[n] for n in candidates.passages]
            assert scores.tolist() == pytest.approx(model.score([candidates.query], texts)[0].tolist(), abs=1e-4)


@pytest.mark.parametrize("training", [True, False])
def test_the_model_is_left_in_its_mode(tiny_data: EntityAspectData, tiny_base: Path, training: bool) -> None:
    model = BiEncoder(Tower.from_base(tiny_base, 24)).train(training)
    Development(tiny_data, (), limit=3).r_at_1(model)
    assert model.training is training


def test_a_limit_draws_the_same_queries_every_time(tiny_data: EntityAspectData) -> None:
    one, two = (Development(tiny_data, (), limit=4).lists for _ in range(2))
    assert len(one) == 4
    assert one == two
