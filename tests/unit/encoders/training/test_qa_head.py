"""Training of the published judge of answers, on a tiny base and on lines of the data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from encoders.models.qa_head import QaHead
from encoders.training.qa_head import (
    FAR,
    Judged,
    QaHeadConfig,
    in_folds,
    of_documents,
    of_questions,
    probabilities,
    train,
)
from search_stack.core.errors import AspectraError
from search_stack.evaluation.answers import MEASURES, shares
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData
from search_stack.evaluation.datasets.mediqa import Answer, Question, load

WORDS = ("asthma", "gout", "anaemia", "angina", "eczema", "sepsis")
QUESTIONS = [
    Question(
        str(n),
        f"what are the causes of {word}",
        tuple(
            Answer(f"{n}_{k}", f"{word} {said}", k, k, score)
            for k, (said, score) in enumerate((("arises from", 4), ("chest pain .", 1), ("left lung .", 2)), 1)
        ),
    )
    for n, word in enumerate(WORDS)
]


@pytest.fixture
def config(tiny_base: Path) -> QaHeadConfig:
    return QaHeadConfig(str(tiny_base), max_tokens=32, hidden=32, epochs=30, batch=8, learning_rate=3e-3, folds=3)


def test_it_learns_what_answers_look_like(config: QaHeadConfig) -> None:
    model = train(of_questions(QUESTIONS), config)
    right = [p[0] > 0.5 > max(p[1:]) for p in probabilities(model, QUESTIONS)]
    assert all(right)
    told = shares(in_folds(QUESTIONS, [], config))
    assert set(told) == {*MEASURES}
    assert told["accuracy"] is not None
    assert told["accuracy"].value > 0.8


def test_a_closed_encoder_stays_as_it_was_and_an_open_one_does_not(config: QaHeadConfig) -> None:
    weights = dict(QaHead.from_base(config.base, config.shape).tower.named_parameters())
    short = replace(config, epochs=1)
    for layers, changed in ((0, set()), (1, {1}), (-1, {0, 1})):
        model = train(of_questions(QUESTIONS), replace(short, open_layers=layers, encoder_rate=1e-3))
        moved = {n for n, p in model.tower.named_parameters() if not torch.equal(p, weights[n])}
        assert {int(n.split(".layer.")[1][0]) for n in moved if ".layer." in n} == changed
        assert any("embeddings" in n for n in moved) == (layers < 0)


def test_documents_give_answers_under_their_own_question_and_others_under_it(tiny_data: EntityAspectData) -> None:
    drawn = of_documents(tiny_data, 6, 0)
    assert [(j.correct, j.rank) for j in drawn] == [(True, 1), (False, FAR), (False, FAR)] * 2
    assert len({j.question for j in drawn}) == 2
    for j in drawn:
        about, _, entity = j.question.removeprefix("what are the ").partition(" of ")
        own = {"causes": "arises", "symptoms": "shows", "treatment": "eased"}[about]
        assert j.answer.startswith(entity)
        assert (own in j.answer) == j.correct
    assert of_documents(tiny_data, 2, 0) == drawn[:2]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"epochs": 0}, "epochs is 0."),
        ({"bce": -0.1}, "bce is -0.1."),
        ({"open_layers": -2}, "open_layers is -2."),
        ({"open_layers": 3}, "The base has 2 layers."),
        ({"folds": 1}, "One fold"),
        ({"dropout": 1.0}, "dropout is 1.0."),
    ],
)
def test_options_that_cannot_be_are_refused(config: QaHeadConfig, changes: dict[str, float], says: str) -> None:
    with pytest.raises(AspectraError) as told:
        train(of_questions(QUESTIONS), replace(config, **changes))  # type: ignore[arg-type]
    assert told.value.message.startswith(says)


def test_answers_of_one_kind_teach_nothing(config: QaHeadConfig) -> None:
    with pytest.raises(AspectraError, match="all correct, or all wrong"):
        train([Judged("what", "gout", True, 1)], config)


def test_two_steps_on_published_answers(config: QaHeadConfig, data_dir: Path) -> None:
    questions = load([data_dir / "qa" / "MEDIQA2019-Task3-QA-ValidationSet.xml"])[:4]
    judged = of_questions(questions)
    model = train(judged, replace(config, epochs=1, batch=len(judged) // 2 + 1))
    told = probabilities(model, questions)
    assert [len(p) for p in told] == [len(q.answers) for q in questions]
