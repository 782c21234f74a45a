"""Losses on what labels say: of Bloom-filter bits, and of vectors."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def bloom_entropy(logits: Tensor, bits: Tensor) -> Tensor:
    """Binary cross-entropy over the bits of Bloom-filter labels (Serrà & Karatzoglou, RecSys 2017).

    ``logits`` and ``bits`` are (..., B); the mean over everything, in nats.
    """
    return functional.binary_cross_entropy_with_logits(logits, bits.to(logits.dtype))


def robust_distance(ours: Tensor, wanted: Tensor, scale: float = 1.0) -> Tensor:
    """Pseudo-Huber distance of vectors, quadratic when near and linear when far, so that a wrong
    label pulls no harder than a right one: ``scale² (sqrt(1 + |ours - wanted|² / scale²) - 1)``.

    ``ours`` and ``wanted`` are (..., H); the mean over the vectors. Barron (CVPR 2019), with its
    shape parameter at 1, as contextual discourse vectors are trained (Arnold et al., WWW 2020).
    """
    squared = (ours - wanted).square().sum(dim=-1)
    return (scale**2 * ((1 + squared / scale**2).sqrt() - 1)).mean()


def bpmll(logits: Tensor, bits: Tensor) -> Tensor:
    """BPMLL: every bit that is set should stand above every bit that is not (Zhang & Zhou, "Multilabel Neural
    Networks", TKDE 2006, equation 3): ``1 / (|Y| |Z|) sum_{k in Y} sum_{l in Z} exp(y_l - y_k)``.

    ``logits`` and ``bits`` are (N, B), in each row of ``bits`` some are set and some not. The mean over the rows of the
    *logarithm*, in nats: a row's own minimum is where it was, and its gradients add up to 1 however wrong it is. As
    printed, of outputs between 0 and 1, the loss lies between 1/e and e whatever is learnt.
    """
    there = bits > 0
    low = (-logits).masked_fill(~there, -torch.inf).logsumexp(dim=1) - there.sum(dim=1).log()
    high = logits.masked_fill(there, -torch.inf).logsumexp(dim=1) - (~there).sum(dim=1).log()
    return (low + high).mean()
