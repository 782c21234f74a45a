"""Which class an architecture's name stands for, and how its runs are read again."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from encoders.bi import BiEncoder, BiShape
from encoders.cdv import CdvShape, ContextualDiscourseVectors
from encoders.config import TrainingConfig
from encoders.cross import CrossEncoder
from encoders.poly import PolyEncoder, PolyShape
from encoders.scorer import Scorer
from encoders.tower import Tower
from encoders.two_towers import TwoTowers
from search_stack.errors import AspectraError
from search_stack.inference.bundle import TRAINED


def build(config: TrainingConfig) -> Scorer:
    """An untrained model on its base.

    Raises:
        AspectraError: the base cannot be read.
    """
    if config.arch == "cross":
        return CrossEncoder.from_base(config.base, config.max_tokens, config.layers)
    tower = Tower.from_base(config.base, config.max_tokens, config.layers)
    if config.arch == "cdv":
        return ContextualDiscourseVectors.from_tower(tower, CdvShape(scale=config.scale), config.sentences)
    if config.arch == "poly":
        return PolyEncoder(
            tower, PolyShape(config.codes, config.attention, config.shared, config.similarity, config.scale)
        )
    return BiEncoder(tower, BiShape(config.shared, config.pooling, config.similarity, config.markers, config.scale))


def load(folder: Path) -> tuple[Scorer, TrainingConfig]:
    """The trained model in ``folder``, ready to score, with the options that shape it.

    Raises:
        AspectraError: no model of ours is there, or it cannot be read.
    """
    shape = shape_of(folder)
    if not shape:
        raise AspectraError(f"{folder}: no {TRAINED}.", "Give the folder OUT/model of a finished run.")
    shape["context"] = tuple(shape["context"])
    config = TrainingConfig(base=str(folder), negatives=1, **shape)
    model: Scorer
    if config.arch == "cdv":
        model = ContextualDiscourseVectors.load(folder, CdvShape(scale=config.scale), config.sentences)
    elif config.shared or config.arch == "cross":
        model = build(config)
    else:
        model = build(replace(config, base=str(folder / "query")))
        if isinstance(model, TwoTowers):
            model.passage_tower = Tower.from_base(folder / "passage", config.max_tokens)
    if isinstance(model, PolyEncoder):
        model.restore(folder)
    return model.eval(), config


def save(model: Scorer, config: TrainingConfig, folder: Path) -> None:
    """Weights and shape of a trained ``model``."""
    folder.mkdir(parents=True, exist_ok=True)
    model.save(folder)
    shape = {k: v for k, v in asdict(config).items() if k in SHAPING}
    (folder / TRAINED).write_text(json.dumps(shape, indent=2) + "\n", encoding="utf-8")


SHAPING = (
    "arch", "max_tokens", "context", "shared", "pooling", "similarity", "markers", "scale", "codes", "attention",
    "sentences",
)  # fmt: skip


def shape_of(folder: Path) -> dict[str, Any]:
    """What `save` noted in ``folder``; nothing where the weights came from elsewhere."""
    noted = folder / TRAINED
    if not noted.is_file():
        return {}
    try:
        found: dict[str, Any] = json.loads(noted.read_text(encoding="utf-8"))
    except (OSError, ValueError) as e:
        raise AspectraError(f"{noted}: cannot be read.", "Train the model again.") from e
    return found
