from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from encoders.losses import listwise_cross_entropy

Q, P = 3, 5


def slow(scores: Tensor, labels: Tensor) -> float:
    total = 0.0
    for q in range(scores.shape[0]):
        log_sum = math.log(sum(math.exp(s) for s in scores[q].tolist()))
        positive = [s for s, label in zip(scores[q].tolist(), labels[q].tolist(), strict=True) if label > 0]
        total += sum(log_sum - s for s in positive) / len(positive)
    return total / scores.shape[0]


def some_scores() -> Tensor:
    return torch.randn(Q, P, generator=torch.Generator().manual_seed(3), dtype=torch.float64)


@pytest.mark.parametrize(
    "labels",
    [
        [[1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1]],
        [[1, 1, 0, 0, 0], [0, 2, 1, 3, 0], [1, 1, 1, 1, 1]],
    ],
)
def test_it_is_what_a_slow_loop_computes(labels: list[list[int]]) -> None:
    scores, marked = some_scores(), torch.tensor(labels)
    assert listwise_cross_entropy(scores, marked).item() == pytest.approx(slow(scores, marked))


def test_without_a_preference_it_is_the_logarithm_of_the_list() -> None:
    labels = torch.eye(Q, P)
    assert listwise_cross_entropy(torch.zeros(Q, P), labels).item() == pytest.approx(math.log(P))


def test_it_falls_as_the_answer_rises_and_only_the_answers_score_is_pulled_up() -> None:
    scores = some_scores().requires_grad_()
    labels = torch.eye(Q, P)
    loss = listwise_cross_entropy(scores, labels)
    (gradient,) = torch.autograd.grad(loss, scores)
    assert torch.equal(gradient < 0, labels > 0)
    assert listwise_cross_entropy(scores + labels, labels) < loss


def test_large_scores_do_not_overflow() -> None:
    scores = torch.tensor([[1e4, -1e4]])
    assert listwise_cross_entropy(scores, torch.tensor([[1, 0]])).item() == pytest.approx(0.0)
    assert listwise_cross_entropy(scores, torch.tensor([[0, 1]])).item() == pytest.approx(2e4)
