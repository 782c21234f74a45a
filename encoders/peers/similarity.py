"""Trained models as systems that tell how alike two sentences are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from encoders.models.alike import alike
from encoders.models.scorer import Pairwise, Scorer
from encoders.models.trained import load
from search_stack.evaluation.datasets.sentence_pairs import SentencePair
from search_stack.evaluation.tasks.sts import Floats, read_together

AT_ONCE = 256


class ModelSimilarity:
    """The model in a run's folder: cosines, or scores from 0 to 1."""

    def __init__(self, model: Scorer) -> None:
        self._model = model.eval()

    @classmethod
    def load(cls, folder: Path) -> ModelSimilarity:
        """
        Raises:
            AspectraError: no model of ours is in ``folder``.
        """
        return cls(load(folder)[0])

    def __call__(self, pairs: Sequence[SentencePair]) -> Floats:
        """(N,) of ``pairs`` (N)."""
        if isinstance(self._model, Pairwise):
            return read_together(pairs, self._scores)
        return self._scores([(p.one, p.other) for p in pairs]).astype(np.float64)

    @torch.inference_mode()
    def _scores(self, pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float32]:
        parts = (pairs[at : at + AT_ONCE] for at in range(0, len(pairs), AT_ONCE))
        told = [alike(self._model, [a for a, _ in part], [b for _, b in part]) for part in parts]
        return np.asarray(torch.cat(told).float().cpu().numpy(), dtype=np.float32)
