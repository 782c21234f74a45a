from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from encoders.models.bloom import multi_hot
from encoders.models.cdv_published import PublishedDiscourseVectors
from encoders.models.interaction.words import VECTORS, WORDS, tokens
from encoders.models.label_encoder import LabelEncoder
from encoders.training.label_encoders import bits_of, labels_of, learn_labels
from encoders.training.options import with_options
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData


def untaught(base: Path) -> PublishedDiscourseVectors:
    torch.manual_seed(0)
    model = with_options("cdv-published", {"base": str(base), "hidden": 8}).build()
    assert isinstance(model, PublishedDiscourseVectors)
    return model


def test_labels_come_with_the_sentences_of_what_answers(tiny_data: EntityAspectData) -> None:
    found = labels_of(tiny_data)
    assert set(found["aspects"]) == {"causes", "symptoms", "treatment"}
    assert found["entities"]["gout"] == [p.text for p in tiny_data.passages if p.entity == "gout"]
    assert set(found["aspects"]["causes"]) == {p.text for p in tiny_data.passages if p.aspect == "causes"}


def test_an_entity_sets_the_bits_of_its_name_and_an_aspect_those_of_each_word() -> None:
    (entity,), (aspect,) = bits_of("entities", ["risk factors"]), bits_of("aspects", ["risk factors"])
    one, two = multi_hot(["risk", "factors"])
    assert torch.equal(entity, multi_hot(["risk factors"])[0])
    assert torch.equal(aspect, torch.maximum(one, two))


@pytest.fixture
def drawn_words(tiny_data: EntityAspectData, tmp_path: Path) -> Path:
    """Word vectors drawn at random, but for a direction that all share, as trained ones do."""
    known = sorted(
        {word for p in tiny_data.passages for word in tokens(p.text)} | {q.aspect for q in tiny_data.queries}
    )
    rng = np.random.default_rng(0)
    vectors, buckets = (rng.standard_normal((n, 16)).astype(np.float32) + 2 for n in (len(known), 50))
    np.savez(tmp_path / VECTORS, vectors=vectors, buckets=buckets, idf=np.ones(len(known), dtype=np.float32))
    (tmp_path / WORDS).write_text("\n".join(known))
    return tmp_path


def test_labels_are_told_apart_once_they_are_learnt(tiny_data: EntityAspectData, drawn_words: Path) -> None:
    """The bits that a name tells are its own label's, and its vector is nearest to its own label's."""

    def told_own(encoder: LabelEncoder, kind: str) -> float:
        names = list(labels_of(tiny_data)[kind])
        bits = bits_of(kind, names)
        logits = encoder.bits(encoder(names)) @ bits.T / bits.sum(dim=1)
        return (logits.argmax(dim=1) == torch.arange(len(names))).float().mean().item()

    model = untaught(drawn_words)
    before = {kind: told_own(encoder, kind) for kind, encoder in model.label_encoders.items()}
    told = learn_labels(model.label_encoders, tiny_data, passes=60, sentences=1, rate=1e-2, seed=1)
    for kind, count in (("entities", 6), ("aspects", 3)):
        assert told[kind]["labels"] == count
        assert told[kind]["own_nearest"] == 1
        assert told[kind]["mean_cosine"] < 0.1
        assert before[kind] < told_own(model.label_encoders[kind], kind) == 1


def test_the_same_seed_learns_the_same(real: EntityAspectData, real_words: Path) -> None:
    models = [untaught(real_words) for _ in range(2)]
    told = [learn_labels(m.label_encoders, real, passes=2, sentences=1, rate=4e-3, seed=1) for m in models]
    assert told[0] == told[1]
    assert torch.equal(models[0].entities.known, models[1].entities.known)


def test_queries_without_labels_teach_none(real: EntityAspectData, real_words: Path) -> None:
    bare = replace(real, queries=tuple(replace(q, entity="", aspect="", aspect_heading="") for q in real.queries))
    with pytest.raises(AspectraError, match="no query names"):
        learn_labels(untaught(real_words).label_encoders, bare, passes=1, sentences=1, rate=4e-3, seed=1)
