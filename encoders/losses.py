"""Losses: functions of scores and labels, nothing else."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional


def listwise_cross_entropy(scores: Tensor, labels: Tensor) -> Tensor:
    """Softmax cross-entropy over each query's candidate list.

    With one positive per list this is ListNet's top-one loss (Cao et al., ICML 2007);
    several positives share the target evenly.

    Args:
        scores: (Q, P) float.
        labels: (Q, P), positive where > 0; at least one positive per row.

    Returns:
        Scalar, the mean over the queries, in nats.
    """
    positive = (labels > 0).to(scores.dtype)
    target = positive / positive.sum(dim=1, keepdim=True)
    return -(target * functional.log_softmax(scores, dim=1)).sum(dim=1).mean()
