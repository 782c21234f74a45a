from __future__ import annotations

from pathlib import Path

import pytest
import torch

from encoders.models.cross import CrossEncoder

QUERIES = ["causes of gout", "asthma"]
PASSAGES = ["gout arises from fever .", "fever", "the heart is clear , the lung is clear , no effusion , no pain ."]


@pytest.fixture
def model(tiny_base: Path) -> CrossEncoder:
    return CrossEncoder.from_base(str(tiny_base), 24).eval()


def test_every_query_is_scored_with_every_passage(model: CrossEncoder) -> None:
    scores = model.score(QUERIES, PASSAGES)
    assert scores.shape == (2, 3)
    alone = torch.tensor([[model.score([q], [p]).item() for p in PASSAGES] for q in QUERIES])
    assert scores == pytest.approx(alone, abs=1e-5)


def test_the_order_given_is_the_order_returned(model: CrossEncoder) -> None:
    forward, backward = model.score(QUERIES[:1], PASSAGES), model.score(QUERIES[:1], PASSAGES[::-1])
    assert forward[0].tolist() == pytest.approx(backward[0].tolist()[::-1], abs=1e-5)
    assert len(set(forward[0].tolist())) == 3


def test_what_is_too_long_is_cut_the_longer_text_first(model: CrossEncoder) -> None:
    (cut,) = model.encode(["causes of gout"], ["fever " * 50])
    assert len(cut.ids) == 24
    assert cut.type_ids == [0] * 5 + [1] * 19
    (cut,) = model.encode(["gout " * 50], ["fever " * 50])
    assert len(cut.ids) == 24


def test_saved_and_read_again_it_scores_the_same(model: CrossEncoder, tmp_path: Path) -> None:
    model.save(tmp_path)
    again = CrossEncoder.from_base(str(tmp_path), 24).eval()
    assert torch.equal(again.score(QUERIES, PASSAGES), model.score(QUERIES, PASSAGES))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_on_a_gpu_it_scores_the_same(model: CrossEncoder) -> None:
    expected = model.score(QUERIES, PASSAGES)
    assert model.cuda().score(QUERIES, PASSAGES).cpu() == pytest.approx(expected, abs=1e-3)
