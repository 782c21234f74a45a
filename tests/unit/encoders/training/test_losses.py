from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from encoders.training.losses import (
    both_ways_cross_entropy,
    cosent,
    distilled_kl,
    listwise_cross_entropy,
    margin,
    margin_mse,
    triplet,
)

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


def cosines() -> tuple[Tensor, Tensor]:
    """Two queries, three passages; the third answers neither."""
    return torch.tensor([[0.9, 0.6, 0.3], [0.2, 0.4, 0.1]]), torch.eye(2, 3)


def test_a_passage_that_does_not_count_changes_nothing() -> None:
    scores = some_scores()
    labels = torch.eye(Q, P)
    without = scores.clone()
    without[:, 4] = -torch.inf
    assert listwise_cross_entropy(without, labels).item() == pytest.approx(
        listwise_cross_entropy(scores[:, :4], labels[:, :4]).item()
    )


def test_both_ways_is_the_mean_of_rows_and_of_columns_that_answer() -> None:
    scores, labels = some_scores(), torch.eye(Q, P)
    square = scores[:, :Q]
    expected = (slow(scores, labels) + slow(square.T, torch.eye(Q))) / 2
    assert both_ways_cross_entropy(scores, labels).item() == pytest.approx(expected)


def test_triplet_takes_the_hardest_of_the_row() -> None:
    scores, labels = cosines()
    # 0.5 - 0.9 + 0.6 and 0.5 - 0.4 + 0.2
    assert triplet(scores, labels).item() == pytest.approx((0.2 + 0.3) / 2)
    assert triplet(scores, labels, margin=0.0).item() == pytest.approx(0.0)


def test_margin_takes_every_pair() -> None:
    scores, labels = cosines()
    # 0.2, max(0, -0.1) of the first row; 0.3 and 0.2 of the second
    assert margin(scores, labels).item() == pytest.approx((0.2 + 0.0 + 0.3 + 0.2) / 4)


def test_the_teachers_own_scores_cost_nothing_and_only_differences_count() -> None:
    teacher = some_scores()
    assert distilled_kl(teacher + 3, teacher).item() == pytest.approx(0.0, abs=1e-9)
    assert margin_mse(teacher + 3, teacher).item() == pytest.approx(0.0, abs=1e-9)
    student = some_scores().flip(1)
    p, q = teacher.softmax(1), student.softmax(1)
    assert distilled_kl(student, teacher).item() == pytest.approx((p * (p / q).log()).sum(1).mean().item())


def test_margin_mse_compares_each_margin_with_the_first() -> None:
    student, teacher = torch.tensor([[2.0, 1.0, 0.0]]), torch.tensor([[3.0, 0.0, 0.0]])
    assert margin_mse(student, teacher).item() == pytest.approx(((1 - 3) ** 2 + (2 - 3) ** 2) / 2)


def test_cosent_is_that_of_sentence_transformers_ties_and_all() -> None:
    losses = pytest.importorskip("sentence_transformers.sentence_transformer.losses")
    torch.manual_seed(1)
    one, other = torch.randn(2, 12, 5)
    gold = torch.randint(0, 4, (12,)).float()
    reference = losses.CoSENTLoss(torch.nn.Identity()).compute_loss_from_embeddings([one, other], gold)
    scores = torch.cosine_similarity(one, other)
    assert cosent(scores, gold).item() == pytest.approx(reference.item(), rel=1e-5)
    assert cosent(scores, torch.ones(12)).item() == 0


def test_cosent_of_two_pairs_by_hand() -> None:
    scores, gold = torch.tensor([0.5, 0.6]), torch.tensor([4.0, 1.0])
    assert cosent(scores, gold).item() == pytest.approx(math.log1p(math.exp(20 * 0.1)))
    assert cosent(scores, gold.flip(0)).item() == pytest.approx(math.log1p(math.exp(-20 * 0.1)))
