"""Models that tell how alike two sentences are, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from aspectra.console import need_torch
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from search_stack.evaluation.datasets.sentence_pairs import SentencePair
from search_stack.evaluation.tasks.sts import SHIPPED, Floats, bm25, cosine, overlap, read_together
from search_stack.inference.bundle import kind_of
from search_stack.inference.models import Encoder, Reranker

Alike = Callable[[Sequence[SentencePair]], Floats]
"""(N,) of N pairs: cosines, or from 0 to 1."""
ENCODER, MEAN = "encoder", "mean"
"""The configured encoder; the mean of several models."""


def alike_by(name: str, settings: Settings) -> Alike:
    """By the bundle ``name`` of an encoder or a cross-encoder, or by a run's model.

    Raises:
        AspectraError: it is neither.
    """
    kind = kind_of(name)
    if kind is None:
        need_torch(f"The model of a run, {name},")
        from encoders.peers.similarity import ModelSimilarity

        return ModelSimilarity.load(Path(name))
    if kind == "bi":
        encoder = Encoder.from_settings(settings.model_copy(update={"encoder_bundle": name}))
        return lambda pairs: cosine(pairs, encoder.encode)
    reranker = (
        Reranker.from_settings(settings.model_copy(update={"reranker_bundle": name})) if kind == "cross" else None
    )
    if reranker is None:
        raise AspectraError(
            f"{name} is of the kind {kind}.", "Name an encoder, a cross-encoder, or OUT/model of a run."
        )
    return lambda pairs: read_together(pairs, reranker.score_pairs)


def all_scores(pairs: Sequence[SentencePair], names: Sequence[str], settings: Settings) -> Mapping[str, Floats]:
    """By system: word overlap, BM25, the configured encoder, each model of ``names`` (the shipped ones where there are
    none), and the mean of several. The last one is the one that is asked about."""
    found = {"overlap": overlap(pairs), "bm25": bm25(pairs)}
    found[ENCODER] = alike_by(settings.encoder_bundle, settings)(pairs)
    told = {name: alike_by(name, settings)(pairs) for name in names or SHIPPED}
    found |= told
    if len(told) > 1:
        found[MEAN] = np.mean([*told.values()], axis=0)
    return found
