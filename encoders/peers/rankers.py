"""Trained models as systems of the evaluation, whatever their architecture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch

from encoders.models.scorer import Corpus, Scorer
from encoders.models.trained import load
from search_stack.core.context import Part


class ModelRanker:
    """Scores candidates by the model in a run's folder; what can be encoded apart is encoded once.

    Args:
        context: what the model learnt to read passages with.
    """

    def __init__(self, model: Scorer, context: Sequence[Part] = ()) -> None:
        self._model = model.eval()
        self._context = context
        self._corpus: Corpus = Corpus(self._model, ())
        self._place: dict[str, int] = {}

    @classmethod
    def load(cls, folder: Path) -> ModelRanker:
        """
        Raises:
            AspectraError: no model of ours is in ``folder``.
        """
        model, noted = load(folder)
        return cls(model, noted.context)

    @property
    def parts(self) -> Sequence[Part] | None:
        """A model that learnt from whole documents reads them always: without, it would see what it never saw."""
        return self._context if "document" in self._context else None

    @property
    def bytes_per_passage(self) -> float | None:
        """Of its vectors, where it gives any."""
        return self._corpus.bytes_each

    @torch.inference_mode()
    def read(self, texts: Mapping[str, str]) -> None:
        self._place = {name: n for n, name in enumerate(texts)}
        self._corpus = self._model.corpus(list(texts.values()))

    @torch.inference_mode()
    def score(self, query: str, ids: Sequence[str]) -> list[float]:
        (scores,) = self._corpus.scores([query], [[self._place[i] for i in ids]])
        return list(map(float, scores))
