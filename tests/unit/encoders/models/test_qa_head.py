"""The published judge of answers: its network, its two losses worked out by hand, and its folder."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from encoders.models.qa_head import FILE, WEIGHTS, QaHead, QaHeadShape, distance_loss, weighted_bce
from search_stack.core.errors import AspectraError

SHAPE = QaHeadShape(max_tokens=32, hidden=16)
TEXTS = ["what are the causes of gout", "gout arises from", "chest pain ."]


@pytest.fixture
def model(tiny_base: Path) -> QaHead:
    torch.manual_seed(0)
    return QaHead.from_base(tiny_base, SHAPE).eval()


def test_a_correct_answer_counts_for_more_in_the_cross_entropy() -> None:
    logits, correct = torch.tensor([0.0, math.log(3)]), torch.tensor([1.0, 0.0])
    # -2 ln 1/2, and -ln 1/4 of the wrong one that is called correct at 3 to 1.
    assert float(weighted_bce(logits, correct, 2.0)) == pytest.approx((2 * math.log(2) + math.log(4)) / 2)


def test_answers_are_drawn_to_their_ranks_and_wrong_ones_to_the_margin_from_both_sides() -> None:
    cosines, ranks = torch.tensor([0.9, 0.9, 0.0]), torch.tensor([3.0, 1.0, 100.0])
    correct = torch.tensor([1.0, 0.0, 0.0])
    expected = ((0.01 - 0.1) ** 2 + (0.75 - 0.1) ** 2 + (0.75 - 1.0) ** 2) / 3
    assert float(distance_loss(cosines, correct, ranks, 0.75, 0.005)) == pytest.approx(expected)


def test_the_network_adds_to_what_it_reads(model: QaHead) -> None:
    q, a = torch.randn(2, model.tower.width), torch.randn(2, model.tower.width)
    with torch.no_grad():
        model.inner[3].weight.zero_()
        model.inner[3].bias.zero_()
        told, expected = model.judge(q, a), model.out(torch.cat([q, a], dim=1))[:, 0]
    assert torch.allclose(told, expected)


@torch.inference_mode()
def test_pairs_are_judged_as_one_by_one_and_each_with_each(model: QaHead) -> None:
    told = model.pairs([TEXTS[0], TEXTS[0], TEXTS[2]], [TEXTS[1], TEXTS[2], TEXTS[1]])
    assert told.shape == (3,)
    assert torch.allclose(told[2:], model.pairs([TEXTS[2]], [TEXTS[1]]), atol=1e-5)
    assert torch.allclose(model.score([TEXTS[0]], TEXTS[1:]), told[None, :2], atol=1e-5)
    known = model.cached([*TEXTS, TEXTS[0]])
    assert set(known) == {*TEXTS}
    assert torch.allclose(model.judge(known[TEXTS[0]][None], known[TEXTS[1]][None]), told[:1], atol=1e-5)


@pytest.mark.parametrize(("layers", "open_"), [(0, 0), (1, 16), (2, 32)])
def test_the_last_layers_learn(model: QaHead, layers: int, open_: int) -> None:
    assert model.open(layers) == (layers > 0)
    learning = [n for n, p in model.tower.named_parameters() if p.requires_grad]
    assert len(learning) == open_
    assert all(".layer.1." in n or layers > 1 for n in learning)


def test_all_of_the_encoder_learns_or_too_much_is_refused(model: QaHead) -> None:
    assert model.open(-1)
    assert all(p.requires_grad for p in model.parameters())
    with pytest.raises(AspectraError, match="has 2 layers"):
        model.open(3)


def test_what_is_saved_judges_alike_and_without_its_shape_is_none(
    model: QaHead, tmp_path: Path, write_base: Callable[..., Path]
) -> None:
    model.save(tmp_path)
    with torch.inference_mode():
        told = model.pairs(TEXTS[:1], TEXTS[1:2])
        assert torch.allclose(QaHead.load(tmp_path).pairs(TEXTS[:1], TEXTS[1:2]), told, atol=1e-6)
    (tmp_path / FILE).write_text('{"hidden": 8}', encoding="utf-8")
    with pytest.raises(AspectraError, match=r"holds no judge|of another shape|reads 64 tokens"):
        QaHead.load(tmp_path)
    (tmp_path / WEIGHTS).write_bytes(b"no weights")
    with pytest.raises(AspectraError, match="holds no judge"):
        QaHead.load(tmp_path)
    with pytest.raises(AspectraError, match="holds no judge"):
        QaHead.load(write_base(tmp_path / "base"))
