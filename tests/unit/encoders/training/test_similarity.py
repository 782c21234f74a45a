"""Models that tell how alike two sentences are, on a tiny base: they learn both, and go on where they stopped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
import torch

from encoders.models import trained
from encoders.models.alike import alike
from encoders.models.cdv import CdvShape, ContextualDiscourseVectors
from encoders.models.cross import CrossEncoder
from encoders.peers.similarity import ModelSimilarity
from encoders.training import similarity
from encoders.training.similarity import SimilarityConfig, train, triple_loss
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.sentence_pairs import SentencePair
from search_stack.evaluation.minimal_pairs import Triple
from search_stack.evaluation.tasks.minimal_pairs import pairs_of
from search_stack.evaluation.tasks.sts import pearson

WORDS = ("fever", "pain", "effusion", "gout", "asthma", "sepsis")
PAIRS = [SentencePair(f"small {a} .", f"the {b}", 5.0 * (a == b)) for a in WORDS for b in WORDS]
TRIPLES = [Triple("side", f"n{n}", f"left {w}", f"the left {w} .", f"right {w}", False) for n, w in enumerate(WORDS)]


def config(base: Path, model: Literal["siamese", "regression"]) -> SimilarityConfig:
    return SimilarityConfig(
        model, str(base), batch=12, triples=4, epochs=10, learning_rate=2e-3, max_tokens=24, precision="fp32"
    )


@pytest.mark.parametrize("model", ["siamese", "regression"])
def test_it_learns_pairs_and_triples_and_is_read_again(
    model: Literal["siamese", "regression"], tiny_base: Path, tmp_path: Path
) -> None:
    learnt = train(PAIRS, TRIPLES, config(tiny_base, model), tmp_path / "run")
    again = ModelSimilarity.load(tmp_path / "run" / "model")
    told, gold = again(PAIRS), np.array([p.score for p in PAIRS])
    assert told == pytest.approx(ModelSimilarity(learnt)(PAIRS))
    before = ModelSimilarity(config(tiny_base, model).build())(PAIRS)
    assert np.square(told - gold / 5).mean() < np.square(before - gold / 5).mean()
    if model == "siamese":
        assert pearson(told, gold) > max(0.5, pearson(before, gold))
    assert told.max() <= 1.0001
    near, far = again(pairs_of(TRIPLES)).reshape(2, -1)
    assert (near > far).mean() > 0.8


def test_a_run_cut_short_goes_on_and_ends_the_same(
    tiny_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = replace(config(tiny_base, "siamese"), epochs=2, checkpoint_every=2)
    whole = train(PAIRS, TRIPLES, short, tmp_path / "whole").state_dict()
    real, left = similarity.pair_loss, iter(range(3))

    def killed(*given: object) -> torch.Tensor:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(similarity, "pair_loss", killed)
    with pytest.raises(KeyboardInterrupt):
        train(PAIRS, TRIPLES, short, tmp_path / "cut")
    monkeypatch.undo()
    ended = train(PAIRS, TRIPLES, short, tmp_path / "cut").state_dict()
    assert all(torch.allclose(whole[n], ended[n], atol=1e-6) for n in whole)
    with pytest.raises(AspectraError, match="other settings: seed"):
        train(PAIRS, TRIPLES, replace(short, seed=1), tmp_path / "cut")


def test_without_triples_the_pairs_alone_are_learnt(tiny_base: Path, tmp_path: Path) -> None:
    train(PAIRS, [], replace(config(tiny_base, "siamese"), epochs=1), tmp_path)
    assert trained.load(tmp_path / "model")[1].arch == "bi"


def test_every_pair_comes_once_an_epoch_and_in_either_order() -> None:
    lessons = similarity._Lessons(PAIRS, TRIPLES, SimilarityConfig(batch=6, triples=2, epochs=1))
    drawn = [p for step in range(lessons.steps) for p in lessons.pairs(step)]
    assert {frozenset((p.one, p.other)) for p in drawn} == {frozenset((p.one, p.other)) for p in PAIRS}
    assert {p.one.startswith("small") for p in drawn} == {True, False}
    assert {t.note for step in range(3) for t in lessons.triples(step)} == {t.note for t in TRIPLES}
    assert not similarity._Lessons(PAIRS, TRIPLES, SimilarityConfig(triples=0)).triples(1)


def test_a_rare_kind_of_triples_is_drawn_as_often_as_the_others() -> None:
    rare = [replace(t, kind="dose") for t in TRIPLES[:2]]
    lessons = similarity._Lessons(PAIRS, [*TRIPLES, *rare], SimilarityConfig(batch=6, triples=3, epochs=1))
    drawn = [t for step in range(4) for t in lessons.triples(step)]
    assert [t.kind for t in drawn] == ["side", "dose"] * 6
    assert sorted(t.note for t in drawn if t.kind == "side") == sorted(t.note for t in TRIPLES)
    assert sorted(t.note for t in drawn if t.kind == "dose") == sorted(t.note for t in rare * 3)


def test_a_triple_in_order_costs_less(tiny_base: Path) -> None:
    model = CrossEncoder.from_base(tiny_base, 24).eval()
    told = alike(model, ["left fever"], ["the left fever", "right fever"])
    forward = Triple("side", "n", "left fever", "the left fever", "right fever", False)
    swapped = replace(forward, near=forward.far, far=forward.near)
    costs = [triple_loss(model, [t]).item() for t in (forward, swapped)]
    assert (costs[0] < costs[1]) == bool(told[0] > told[1])


def test_what_encodes_no_single_vector_is_refused(tiny_base: Path) -> None:
    model = ContextualDiscourseVectors.build(str(tiny_base), 24, 0, CdvShape(hidden=8, discourse=8, part=4))
    with pytest.raises(AspectraError, match="does not tell how alike"):
        alike(model, ["a"], ["b"])


def test_options_out_of_range_are_told() -> None:
    with pytest.raises(AspectraError, match="triples is -1"):
        SimilarityConfig(triples=-1)
    with pytest.raises(AspectraError, match="epochs is 0"):
        SimilarityConfig(epochs=0)
