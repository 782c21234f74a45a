"""Where architectures are found, and that a new one is a module and its name: nothing else is edited."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from encoders import models
from encoders.models import trained
from encoders.models.architecture import Architecture, Shape, architecture, require_above_0
from encoders.models.scorer import Pairwise
from encoders.peers.rankers import ModelRanker
from encoders.training.loop import train
from encoders.training.options import configured, with_options
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData

LEGACY = {
    "arch": "bi", "max_tokens": 24, "context": ["title"], "shared": True, "pooling": "cls", "similarity": "cosine",
    "markers": False, "scale": 12.5, "codes": 16, "attention": "original", "sentences": "words",
}  # fmt: skip
"""What was noted of a model while every architecture's options were noted for each."""


@pytest.mark.parametrize("name", models.NAMES)
def test_an_architecture_is_found_by_its_name(name: str) -> None:
    assert architecture(name).name == name


def test_no_architecture_is_forgotten_in_the_list() -> None:
    for package in models.SUBPACKAGES:
        assert set(package.NAMES) == _found(package)
    assert set(models.NAMES) == _found(models).union(*(package.NAMES for package in models.SUBPACKAGES))


def _found(package: ModuleType) -> set[str]:
    """Architectures that are modules of ``package`` itself."""
    folder = Path(package.__path__[0])
    files = (folder / f"{m.name}.py" for m in iter_modules(package.__path__) if not m.ispkg)
    return {f.stem.replace("_", "-") for f in files if "\nARCHITECTURE = " in f.read_text(encoding="utf-8")}


@pytest.mark.parametrize("name", models.NAMES)
def test_every_architecture_and_its_options_are_described(name: str) -> None:
    described = Path("docs/evaluation.md").read_text(encoding="utf-8")
    assert f"\n| `{name}` |" in described


def test_an_unknown_name_is_told_the_known_ones() -> None:
    with pytest.raises(AspectraError, match="There is no architecture 'tower'") as caught:
        architecture("tower")
    assert all(name in caught.value.remedy for name in models.NAMES)


def test_help_needs_no_torch() -> None:
    asked = "import sys; sys.argv = ['aspectra', 'train', '--help']; import atexit; "
    asked += "atexit.register(lambda: print('torch' in sys.modules)); from aspectra.cli import main; main()"
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    assert all(name in said for name in models.NAMES)
    assert said.rstrip().endswith("False")


def test_a_model_that_an_earlier_version_noted_is_read(tiny_base: Path, tmp_path: Path) -> None:
    config = with_options("bi", {"base": str(tiny_base), "max_tokens": 24, "pooling": "cls", "scale": 12.5})
    model = config.build().eval()
    trained.save(model, config.trained, tmp_path)
    (tmp_path / "aspectra.json").write_text(json.dumps(LEGACY))
    again, noted = trained.load(tmp_path)
    assert (noted.context, noted.shape) == (("title",), config.shape)
    asked = (["gout"], ["fever", "asthma is eased with fever ."])
    assert torch.equal(again.score(*asked), model.score(*asked))


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"arch": "bi"}'])
def test_a_damaged_note_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "aspectra.json").write_text(text)
    with pytest.raises(AspectraError, match=r"aspectra\.json: cannot be read"):
        trained.load(tmp_path)


def test_a_model_of_a_later_version_is_not_taken_for_another(tmp_path: Path) -> None:
    (tmp_path / "aspectra.json").write_text(json.dumps({**LEGACY, "arch": "to-come"}))
    with pytest.raises(AspectraError, match="no architecture 'to-come'"):
        trained.load(tmp_path)


@dataclass(frozen=True)
class OverlapShape(Shape):
    power: int = 1

    def __post_init__(self) -> None:
        require_above_0(self, "power")


class Overlap(Pairwise):
    """Share of the query's words in the passage, times a learnt weight."""

    def __init__(self, shape: OverlapShape) -> None:
        super().__init__()
        self.shape = shape
        self.weight = nn.Parameter(torch.tensor(-1.0))

    def pairs(self, queries: Sequence[str], passages: Sequence[str]) -> Tensor:
        both = [(set(q.split()), set(p.split())) for q, p in zip(queries, passages, strict=True)]
        return self.weight * torch.tensor([(len(q & p) / len(q)) ** self.shape.power for q, p in both])

    def save(self, folder: Path) -> None:
        torch.save(self.state_dict(), folder / "overlap.pt")

    @classmethod
    def load(cls, folder: Path, max_tokens: int, shape: OverlapShape) -> Overlap:
        model = cls(shape)
        model.load_state_dict(torch.load(folder / "overlap.pt", weights_only=True))
        return model


@pytest.fixture
def word_overlap(monkeypatch: pytest.MonkeyPatch) -> str:
    """A new architecture: a module that the list names."""
    module: Any = ModuleType("encoders.models.word_overlap")
    module.ARCHITECTURE = Architecture(
        "word-overlap",
        Overlap,
        OverlapShape,
        lambda base, max_tokens, layers, shape: Overlap(shape),
        Overlap.load,
        {"negatives": 2, "batch": 6, "checkpoint_every": 3},
    )
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(models, "NAMES", (*models.NAMES, "word-overlap"))
    return "word-overlap"


def test_a_new_architecture_is_trained_kept_and_measured(
    word_overlap: str, tiny_data: EntityAspectData, tmp_path: Path
) -> None:
    options = ["power=2", "learning_rate=0.5", "loss=listwise", "precision=fp32", "keywords=1"]
    config = configured(word_overlap, options, epochs=4.0)
    train(tiny_data, config, tmp_path, development=tiny_data)
    assert json.loads((tmp_path / "config.json").read_text())["power"] == 2
    ranker = ModelRanker.load(tmp_path / "model")
    ranker.read({p.id: p.text for p in tiny_data.passages})
    assert ranker.score("gout", ["p3"])[0] > ranker.score("gout", ["p0"])[0]
    with pytest.raises(AspectraError, match="power is 0"):
        configured(word_overlap, ["power=0"])


def test_a_new_architecture_that_no_bundle_serves_is_not_exported(word_overlap: str, tmp_path: Path) -> None:
    from encoders.export.bundle import Card, export_bundle

    config = configured(word_overlap, [])
    trained.save(config.build(), config.trained, tmp_path)
    with pytest.raises(AspectraError, match="was trained with arch word-overlap"):
        export_bundle(str(tmp_path), "cross", tmp_path / "out", Card("x", "x"), None, "fp32")
