"""Large in-batch losses in little memory.

Source: Gao et al., "Scaling Deep Contrastive Learning Batch Size under Memory Limited Setup" (RepL4NLP 2021).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from encoders.models.indexable import Encoded, Indexable, joined
from encoders.models.learning import Batch, Objective

Encode = Callable[[Sequence[str]], Encoded]


class _Part:
    """Texts that go through the model together, and the random state under which they first did,
    so that dropout drops the same the second time."""

    def __init__(self, encode: Encode, texts: Sequence[str]) -> None:
        self._encode, self._texts = encode, texts
        self._cpu = torch.get_rng_state()
        self._gpus = torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []
        with torch.no_grad():
            self.first = encode(texts)

    def backward(self, gradient: Tensor) -> None:
        """Once more, now with a graph; ``gradient`` is that of the values, (N, K, H)."""
        devices = list(range(len(self._gpus)))
        with torch.random.fork_rng(devices=devices):
            torch.set_rng_state(self._cpu)
            for device, state in enumerate(self._gpus):
                torch.cuda.set_rng_state(state, device)
            again = self._encode(self._texts)
        torch.autograd.backward([again.values], [gradient[:, : again.values.shape[1]].to(again.values.dtype)])


def cached_backward(model: Indexable, batch: Batch, objective: Objective, at_once: int, scale: float = 1.0) -> float:
    """Add the gradients of the batch's loss, times ``scale``, with only ``at_once`` texts in a graph at a time.

    Returns:
        The loss, not scaled.
    """
    parts = [
        [_Part(encode, texts[at : at + at_once]) for at in range(0, len(texts), at_once)]
        for encode, texts in ((model.encode_queries, batch.queries), (model.encode_passages, batch.passages))
    ]
    ends = [joined([p.first for p in side]) for side in parts]
    for end in ends:
        end.values.requires_grad_()
    loss = objective.in_batch(model.interact(*ends), model.scale)
    (scale * loss).backward()  # type: ignore[no-untyped-call]
    for side, end in zip(parts, ends, strict=True):
        gradient = end.values.grad
        assert gradient is not None  # noqa: S101 # interact() reads both sides
        at = 0
        for part in side:
            count = len(part.first.values)
            part.backward(gradient[at : at + count])
            at += count
    return float(loss.detach())
