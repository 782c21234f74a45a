from __future__ import annotations

import math

import pytest
import torch

from encoders.models.label_losses import bloom_entropy, robust_distance


def test_bloom_entropy_is_that_of_each_bit() -> None:
    assert bloom_entropy(torch.zeros(2, 8), torch.ones(2, 8)).item() == pytest.approx(math.log(2))
    assert bloom_entropy(torch.full((2, 8), 20.0), torch.ones(2, 8)).item() == pytest.approx(0.0, abs=1e-6)


def test_the_robust_distance_is_quadratic_near_and_linear_far() -> None:
    def distance(x: float) -> float:
        return robust_distance(torch.tensor([[x, 0.0]]), torch.zeros(1, 2)).item()

    assert distance(0.01) == pytest.approx(0.01**2 / 2, rel=1e-2)
    assert distance(200) - distance(100) == pytest.approx(100, rel=1e-3)
