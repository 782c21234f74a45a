"""Convolutions over token states: what they see, what learns, and what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from encoders.models.hconv import WEIGHTS, HConvShape, HierarchicalConvolution
from search_stack.core.errors import AspectraError

ONE, OTHER = ["causes of gout", "asthma"], ["gout arises from fever .", "fever"]
SHAPE = HConvShape(levels=2, channels=8, open_layers=1)


@pytest.fixture
def model(tiny_base: Path) -> HierarchicalConvolution:
    torch.manual_seed(1)
    return HierarchicalConvolution.build(str(tiny_base), 24, 0, SHAPE).eval()


def test_padding_changes_no_score(model: HierarchicalConvolution) -> None:
    together = model.pairs(ONE, OTHER)
    alone = [model.pairs([a], [b]).item() for a, b in zip(ONE, OTHER, strict=True)]
    assert together.tolist() == pytest.approx(alone, abs=1e-5)


def test_each_level_has_its_part_in_the_score(model: HierarchicalConvolution) -> None:
    before = model.pairs(ONE, OTHER)
    for at in (0, SHAPE.channels):
        with torch.no_grad():
            kept = model.head.weight.clone()
            model.head.weight[:, at : at + SHAPE.channels] = 0
            assert not torch.allclose(model.pairs(ONE, OTHER), before)
            model.head.weight.copy_(kept)


def test_the_last_layers_and_the_heads_learn_and_nothing_below(model: HierarchicalConvolution) -> None:
    learns = {n for n, p in model.named_parameters() if p.requires_grad}
    assert any(n.startswith("bert.bert.encoder.layer.1.") for n in learns)
    assert {"head.weight", "levels.0.weight", "bert.classifier.weight"} <= learns
    assert not any("embeddings" in n or "layer.0." in n for n in learns)


def test_all_layers_learn_where_none_is_counted(tiny_base: Path) -> None:
    model = HierarchicalConvolution.build(str(tiny_base), 24, 0, HConvShape(open_layers=0))
    assert all(p.requires_grad for p in model.parameters())


def test_saved_and_read_again_it_scores_the_same(model: HierarchicalConvolution, tmp_path: Path) -> None:
    model.save(tmp_path)
    again = HierarchicalConvolution.load(tmp_path, 24, SHAPE).eval()
    assert torch.equal(again.pairs(ONE, OTHER), model.pairs(ONE, OTHER))
    (tmp_path / WEIGHTS).write_bytes(b"no weights")
    with pytest.raises(AspectraError, match=r"hconv\.pt: cannot be read"):
        HierarchicalConvolution.load(tmp_path, 24, SHAPE)


@pytest.mark.parametrize("options", [{"width": 2}, {"levels": 0}, {"open_layers": -1}])
def test_what_cannot_be_is_told(options: dict[str, int]) -> None:
    with pytest.raises(AspectraError):
        HConvShape(**options)
