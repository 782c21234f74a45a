"""Convolutions over words of which some are padding."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional


def gate(mask: Tensor, window: int = 3) -> Tensor:
    """(N, T) bool: whether the window around each place, of an odd number of words, holds any of ``mask`` (N, T)."""
    held: Tensor = functional.max_pool1d(mask.float(), window, 1, window // 2) > 0
    return held
