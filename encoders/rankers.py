"""Trained models as systems of the evaluation, whatever their architecture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch

from encoders.architectures import load
from encoders.scorer import Encoded, Indexable, Scorer, encode_all


class ModelRanker:
    """Scores candidates by the model in a run's folder; what can be encoded apart is encoded once."""

    def __init__(self, model: Scorer) -> None:
        self._model = model.eval()
        self._texts: Mapping[str, str] = {}
        self._place: dict[str, int] = {}
        self._passages: Encoded | None = None

    @classmethod
    def load(cls, folder: Path) -> ModelRanker:
        """
        Raises:
            AspectraError: no model of ours is in ``folder``.
        """
        return cls(load(folder)[0])

    @property
    def bytes_per_passage(self) -> float | None:
        """Of its vectors as float32; padding is not counted."""
        if self._passages is None:
            return None
        vectors, width = self._passages.mask.sum().item(), self._passages.values.shape[-1]
        return 4.0 * vectors * width / len(self._place)

    @torch.inference_mode()
    def read(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        if not isinstance(self._model, Indexable):
            return
        self._place = {name: n for n, name in enumerate(texts)}
        self._passages = encode_all(self._model, list(texts.values()))

    @torch.inference_mode()
    def score(self, query: str, ids: Sequence[str]) -> list[float]:
        if not isinstance(self._model, Indexable) or self._passages is None:
            return list(map(float, self._model.score([query], [self._texts[i] for i in ids])[0]))
        own = torch.tensor([self._place[i] for i in ids])
        return list(map(float, self._model.interact(self._model.encode_queries([query]), self._passages[own])[0]))
