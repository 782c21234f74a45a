"""Bundles as models of the same interface as those in training, to measure what will be served."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import torch
from torch import Tensor

from encoders.models.indexable import Encoded, Indexable
from encoders.models.scorer import Pairwise, Scorer
from search_stack.inference.bundle import load_bundle, read_manifest
from search_stack.inference.models import Encoder, Reranker
from search_stack.inference.session import ModelSession


class ServedEncoder(Indexable):
    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self._encoder = encoder

    def _encoded(self, texts: Sequence[str]) -> Encoded:
        return Encoded.whole(torch.from_numpy(self._encoder.encode(list(texts)))[:, None])

    def encode_queries(self, queries: Sequence[str]) -> Encoded:
        return self._encoded(queries)

    def encode_passages(self, passages: Sequence[str]) -> Encoded:
        return self._encoded(passages)

    def interact(self, queries: Encoded, passages: Encoded) -> Tensor:
        return queries.values[:, 0] @ passages.values[:, 0].T

    def save(self, folder: Path) -> None:
        raise NotImplementedError("a bundle is exported, not saved")


class ServedReranker(Pairwise):
    def __init__(self, reranker: Reranker) -> None:
        super().__init__()
        self._reranker = reranker

    def pairs(self, queries: Sequence[str], passages: Sequence[str]) -> Tensor:
        of_query = groupby(zip(queries, passages, strict=True), key=itemgetter(0))
        return torch.cat([torch.from_numpy(self._reranker.score(q, [p for _, p in own])) for q, own in of_query])

    def save(self, folder: Path) -> None:
        raise NotImplementedError("a bundle is exported, not saved")


def served(bundle: Path) -> Scorer:
    """The bundle in the folder, on the processor."""
    kind = read_manifest(str(bundle)).kind
    session = ModelSession(load_bundle(str(bundle), kind), "cpu")
    return ServedEncoder(Encoder(session)) if kind == "bi" else ServedReranker(Reranker(session))
