"""How alike two texts are, by any model."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from encoders.models.bi import BiEncoder
from encoders.models.scorer import Pairwise, Scorer
from search_stack.core.errors import AspectraError


def alike(model: Scorer, one: Sequence[str], other: Sequence[str]) -> Tensor:
    """(N,) of ``one`` (N) and ``other`` (N), each with that in its place: cosines of what a bi-encoder encodes apart,
    scores without bounds of what is read together. ``one`` may be fewer, and then begins anew where it ends.

    Raises:
        AspectraError: the model does neither.
    """
    times = len(other) // len(one)
    if isinstance(model, BiEncoder):
        ours, theirs = model.encode_queries(one).values[:, 0], model.encode_passages(other).values[:, 0]
        return (ours.repeat(times, 1) * theirs).sum(dim=1)
    if isinstance(model, Pairwise):
        return model.pairs([*one] * times, other)
    raise AspectraError(
        f"{type(model).__name__} does not tell how alike two texts are.", "Name a bi-encoder or a cross-encoder."
    )
