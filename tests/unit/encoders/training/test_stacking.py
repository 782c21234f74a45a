"""The stacked judgement fitted to features that are made up: what tells right from wrong is one of them."""

from __future__ import annotations

import numpy as np

from encoders.training.stacking import Identities, across_sets, fit, parts_of
from search_stack.evaluation.answers import shares
from search_stack.evaluation.datasets.mediqa import Answer, Question
from search_stack.evaluation.stacking import FEATURES, Floats

MODELS = Identities("encoder", "reranker")


def made(number: int, name: str, telling: int) -> tuple[list[Question], list[Floats]]:
    """Questions of four answers, two of them correct, and features of which the one at ``telling`` says which."""
    rng = np.random.default_rng(number)
    questions, features = [], []
    for n in range(number):
        answers = tuple(Answer(f"{k}", "Gout: it hurts.", k, k, 4 if k % 2 else 1) for k in range(1, 5))
        questions.append(Question(f"{name}:{n}", "What is gout?", answers))
        read = rng.normal(size=(4, len(FEATURES)))
        read[:, telling] = [3.0, -3.0, 3.0, -3.0]
        features.append(read)
    return questions, features


def test_each_question_is_told_without_its_set() -> None:
    one, other = made(12, "one", 0), made(13, "other", 1)
    questions, features = one[0] + other[0], one[1] + other[1]
    assert fit(*one, MODELS).probabilities(one[1][0]).round().tolist() == [1, 0, 1, 0]
    # What tells the one set's answers apart tells nothing of the other's.
    sets = [q.id.partition(":")[0] for q in questions]
    strange = shares(across_sets(questions, features, sets, MODELS))["accuracy"]
    assert strange is not None
    assert strange.value < 0.75


def test_folds_hold_each_number_once() -> None:
    parts = parts_of(23, 5, 0)
    assert sorted(n for part in parts for n in part) == list(range(23))
    assert {len(part) for part in parts} == {4, 5}
    assert parts_of(3, 5, 0) == parts_of(3, 3, 0)
