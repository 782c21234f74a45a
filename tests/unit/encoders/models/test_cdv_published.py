from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.nn import functional

from encoders.models import trained
from encoders.models.cdv_published import PublishedDiscourseVectors, distance
from encoders.models.discourse import Sentences
from encoders.models.learning import Batch
from encoders.peers.rankers import ModelRanker
from encoders.training.config import TrainingConfig
from encoders.training.label_encoders import learn_labels
from encoders.training.loop import train
from encoders.training.negatives import with_negatives
from encoders.training.objectives import BatchObjective, make_batch
from encoders.training.options import with_options
from encoders.training.trainer import Trainer
from search_stack.core.context import contextual
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData
from search_stack.evaluation.datasets.wording import worded

TINY = {"hidden": 6, "discourse": 5, "part": 4, "label_hidden": 3, "label_passes": 2}
FIRST, SECOND, THIRD = "Gout is common. It hurts.", "Ice helps. Rest does too.", "See a doctor."
READ = [f"{FIRST} || {SECOND}\n{THIRD}", f"{FIRST} | {SECOND} || {THIRD}", f"{FIRST}\n{SECOND} | {THIRD}"]
"""The three passages of a document, each line one, as they are read."""


def config(base: Path, **changes: Any) -> TrainingConfig:
    return with_options("cdv-published", {"base": str(base), **TINY, **changes})


@pytest.fixture
def model(real_words: Path) -> PublishedDiscourseVectors:
    torch.manual_seed(3)
    built = config(real_words).build().eval()
    assert isinstance(built, PublishedDiscourseVectors)
    for encoder in built.label_encoders.values():
        encoder.hold(["gout", "treatment"], [["gout is common"], ["ice helps"]])
    return built


def test_sentences_stand_where_the_document_has_them() -> None:
    found = [Sentences.of(read) for read in READ]
    texts = ("Gout is common.", "It hurts.", "Ice helps.", "Rest does too.", "See a doctor.")
    assert [f.texts for f in found] == [texts] * 3
    assert [texts[f.own] for f in found] == [texts[:2], texts[2:4], texts[4:]]
    assert found[0].begins == found[1].begins == (True, False, True, False, True)
    assert found[1].scored().tolist() == [False, False, True, True, False]
    assert Sentences.of("?").texts == ("?",)
    assert Sentences.of(" ").texts == (" ",)


