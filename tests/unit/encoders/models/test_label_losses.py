from __future__ import annotations

import math

import pytest
import torch

from encoders.models.label_losses import bloom_entropy, bpmll, robust_distance


def test_bloom_entropy_is_that_of_each_bit() -> None:
    assert bloom_entropy(torch.zeros(2, 8), torch.ones(2, 8)).item() == pytest.approx(math.log(2))
    assert bloom_entropy(torch.full((2, 8), 20.0), torch.ones(2, 8)).item() == pytest.approx(0.0, abs=1e-6)


def test_the_robust_distance_is_quadratic_near_and_linear_far() -> None:
    def distance(x: float) -> float:
        return robust_distance(torch.tensor([[x, 0.0]]), torch.zeros(1, 2)).item()

    assert distance(0.01) == pytest.approx(0.01**2 / 2, rel=1e-2)
    assert distance(200) - distance(100) == pytest.approx(100, rel=1e-3)


def test_bpmll_is_the_logarithm_of_the_mean_over_all_pairs_of_a_set_bit_and_another() -> None:
    logits = torch.tensor([[2.0, -1.0, 0.5, 3.0], [0.0, 1.0, 1.5, -2.0]])
    bits = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
    rows = []
    for row, there in zip(logits.tolist(), bits.tolist(), strict=True):
        high = [y for y, bit in zip(row, there, strict=True) if bit]
        pairs = [math.exp(z - y) for y in high for z in row if z not in high]
        rows.append(math.log(sum(pairs) / len(pairs)))
    assert bpmll(logits, bits).item() == pytest.approx(sum(rows) / 2, abs=1e-6)
    # What is common to all bits is no matter, and far logits do not overflow.
    assert bpmll(logits + 7, bits).item() == pytest.approx(bpmll(logits, bits).item(), abs=1e-5)
    assert bpmll(1e4 * logits, bits).isfinite()
