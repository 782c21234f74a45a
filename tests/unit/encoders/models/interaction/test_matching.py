"""Against sums that are written out."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from encoders.models.interaction.matching import (
    bins_of,
    cosines,
    dynamic_pooling,
    k_max,
    kernel_places,
    kernels,
    masked_softmax,
    summed_in_bins,
)

NO, YES = False, True


def test_cosines_of_padding_are_0() -> None:
    query = torch.tensor([[[3.0, 0.0], [0.0, 0.0]]])
    passage = torch.tensor([[[2.0, 0.0], [0.0, 5.0], [1.0, -1.0]]])
    assert torch.allclose(cosines(query, passage), torch.tensor([[[1.0, 0.0, 0.5**0.5], [0, 0, 0]]]))


def test_softmax_leaves_padding_out() -> None:
    scores = torch.tensor([[math.log(3.0), 0.0, 9.0], [1.0, 2.0, 3.0]])
    mask = torch.tensor([[YES, YES, NO], [NO, NO, NO]])
    assert torch.allclose(masked_softmax(scores, mask), torch.tensor([[0.75, 0.25, 0.0], [0, 0, 0]]))


def test_the_k_largest_are_in_order_and_filled_up() -> None:
    values = torch.tensor([[0.1, 0.9, -0.5, 5.0], [0.3, 5.0, 5.0, 5.0]])
    mask = torch.tensor([[YES, YES, YES, NO], [YES, NO, NO, NO]])
    assert torch.allclose(k_max(values, mask, 2), torch.tensor([[0.9, 0.1], [0.3, 0.0]]))
    assert k_max(values, mask, 6).shape == (2, 6)


def test_bins_as_the_papers_draw_them() -> None:
    """Five bins: [-1, -0.5), [-0.5, 0), [0, 0.5), [0.5, 1), [1, 1] (Guo et al., 2016, section 4.1, whose example has
    the counts 0, 1, 3, 1, 1 for these cosines)."""
    found = torch.tensor([[[1.0, 0.2, 0.7, 0.3, -0.1, 0.1]]])
    mask = torch.ones_like(found, dtype=torch.bool)
    assert summed_in_bins(torch.ones_like(found), found, mask, 5).tolist() == [[[0, 1, 3, 1, 1]]]
    sums = summed_in_bins(found, found, mask, 5)
    assert torch.allclose(sums, torch.tensor([[[0, -0.1, 0.6, 0.7, 1.0]]]))
    mask[0, 0, 1] = False
    assert summed_in_bins(torch.ones_like(found), found, mask, 5).tolist() == [[[0, 1, 2, 1, 1]]]


@given(st.floats(-1.00001, 1.00001), st.integers(2, 300))
def test_every_cosine_has_a_bin(cosine: float, bins: int) -> None:
    found = int(bins_of(torch.tensor(cosine), bins))
    assert 0 <= found < bins
    assert (found == bins - 1) == (cosine >= 1 - 1e-5)


def test_kernels_are_gaussians_whose_sums_are_added_as_logarithms() -> None:
    matches = torch.tensor([[[1.0, 0.5, 0.9], [0.0, 0.5, 0.9], [0.3, 0.3, 0.3]]])
    query, passage = torch.tensor([[YES, YES, NO]]), torch.tensor([[YES, YES, NO]])
    (found,) = kernels(matches, query, passage, torch.tensor([0.5, 1.0]), torch.tensor([0.1, 0.001])).tolist()
    far = math.exp(-(0.5**2) / (2 * 0.1**2))
    assert found[0] == pytest.approx(math.log(far + 1) + math.log(far + 1), abs=1e-4)
    assert found[1] == pytest.approx(math.log(1.0) + math.log(1e-10), abs=1e-4)


def test_eleven_kernels_stand_where_the_paper_has_them() -> None:
    means, widths = kernel_places(11)
    assert means == pytest.approx([1, 0.9, 0.7, 0.5, 0.3, 0.1, -0.1, -0.3, -0.5, -0.7, -0.9])
    assert widths == [0.001] + [0.1] * 10


def test_dynamic_pooling_takes_the_largest_of_each_cell_of_what_is_there() -> None:
    maps = torch.arange(24.0).view(1, 1, 4, 6)
    query, passage = torch.tensor([[YES, YES, NO, NO]]), torch.tensor([[YES] * 4 + [NO] * 2])
    assert dynamic_pooling(maps, query, passage, 2, 2).tolist() == [[[[1, 3], [7, 9]]]]
    # Fewer words than cells: a word fills several.
    assert dynamic_pooling(maps[:, :, :1, :1], query[:, :1], passage[:, :1], 2, 3).tolist() == [[[[0] * 3] * 2]]
