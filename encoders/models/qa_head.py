"""Question and answer encoded apart, and judged by a feed-forward network over both vectors.

A system of MEDIQA 2019, task 3 (Ben Abacha, Shivade and Demner-Fushman, BioNLP 2019), as it was published: a baseline.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from encoders.models.scorer import Pairwise
from encoders.models.tower import Tower
from search_stack.core.errors import AspectraError
from search_stack.core.files import write_whole

Pooling = Literal["mean", "cls", "max"]
FILE, WEIGHTS = "qa_head.json", "qa_head.pt"
"""In a trained model's folder: its shape, written last, and the network's weights."""
AT_ONCE = 256
"""Texts that are encoded at a time where nothing is learnt."""


@dataclass(frozen=True, slots=True)
class QaHeadShape:
    pooling: Pooling = "mean"
    """Of the encoder's token states: mean, cls (the first) or max."""
    max_tokens: int = 256
    hidden: int = 512
    """Width of the network's inner layer."""
    dropout: float = 0.1


class QaHead(Pairwise):
    """``w · (x + W₂ relu(W₁ x))``, x being the vectors of question and answer, one after the other."""

    def __init__(self, tower: Tower, shape: QaHeadShape) -> None:
        super().__init__()
        self.tower, self.shape = tower, shape
        width = 2 * tower.width
        self.inner = nn.Sequential(
            nn.Linear(width, shape.hidden), nn.ReLU(), nn.Dropout(shape.dropout), nn.Linear(shape.hidden, width)
        )
        self.out = nn.Linear(width, 1)

    @classmethod
    def from_base(cls, base: str | Path, shape: QaHeadShape) -> QaHead:
        """A new network over the encoder ``base``; see `encoders.models.bases.pretrained`.

        Raises:
            AspectraError: there is no such base, or it reads fewer tokens.
        """
        return cls(Tower.from_base(base, shape.max_tokens), shape)

    @classmethod
    def load(cls, folder: Path) -> QaHead:
        """The trained model of ``folder``, ready to judge.

        Raises:
            AspectraError: there is none, or it cannot be read.
        """
        try:
            shape = QaHeadShape(**json.loads((folder / FILE).read_text(encoding="utf-8")))
            weights = torch.load(folder / WEIGHTS, map_location="cpu", weights_only=True)
        except Exception as e:  # torch raises whatever its unpickler meets
            raise AspectraError(f"{folder}: holds no judge of answers.", "Train one: aspectra train qa-head") from e
        model = cls.from_base(folder, shape)
        try:
            model.load_state_dict(weights, strict=False)
        except RuntimeError as e:
            raise AspectraError(f"{folder / WEIGHTS}: is of another shape.", "Train it anew.") from e
        return model.eval()

    def save(self, folder: Path) -> None:
        """The encoder in Hugging Face's layout, the network, and last of all the shape, without which nothing loads."""
        self.tower.save(folder)
        network = {k: v.detach().cpu() for k, v in self.state_dict().items() if not k.startswith("tower.")}
        torch.save(network, folder / WEIGHTS)
        write_whole(folder / FILE, json.dumps(asdict(self.shape), indent=1) + "\n")

    def open(self, layers: int) -> bool:
        """Let the encoder's last ``layers`` learn, all of it with -1, nothing with 0; whether any of it does.

        Raises:
            AspectraError: it has fewer layers.
        """
        found = _layers(self.tower)
        if layers > len(found):
            raise AspectraError(f"The base has {len(found)} layers.", f"Open {len(found)} or fewer, or -1: all.")
        self.tower.requires_grad_(layers < 0)
        for layer in found[len(found) - max(0, layers) :]:
            layer.requires_grad_(True)
        return layers != 0

    def vectors(self, texts: Sequence[str]) -> Tensor:
        """Of ``texts`` (N): (N, H) float32."""
        return self.tower.vectors(texts, self.shape.pooling)

    @torch.inference_mode()
    def cached(self, texts: Sequence[str]) -> dict[str, Tensor]:
        """By text its vector (H,), for an encoder that does not learn."""
        once = list(dict.fromkeys(texts))
        parts = [self.vectors(once[n : n + AT_ONCE]) for n in range(0, len(once), AT_ONCE)]
        # Copied: what was made in inference mode takes no part in learning.
        return dict(zip(once, torch.cat(parts).clone(), strict=True)) if parts else {}

    def judge(self, questions: Tensor, answers: Tensor) -> Tensor:
        """Log-odds (N,) that ``answers`` (N, H) are right, of ``questions`` (N, H)."""
        both = torch.cat([questions, answers], dim=1)
        out: Tensor = self.out(both + self.inner(both))
        return out[:, 0]

    def pairs(self, queries: Sequence[str], passages: Sequence[str]) -> Tensor:
        once = list(dict.fromkeys(queries))
        places = torch.tensor([once.index(q) for q in queries], dtype=torch.long)
        return self.judge(self.vectors(once)[places], self.vectors(passages))


def _layers(tower: Tower) -> list[nn.Module]:
    """The transformer's, from the first: the longest list of modules in it."""
    lists = [[*m] for m in tower.transformer.modules() if isinstance(m, nn.ModuleList)]
    return max(lists, key=len, default=[])


def weighted_bce(logits: Tensor, correct: Tensor, weight: float) -> Tensor:
    """Mean cross-entropy (eq. 1), a correct answer counting ``weight`` times.

    Args:
        logits: (N,) log-odds.
        correct: (N,) 0 or 1.
    """
    return functional.binary_cross_entropy_with_logits(logits, correct, pos_weight=torch.tensor(weight))


def distance_loss(cosines: Tensor, correct: Tensor, ranks: Tensor, margin: float, step: float) -> Tensor:
    """Mean of y (``step`` (rank − 1) − d)² + (1 − y) (``margin`` − d)², d being 1 − cosine (eq. 3): no hinge, so that
    wrong answers are drawn to the margin from both sides.

    Args:
        cosines: (N,) of question and answer.
        correct: (N,) 0 or 1.
        ranks: (N,) of the answers by the people's judgement, from 1.
    """
    away = 1 - cosines
    aim = torch.where(correct > 0, step * (ranks - 1), torch.full_like(away, margin))
    return ((aim - away) ** 2).mean()
