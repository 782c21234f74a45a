"""Convolutions over words of which some are padding."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional

from search_stack.core.errors import AspectraError


def gate(mask: Tensor, window: int = 3) -> Tensor:
    """(N, T) bool: whether the window around each place, of an odd number of words, holds any of ``mask`` (N, T)."""
    held: Tensor = functional.max_pool1d(mask.float(), window, 1, window // 2) > 0
    return held


def halved(words: int, layers: int) -> int:
    """How many of ``words`` places are left after ``layers`` layers, each of which halves them.

    Raises:
        AspectraError: none is left, or there is no layer.

    >>> halved(30, 2)
    7
    """
    left: int = words >> layers
    if not layers or not left:
        raise AspectraError(
            f"{layers} layers that halve {words} words leave nothing to read.",
            "Set filters to one layer or more, and to fewer than the words can be halved.",
        )
    return left
