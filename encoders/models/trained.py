"""Trained models: what is noted beside their weights, and how they are read again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from encoders.models.architecture import Shape, architecture
from encoders.models.scorer import Scorer
from search_stack.core.context import Part
from search_stack.core.errors import AspectraError
from search_stack.inference.bundle import TRAINED


@dataclass(frozen=True, slots=True)
class Trained:
    """What the weights of a trained model do not tell."""

    arch: str
    max_tokens: int
    context: tuple[Part, ...]
    shape: Shape

    def flat(self) -> dict[str, Any]:
        """As it is written: the shape's options beside the others."""
        return {"arch": self.arch, "max_tokens": self.max_tokens, "context": self.context, **asdict(self.shape)}

    @classmethod
    def from_flat(cls, found: Mapping[str, Any]) -> Trained:
        """From what `flat` gives; options that the architecture does not have are passed over, as earlier versions
        wrote every architecture's."""
        shape = architecture(found["arch"]).shape
        own = {f.name for f in fields(shape)}
        # JSON knows lists only.
        options = shape(**{k: tuple(v) if isinstance(v, list) else v for k, v in found.items() if k in own})
        return cls(found["arch"], int(found["max_tokens"]), tuple(found["context"]), options)


def noted(folder: Path) -> Trained | None:
    """What `save` noted in ``folder``; None where the weights came from elsewhere.

    Raises:
        AspectraError: it cannot be read.
    """
    note = folder / TRAINED
    if not note.is_file():
        return None
    try:
        return Trained.from_flat(json.loads(note.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError) as e:
        raise AspectraError(f"{note}: cannot be read.", "Train the model again.") from e


def load(folder: Path) -> tuple[Scorer, Trained]:
    """The trained model in ``folder``, ready to score.

    Raises:
        AspectraError: no model of ours is there, or it cannot be read.
    """
    trained = noted(folder)
    if trained is None:
        raise AspectraError(f"{folder}: no {TRAINED}.", "Give the folder OUT/model of a finished run.")
    model = architecture(trained.arch).load(folder, trained.max_tokens, trained.shape)
    return model.eval(), trained


def save(model: Scorer, trained: Trained, folder: Path) -> None:
    """Weights of a trained ``model``, and what they do not tell."""
    folder.mkdir(parents=True, exist_ok=True)
    model.save(folder)
    (folder / TRAINED).write_text(json.dumps(trained.flat(), indent=2) + "\n", encoding="utf-8")
