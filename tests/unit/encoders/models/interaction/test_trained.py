"""Every model takes steps on real lines of the data, is kept, and ranks them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from encoders.models import interaction
from encoders.models.interaction.words import WORDS
from encoders.peers.rankers import ModelRanker
from encoders.training import fasttext
from encoders.training.loop import train
from encoders.training.options import configured, with_options
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData
from search_stack.evaluation.datasets.wording import worded

SHORT = {"batch": 4, "negatives": 2, "max_tokens": 40, "learning_rate": 1e-3}


@pytest.fixture(scope="session")
def real_words(real: EntityAspectData, tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("gensim")
    folder = tmp_path_factory.mktemp("real") / "words"
    fasttext.train_words([p.text for p in real.passages], folder, seed=1, dimensions=16, buckets=500)
    return folder


@pytest.mark.parametrize("name", interaction.NAMES)
def test_two_steps_and_an_evaluation_on_real_lines(
    name: str, real: EntityAspectData, real_words: Path, tmp_path: Path
) -> None:
    few = replace(real, queries=real.queries[:8])
    config = with_options(name, SHORT | {"base": str(real_words), "epochs": 1.0})
    began = config.build().state_dict()
    model = train(few, config, tmp_path, development=real)
    (line,) = [json.loads(text) for text in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert line["step"] == 2
    assert 0 <= line["dev_r_at_1"] <= 1
    moved = {part for part, w in model.state_dict().items() if not torch.equal(w.cpu(), began[part])}
    assert moved
    assert any(part.startswith("table.") for part in moved) == getattr(config.shape, "learn_words", False)
    ranker = ModelRanker.load(tmp_path / "model")
    ranker.read({p.id: p.text for p in real.passages})
    scores = ranker.score(worded(real, "tuple").queries[0].text, [p.id for p in real.passages])
    assert len(set(scores)) > 1


def test_what_is_learnt_ranks_better_than_chance(real: EntityAspectData, real_words: Path, tmp_path: Path) -> None:
    config = with_options("drmm", SHORT | {"base": str(real_words), "epochs": 20.0, "learning_rate": 3e-2})
    train(real, config, tmp_path, development=real)
    lines = [json.loads(text) for text in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert max(line["dev_r_at_1"] for line in lines) > 3 / len(real.passages)
    assert lines[-1]["loss"] < lines[0]["loss"]


def test_word_vectors_are_trained_first_and_once(
    tiny_data: EntityAspectData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("gensim")
    monkeypatch.setattr(fasttext.train_words, "__defaults__", (8, 100))
    config = with_options("k-nrm", SHORT | {"epochs": 1.0})
    train(tiny_data, config, tmp_path)
    known = (tmp_path / "words" / WORDS).read_text().splitlines()
    assert {"asthma", "treatment", "fever"} <= set(known)
    made = (tmp_path / "words" / "vectors.npz").stat().st_mtime_ns
    assert fasttext.base_of(tiny_data, config, tmp_path) == str(tmp_path / "words")
    assert (tmp_path / "words" / "vectors.npz").stat().st_mtime_ns == made
    assert fasttext.base_of(tiny_data, replace(config, base="elsewhere"), tmp_path) == "elsewhere"


def test_a_text_of_words_that_stand_there_once_gives_no_vectors(tmp_path: Path) -> None:
    pytest.importorskip("gensim")
    with pytest.raises(AspectraError, match="No word stands 2 times"):
        fasttext.train_words(["one two", "three"], tmp_path, seed=1)
    assert not (tmp_path / WORDS).exists()


def test_options_are_read_as_tuples_too() -> None:
    shape: Any = configured("arc-i", ["filters=8,16,32", "hidden=9"]).shape
    assert (shape.filters, shape.hidden) == ((8, 16, 32), 9)
    assert configured("drmm", ["queries=asked"]).queries == "asked"
