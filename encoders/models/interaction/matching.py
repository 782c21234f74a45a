"""What these models make of two texts' words: matrices of matches, and how they are summed up.

Shapes: N pairs, Q words of the query, P of the passage. A match with padding is 0 and counts nothing.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from encoders.models.interaction.words import Words

EXACT = 1.0 - 1e-5
"""From this cosine on two words are the same."""
FEWEST = 1e-10
"""Floor of a kernel's sum, whose logarithm is taken (Xiong et al., 2017, as published in code)."""


def met(query: Words, passage: Words) -> Tensor:
    """(N, Q, P) bool: True where word meets word."""
    return query.mask[:, :, None] & passage.mask[:, None, :]


def dots(query: Tensor, passage: Tensor) -> Tensor:
    """Dot products (N, Q, P) of (N, Q, W) with (N, P, W); 0 where either is padding, whose vectors are 0."""
    return query @ passage.transpose(1, 2)


def cosines(query: Tensor, passage: Tensor) -> Tensor:
    """As `dots`, each vector of length 1 before."""
    return dots(functional.normalize(query, dim=-1), functional.normalize(passage, dim=-1))


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Softmax over the last dimension, of what ``mask`` has True; all 0 where it has nothing True."""
    lowest = torch.finfo(scores.dtype).min
    return scores.masked_fill(~mask, lowest).softmax(dim=-1).masked_fill(~mask, 0.0)


def k_max(values: Tensor, mask: Tensor, k: int) -> Tensor:
    """The ``k`` largest of (N, M) where ``mask`` (N, M) is True, the largest first; 0 where there are fewer: (N, k)."""
    values = functional.pad(values.masked_fill(~mask, -torch.inf), (0, k), value=-torch.inf)
    largest = values.topk(k, dim=1).values
    return largest.masked_fill(largest.isinf(), 0.0)


def bins_of(cosines: Tensor, bins: int) -> Tensor:
    """The bin of each cosine, int64: ``bins - 1`` of equal width from -1 to 1, and the last one for the same word
    (Guo et al., 2016, section 4.1: [-1, -0.5), …, [0.5, 1), [1, 1])."""
    width = 2.0 / (bins - 1)
    found = ((cosines + 1.0) / width).floor().long().clamp(0, bins - 2)
    return found.masked_fill(cosines >= EXACT, bins - 1)


def summed_in_bins(values: Tensor, cosines: Tensor, mask: Tensor, bins: int) -> Tensor:
    """For each word of the query the sum of ``values`` (N, Q, P) by the bins of ``cosines`` (N, Q, P), as far as
    ``mask`` (N, Q, P) is True: (N, Q, bins). Of ones, that is a histogram."""
    out = values.new_zeros(*values.shape[:2], bins)
    return out.scatter_add(2, bins_of(cosines, bins), values.masked_fill(~mask, 0.0))


def kernels(matches: Tensor, query: Tensor, passage: Tensor, means: Tensor, widths: Tensor) -> Tensor:
    """Kernel pooling (Xiong et al., SIGIR 2017, section 3): the logarithm of
    ``sum_j exp(-(M_ij - mean)² / (2 width²))`` over the passage's words, summed over the query's.

    Args:
        matches: M, (N, Q, P).
        query, passage: masks, (N, Q) and (N, P).
        means, widths: (K,).

    Returns:
        (N, K).
    """
    rows = []
    for mean, width in zip(means, widths, strict=True):
        near = torch.exp(-((matches - mean) ** 2) / (2 * width**2)).masked_fill(~passage[:, None], 0.0)
        rows.append(near.sum(dim=2).clamp(min=FEWEST).log().masked_fill(~query, 0.0).sum(dim=1))
    return torch.stack(rows, dim=1)


def kernel_places(count: int) -> tuple[list[float], list[float]]:
    """Means and widths of ``count`` kernels: one at 1 for the same word, the others spread evenly over (-1, 1).

    >>> kernel_places(5)
    ([1.0, 0.75, 0.25, -0.25, -0.75], [0.001, 0.1, 0.1, 0.1, 0.1])
    """
    step = 2.0 / (count - 1)
    means = [1.0, *(round(1.0 - step * (n + 0.5), 9) for n in range(count - 1))]
    return means, [1e-3, *[0.1] * (count - 1)]


def dynamic_pooling(maps: Tensor, query: Tensor, passage: Tensor, rows: int, columns: int) -> Tensor:
    """The largest of each cell of a ``rows`` x ``columns`` grid laid over the words of each pair (Pang et al.,
    AAAI 2016, "dynamic pooling"). Cells overlap by a word where the words cannot be divided evenly.

    Args:
        maps: (N, C, Q, P).
        query, passage: masks, (N, Q) and (N, P).

    Returns:
        (N, C, rows, columns).
    """
    sizes = zip(query.sum(dim=1).tolist(), passage.sum(dim=1).tolist(), strict=True)
    return torch.stack(
        [
            functional.adaptive_max_pool2d(own[:, :q, :p], (rows, columns))
            for own, (q, p) in zip(maps, sizes, strict=True)
        ]
    )
