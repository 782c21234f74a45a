"""Answers judged by the served models, stacked."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from search_stack.evaluation.answers import shares
from search_stack.evaluation.datasets.mediqa import Answer, Question
from search_stack.evaluation.stacking import FEATURES, WINDOW, Stacked, features, windows
from search_stack.evaluation.tasks.qa import bm25, report, systems
from search_stack.inference.models import Encoder, Reranker

WORDS = [f"word{n}" for n in range(2 * WINDOW + 5)]


def answer(number: int, text: str, score: int) -> Answer:
    return Answer(f"1_Answer{number}", text, number, number, score)


QUESTION = Question(
    "1",
    "What is the treatment of gout?",
    (
        answer(1, "Kidney stones: Drink more water so that small stones pass by themselves.", 1),
        answer(2, "Treatment of gout: Colchicine and anti-inflammatory drugs calm an attack; allopurinol prevents.", 4),
        answer(3, f"Sprains: {' '.join(WORDS)}", 1),
    ),
)


def test_a_long_answer_is_read_in_windows_behind_its_heading() -> None:
    parts = windows(QUESTION.answers[2])
    assert [len(p.split()) for p in parts] == [WINDOW + 1, WINDOW + 1, 6]
    assert all(p.startswith("Sprains: word") for p in parts)
    assert windows(answer(1, "No heading here", 1)) == ["No heading here"]


@pytest.fixture(scope="module")
def models() -> tuple[Encoder, Reranker]:
    settings = Settings()
    reranker = Reranker.from_settings(settings)
    assert reranker is not None
    return Encoder.from_settings(settings), reranker


def test_features_are_of_each_answer_and_within_its_question(models: tuple[Encoder, Reranker]) -> None:
    found = features(QUESTION, *models)
    assert found.shape == (3, len(FEATURES))
    by_name = dict(zip(FEATURES, found.T, strict=True))
    assert by_name["system rank"].tolist() == [1, 2, 3]
    assert by_name["cosine largest"].argmax() == by_name["cross first"].argmax() == 1
    assert found[:, len(FEATURES) // 2 :].mean(axis=0) == pytest.approx(np.zeros(len(FEATURES) // 2), abs=1e-9)
    # One window: read once, told twice.
    assert by_name["cross first"][0] == by_name["cross second"][0]
    alone = features(Question("2", QUESTION.text, QUESTION.answers[:1]), *models)
    assert np.isfinite(alone).all()


def test_what_is_shipped_tells_the_right_answer_from_the_wrong_ones(models: tuple[Encoder, Reranker]) -> None:
    stacked = Stacked.load()
    assert (stacked.encoder, stacked.reranker) == tuple(m.manifest.identity for m in models)
    told = stacked.probabilities(features(QUESTION, *models))
    assert told.argmax() == 1
    assert told[1] >= stacked.threshold > told[0]
    found = report([QUESTION], systems([QUESTION], [features(QUESTION, *models)], stacked))
    accuracy = found.systems["stacked"]["accuracy"]
    assert accuracy is not None
    assert accuracy.value == 1
    assert found.cell("as given", "MRR") == "0.500"


def test_bm25_knows_words_and_gives_nothing_to_a_question_without_any() -> None:
    (scores,) = bm25([QUESTION])
    assert scores[1] > scores[0] >= 0
    assert bm25([QUESTION, Question("2", "xyzzy?", QUESTION.answers)])[1] == [0, 0, 0]


def test_other_weights_are_read_or_refused(tmp_path: Path) -> None:
    file = tmp_path / "qa.json"
    file.write_text(Stacked.load().model_dump_json(), encoding="utf-8")
    assert Stacked.load(file) == Stacked.load()
    with pytest.raises(AspectraError, match="holds no stacked model"):
        Stacked.load(tmp_path / "none.json")
    file.write_text(json.dumps({**Stacked.load().model_dump(), "mean": [0.0]}), encoding="utf-8")
    with pytest.raises(AspectraError, match="over other features"):
        Stacked.load(file)
    assert shares([]) == dict.fromkeys(("accuracy", "precision", "MRR", "spearman", "spearman_ranks"))
