"""Losses: functions of scores and labels, nothing else."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

MARGIN = 0.5
GAIN = 1.5
"""Of a grade, in nats: how much more a passage should score than one that is a grade lower."""


def listwise_cross_entropy(scores: Tensor, labels: Tensor) -> Tensor:
    """Softmax cross-entropy over each query's candidate list.

    With one positive per list this is ListNet's top-one loss (Cao et al., ICML 2007);
    several positives share the target evenly.

    Args:
        scores: (Q, P) float; -inf for a passage that does not count.
        labels: (Q, P), positive where > 0; at least one positive per row.

    Returns:
        Scalar, the mean over the queries, in nats.
    """
    positive = (labels > 0).to(scores.dtype)
    target = positive / positive.sum(dim=1, keepdim=True)
    logs = functional.log_softmax(scores, dim=1)
    return -(target * logs.masked_fill(target == 0, 0.0)).sum(dim=1).mean()


def both_ways_cross_entropy(scores: Tensor, labels: Tensor) -> Tensor:
    """`listwise_cross_entropy` of passages for queries and of queries for passages, their mean.

    Passages that answer no query of the batch, hard negatives, take no part in the second.
    The symmetric loss of in-batch contrastive training (Radford et al., ICML 2021, figure 3).
    """
    answering = (labels > 0).any(dim=0)
    back = listwise_cross_entropy(scores[:, answering].T, labels[:, answering].T)
    return (listwise_cross_entropy(scores, labels) + back) / 2


def triplet(scores: Tensor, labels: Tensor, margin: float = MARGIN) -> Tensor:
    """``max(0, margin - positive + hardest negative)``, the mean over all positives.

    The negative is the highest scored of the row: over a mega-batch this is the sampling of
    Wieting & Gimpel (ACL 2018, 3.2). ``scores`` (Q, P) should be cosines.
    """
    positive = labels > 0
    hardest = scores.masked_fill(positive, -torch.inf).amax(dim=1, keepdim=True)
    return functional.relu(margin - scores + hardest)[positive].mean()


def margin(scores: Tensor, labels: Tensor, margin: float = MARGIN) -> Tensor:
    """``max(0, margin - positive + negative)``, the mean over every pair of a row's positive and negative."""
    positive = labels > 0
    apart = functional.relu(margin - scores[:, :, None] + scores[:, None, :])
    pairs = positive[:, :, None] & ~positive[:, None, :]
    return apart[pairs].mean()


def distilled_kl(scores: Tensor, teacher: Tensor) -> Tensor:
    """Kullback-Leibler divergence of the student's list from the teacher's (Hinton et al., 2015), in nats.

    ``scores`` and ``teacher`` are (Q, P); both pass through a softmax over the list.
    """
    target = functional.log_softmax(teacher, dim=1)
    return functional.kl_div(functional.log_softmax(scores, dim=1), target, reduction="batchmean", log_target=True)


def margin_mse(scores: Tensor, teacher: Tensor) -> Tensor:
    """Squared error of the margins between a list's first passage, its positive, and every other
    (Hofstätter et al., 2020, equation 1); ``scores`` and ``teacher`` are (Q, P)."""
    return functional.mse_loss(scores[:, :1] - scores[:, 1:], teacher[:, :1] - teacher[:, 1:])


def cosent(scores: Tensor, gold: Tensor, scale: float = 20.0) -> Tensor:
    """log(1 + sum of exp(scale (s_j - s_i)) over all i and j with gold_i > gold_j): of every two pairs of texts the one
    that is more alike should have the larger cosine, whatever its size.

    Huang et al., "CoSENT: Consistent Sentence Embedding via Similarity Ranking" (IEEE/ACM TASLP, 2024).

    Args:
        scores: (N,) float, the cosines of N pairs of texts.
        gold: (N,), how alike they are, in any unit.

    Returns:
        Scalar, in nats; 0 where all of ``gold`` is the same.
    """
    above = gold[:, None] > gold[None, :]
    wrong = scale * (scores[None, :] - scores[:, None])[above]
    return functional.softplus(wrong.logsumexp(dim=0)) if len(wrong) else scores.sum() * 0