@torch.inference_mode()
def test_a_document_is_read_once_for_all_its_passages_and_in_order(
    model: PublishedDiscourseVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    once = model._read
    monkeypatch.setattr(model, "_read", lambda documents: read.append(len(documents)) or once(documents))
    together = model.encode_passages([*READ, THIRD])
    assert read == [2]
    assert together.values.shape == (4, 2, 8)
    assert together.mask.tolist() == [[True, True], [True, True], [True, False], [True, False]]
    alone = model.encode_passages([READ[1]])
    assert torch.allclose(together.values[1], alone.values[0], atol=1e-6)
    # What stands before and what stands after both matter.
    for other in (READ[1].replace("common", "rare"), READ[1].replace("doctor", "surgeon")):
        assert not torch.allclose(model.encode_passages([other]).values[0], alone.values[0], atol=1e-5)


@torch.inference_mode()
def test_every_layer_is_what_a_slow_loop_computes(model: PublishedDiscourseVectors) -> None:
    """x_t the mean of word vectors with length 1; h_t of a BLSTM of one layer; d_t = tanh(W h_t + b); then for the
    entity and the aspect each tanh(U d_t + c), length 1, tanh(V · + d), length 1."""
    assert model.read.num_layers == 1
    texts = Sentences.of(READ[0]).texts
    flags = [[1, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 1, 1, 1, 0]]
    rows = []
    for text, flag in zip(texts, flags, strict=True):
        mean = model.table([text], 64).values[0].mean(dim=0)
        rows.append(torch.cat([mean / mean.norm(), torch.tensor(flag).float()]))
    states = model.read(torch.stack(rows)[None])[0][0]
    found = model.encode_passages(READ)
    ours = [found.values[0, 0], found.values[0, 1], found.values[1, 0], found.values[1, 1], found.values[2, 0]]
    for state, both in zip(states, ours, strict=True):
        d = torch.tanh(model.discourse(state))
        for n, half in enumerate(both.split(4)):
            towards = functional.normalize(torch.tanh(model.towards[n](d)), dim=0)
            expected = functional.normalize(torch.tanh(model.targets[n](towards)), dim=0)
            assert torch.allclose(half, expected, atol=1e-5)


def test_the_distance_is_a_quarter_of_both() -> None:
    """Equation 17: (‖e - ê‖ + ‖a - â‖) / 4."""
    ours = torch.tensor([[1.0, 0.0, 0.0, 1.0], [0.6, 0.8, 1.0, 0.0]])
    wanted = torch.tensor([[0.0, 1.0, 0.0, 1.0], [0.6, 0.8, -1.0, 0.0]])
    assert distance(ours, wanted, 2).item() == pytest.approx((math.sqrt(2) / 4 + 2 / 4) / 2)
    assert distance(ours, -ours, 2).item() == pytest.approx(1.0)


def asking(queries: list[str], passages: list[str]) -> Batch:
    about = [("gout", "treatment")] * len(passages)
    ids = [str(n) for n in range(len(passages))]
    return Batch(queries, passages, 0, about[: len(queries)], about, [frozenset(i) for i in ids], ids)


def test_what_is_lowered_is_the_distance_of_every_sentence_from_its_label(
    model: PublishedDiscourseVectors, real_words: Path
) -> None:
    batch = asking(["gout ; treatment", "angina ; treatment"], [READ[1], READ[2]])
    shaped = config(real_words)
    loss = model.loss(batch, BatchObjective(batch, shaped, torch.device("cpu")))
    vectors = model.encode_passages(batch.passages)
    aspect = model.aspects.vectors(["treatment"])
    each = []
    for n, entity in enumerate(("gout", "angina")):
        wanted = torch.cat([model.entities.vectors([entity]), aspect], dim=1)
        each += [distance(row[None], wanted, 4) for row in vectors.values[n][vectors.mask[n]]]
    assert len(each) == 3
    assert loss.item() == pytest.approx(torch.stack(each).mean().item(), abs=1e-6)
    loss.backward()  # type: ignore[no-untyped-call]
    assert all(p.grad is None for encoder in model.label_encoders.values() for p in encoder.parameters())
    assert model.read.weight_ih_l0.grad is not None


@torch.inference_mode()
def test_scores_are_the_mean_over_sentences_of_both_cosines(model: PublishedDiscourseVectors) -> None:
    query, passage = "gout ; treatment", READ[1]
    entity, aspect = model.entities.vectors(["gout"])[0], model.aspects.vectors(["treatment"])[0]
    own = model.encode_passages([passage]).values[0]
    cosines = [(entity @ row[:4] + aspect @ row[4:]) / 2 for row in own]
    scores = model.score([query, "gout"], [passage, THIRD])
    assert scores[0, 0].item() == pytest.approx(20 * sum(map(float, cosines)) / 2, abs=1e-5)
    # What is no tuple asks both encoders.
    assert model.encode_queries(["gout"]).values[0, 0, 4:] == pytest.approx(model.aspects.vectors(["gout"])[0])
    for n, q in enumerate((query, "gout")):
        for m, p in enumerate((passage, THIRD)):
            assert scores[n, m].item() == pytest.approx(model.score([q], [p]).item(), abs=1e-5)


def test_labels_first_then_two_steps_and_an_evaluation_on_real_lines(
    real: EntityAspectData, real_words: Path, tmp_path: Path
) -> None:
    few = replace(real, queries=real.queries[:8])
    shaped = config(real_words, batch=4, epochs=1.0)
    assert (shaped.context, shaped.queries) == (("document",), "tuple")
    model = train(few, shaped, tmp_path, development=real)
    assert isinstance(model, PublishedDiscourseVectors)
    (line,) = [json.loads(text) for text in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert line["step"] == 2
    assert 0 <= line["dev_r_at_1"] <= 1
    told = json.loads((tmp_path / "labels.json").read_text())
    assert told["entities"]["labels"] == len({q.entity for q in few.queries})
    assert model.entities.known.shape == (told["entities"]["labels"], 4)
    ranker = ModelRanker.load(tmp_path / "model")
    assert ranker.parts == ("document",)
    ranker.read({p.id: contextual(p.text, p.around, ("document",)) for p in real.passages})
    scores = ranker.score(worded(real, "tuple").queries[0].text, [p.id for p in real.passages])
    assert len(set(scores)) > 1


def test_a_checkpoint_brings_the_labels_back(real: EntityAspectData, real_words: Path, tmp_path: Path) -> None:
    shaped = config(real_words, batch=4, epochs=1.0)
    model = train(real, shaped, tmp_path)
    assert isinstance(model, PublishedDiscourseVectors)
    state = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    fresh = shaped.build()
    assert isinstance(fresh, PublishedDiscourseVectors)
    Trainer(fresh, shaped, 2, None).restore(state)
    (name, *_) = (q.entity for q in real.queries)
    assert torch.equal(fresh.entities.vectors([name]), model.entities.vectors([name]))
    again, _ = trained.load(tmp_path / "model")
    assert torch.equal(again.score(["gout ; treatment"], READ), model.score(["gout ; treatment"], READ))


def test_it_learns_what_a_sentence_is_about(real: EntityAspectData, real_words: Path) -> None:
    """On the very lines that it learns from the distance falls by half."""
    shaped = config(real_words, batch=8, part=16, hidden=24, discourse=24, label_passes=20, learning_rate=1e-2)
    torch.manual_seed(1)
    model = shaped.build()
    assert isinstance(model, PublishedDiscourseVectors)
    learn_labels(model.label_encoders, real, passes=20, sentences=1, rate=4e-3, seed=1)
    batch = make_batch(with_negatives(worded(real, "tuple"))[:8], shaped, random.Random(1))
    objective = BatchObjective(batch, shaped, torch.device("cpu"))
    optimiser = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)
    losses = []
    for _ in range(40):
        loss = model.loss(batch, objective)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]


@pytest.mark.parametrize("options", [{"loss": "listwise"}, {"at_once": 4}])
def test_a_loss_of_rankings_is_refused(options: dict[str, Any], real_words: Path) -> None:
    with pytest.raises(AspectraError, match="a loss of their own"):
        config(real_words, **options)
