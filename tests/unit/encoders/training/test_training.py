from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from encoders.models.cross import CrossEncoder
from encoders.training import trainer
from encoders.training.config import Arithmetic, TrainingConfig
from encoders.training.folder import TrainingFolder
from encoders.training.loop import train
from encoders.training.losses import listwise_cross_entropy
from encoders.training.options import with_options
from encoders.training.trainer import learning_rate_factor
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Query


@pytest.fixture
def config(tiny_base: Path) -> TrainingConfig:
    """6 steps of 3 queries with 4 passages each."""
    options = {"max_tokens": 24, "epochs": 1.0, "batch": 3, "negatives": 3, "learning_rate": 2e-3, "warmup": 0.1}
    return with_options("cross", {"base": str(tiny_base), **options, "checkpoint_every": 2, "precision": "fp32"})


def weights(model: CrossEncoder) -> dict[str, torch.Tensor]:
    return {n: w.cpu() for n, w in model.state_dict().items()}


def same(a: CrossEncoder, b: CrossEncoder) -> bool:
    return all(torch.equal(w, weights(b)[n]) for n, w in weights(a).items())


def lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]


def test_the_loss_falls(tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path) -> None:
    answer, query = next(
        (p, q) for p, q in zip(tiny_data.passages, tiny_data.queries, strict=True) if p.aspect == "treatment"
    )
    others = tuple(p for p in tiny_data.passages if p.aspect == "causes")
    data = EntityAspectData("one answer", (answer, *others), (query,) * 3)
    passages = [p.text for p in data.passages]
    labels = torch.eye(1, len(passages))

    def loss(model: CrossEncoder) -> float:
        return listwise_cross_entropy(model.eval().cpu().score([query.text], passages), labels).item()

    before = loss(CrossEncoder.from_base(config.base, config.max_tokens))
    trained = train(data, replace(config, epochs=20, checkpoint_every=5), tmp_path / "run")
    assert loss(trained) < 0.5 * before
    logged = [line["loss"] for line in lines(tmp_path / "run")]
    assert len(logged) == 4
    assert logged[-1] < logged[0]


def test_the_run_folder_holds_settings_log_checkpoint_and_model(
    tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path
) -> None:
    out = tmp_path / "runs" / "first"
    trained = train(tiny_data, config, out)
    noted = json.loads((out / "config.json").read_text())
    assert (noted["data"], noted["epochs"], noted["base"]) == ("tiny", 1.0, config.base)
    assert [(line["step"], line["steps"]) for line in lines(out)] == [(2, 6), (4, 6), (6, 6)]
    assert torch.load(out / "checkpoint.pt", weights_only=True)["step"] == 6
    assert not (out / "checkpoint.part").exists()
    assert same(CrossEncoder.from_base(str(out / "model"), 24), trained.cpu())
    assert not same(CrossEncoder.from_base(config.base, 24), trained)


@contextmanager
def cut_short(saves: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ctrl-C comes as soon as the ``saves``-th checkpoint is written, and ends the block."""
    real, done = TrainingFolder.save, []

    def save(self: TrainingFolder, state: Mapping[str, Any], line: Mapping[str, Any]) -> None:
        real(self, state, line)
        done.append(1)
        if len(done) == saves:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(TrainingFolder, "save", save)
        with pytest.raises(KeyboardInterrupt):
            yield


def test_a_resumed_run_ends_in_the_same_weights(
    tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = train(tiny_data, config, tmp_path / "whole")
    with cut_short(2, monkeypatch):
        train(tiny_data, config, tmp_path / "cut")
    assert not (tmp_path / "cut" / "model").exists()
    torch.rand(100)  # the generator's state must not matter
    resumed = train(tiny_data, config, tmp_path / "cut")
    assert same(resumed, whole)
    logs = [[(line["step"], line["loss"]) for line in lines(tmp_path / name)] for name in ("whole", "cut")]
    assert logs[0] == logs[1]


def test_a_finished_run_is_not_trained_further(
    tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path
) -> None:
    first = train(tiny_data, config, tmp_path)
    assert same(train(tiny_data, config, tmp_path), first)
    assert len(lines(tmp_path)) == 3


def test_a_run_says_that_it_goes_on_and_its_clock_goes_on_too(
    tiny_data: EntityAspectData,
    config: TrainingConfig,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with cut_short(1, monkeypatch):
        train(tiny_data, config, tmp_path)
    log = tmp_path / "log.jsonl"
    line = lines(tmp_path)[0]
    log.write_text(json.dumps({**line, "seconds": 600.0}) + "\n")
    capsys.readouterr()
    train(tiny_data, config, tmp_path)
    assert "Goes on from step 2 of 6, after 10 minutes." in capsys.readouterr().out
    assert all(line["seconds"] >= 600 for line in lines(tmp_path))
    train(tiny_data, config, tmp_path)
    assert "The run had ended at step 6 of 6" in capsys.readouterr().out


def test_a_run_by_the_clock_ends_with_its_minutes_and_a_resumed_one_has_what_is_left_of_them(
    tiny_data: EntityAspectData,
    config: TrainingConfig,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    clocked = replace(config, minutes=3.0)
    now = iter(range(0, 100_000, 20))  # each look at the clock is 20 seconds after the last
    monkeypatch.setattr("encoders.training.loop.time", SimpleNamespace(monotonic=lambda: next(now)))
    with cut_short(2, monkeypatch):
        train(tiny_data, clocked, tmp_path)
    train(tiny_data, clocked, tmp_path)
    assert [(line["step"], line["seconds"]) for line in lines(tmp_path)] == [
        (2, 40),
        (4, 80),
        (6, 120),
        (8, 160),
        (9, 180),
    ]
    said = capsys.readouterr().out
    assert "step 2, 1 of 3 minutes: loss" in said
    assert "Goes on from step 4, after 1 minutes." in said
    train(tiny_data, clocked, tmp_path)
    assert "The run had ended at step 9, after 3 minutes." in capsys.readouterr().out
    with pytest.raises(AspectraError, match="minutes"):
        replace(config, minutes=-1.0)


def test_a_checkpoint_holds_no_weights_twice(
    tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cut_short(1, monkeypatch):
        train(tiny_data, config, tmp_path, tiny_data)
    begun = (tmp_path / "checkpoint.pt").stat().st_size
    best = train(tiny_data, config, tmp_path, tiny_data)
    model = (tmp_path / "model" / "model.safetensors").stat().st_size
    assert begun < 3.3 * model  # the weights and the optimiser's two moments
    assert (tmp_path / "checkpoint.pt").stat().st_size < 1.2 * model
    assert same(train(tiny_data, config, tmp_path, tiny_data), best)


def test_another_seed_gives_other_weights(tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path) -> None:
    one = train(tiny_data, config, tmp_path / "a")
    assert not same(one, train(tiny_data, replace(config, seed=14), tmp_path / "b"))


@pytest.mark.parametrize("precision", ["bf16", "fp16"])
def test_half_precision_learns_as_full_precision_does(
    tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path, precision: Arithmetic
) -> None:
    full = weights(train(tiny_data, config, tmp_path / "full"))
    half = weights(train(tiny_data, replace(config, precision=precision), tmp_path / "half"))
    began = weights(CrossEncoder.from_base(config.base, config.max_tokens))
    logged = [[line["loss"] for line in lines(tmp_path / name)] for name in ("half", "full")]
    assert logged[0] == pytest.approx(logged[1], rel=0.02)
    assert logged[0] != logged[1]
    moved, apart = (sum(float((full[n] - of[n]).norm()) for n in full if "encoder" in n) for of in (began, half))
    assert apart < 0.5 * moved


def test_fp16_leaves_out_a_step_that_overflows_and_goes_on_with_a_lower_scale(
    tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trainer, "FIRST_SCALE", 2.0**60)
    fp16 = replace(config, precision="fp16", checkpoint_every=1)
    with cut_short(1, monkeypatch):
        train(tiny_data, fp16, tmp_path)
    state = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    assert state["scaler"]["scale"] == 2.0**59
    began = weights(CrossEncoder.from_base(config.base, config.max_tokens))
    # The head is drawn anew; what came from the base is as it was.
    assert all(torch.equal(w.cpu(), began[n]) for n, w in state["model"].items() if "encoder" in n)
    resumed = train(tiny_data, fp16, tmp_path)
    assert torch.load(tmp_path / "checkpoint.pt", weights_only=True)["scaler"]["scale"] == 2.0**54
    assert all(w.isfinite().all() for w in weights(resumed).values())


def failure(data: EntityAspectData, config: TrainingConfig, out: Path) -> AspectraError:
    with pytest.raises(AspectraError) as caught:
        train(data, config, out)
    return caught.value


def test_a_folder_of_a_run_with_other_settings(
    tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path
) -> None:
    wanted = {"data": tiny_data.name, **config.flat()}
    noted = json.dumps({**wanted, "seed": config.seed + 1, "batch": 2 * config.batch})
    (tmp_path / "config.json").write_text(noted)
    error = failure(tiny_data, config, tmp_path)
    assert error.message == f"{tmp_path} holds a run with other settings: batch, seed."
    assert "--out" in error.remedy
    assert (tmp_path / "config.json").read_text() == noted


def test_a_run_that_an_earlier_version_began_goes_on(
    tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path
) -> None:
    others = {"shared": True, "codes": 16, "attention": "original", "sentences": "words", "labels": 1.0}
    (tmp_path / "config.json").write_text(json.dumps({"data": tiny_data.name, **config.flat(), **others}))
    train(tiny_data, config, tmp_path)


@pytest.mark.parametrize("text", ["{", "[]"])
def test_a_folder_whose_settings_are_damaged(
    tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path, text: str
) -> None:
    (tmp_path / "config.json").write_text(text)
    assert "config.json is damaged" in failure(tiny_data, config, tmp_path).message


def test_a_folder_that_is_a_file(tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert failure(tiny_data, config, tmp_path / "file").message.startswith(f"{tmp_path / 'file'}: cannot be written")


def test_a_checkpoint_that_cannot_be_read(tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path) -> None:
    (tmp_path / "checkpoint.pt").write_bytes(b"torn")
    error = failure(tiny_data, config, tmp_path)
    assert error.message == f"{tmp_path / 'checkpoint.pt'}: cannot be read."
    assert "Delete it" in error.remedy


def test_data_without_negatives(tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path) -> None:
    alike = replace(tiny_data, passages=tiny_data.passages[:1], queries=tiny_data.queries[:1])
    assert failure(alike, config, tmp_path).message.startswith("tiny: no query has")


def test_a_checkpoint_that_cannot_be_written_leaves_the_last_one(tmp_path: Path) -> None:
    folder = TrainingFolder(tmp_path, {})
    folder.save({"step": 1}, {"step": 1})
    (tmp_path / "checkpoint.part").mkdir()
    with pytest.raises(AspectraError) as caught:
        folder.save({"step": 2}, {"step": 2})
    assert caught.value.message.startswith(f"{tmp_path / 'checkpoint.pt'}: the checkpoint could not be written")
    assert folder.last(torch.device("cpu")) == {"step": 1}
    assert lines(tmp_path) == [{"step": 1}]


def test_the_learning_rate_rises_and_falls_in_lines() -> None:
    factors = [learning_rate_factor(s, 100, 0.1) for s in range(101)]
    assert factors[0] == pytest.approx(0.1)
    assert factors[9] == factors[10] == 1.0
    assert factors[55] == pytest.approx(0.5)
    assert factors[100] == 0.0
    assert all(b >= a for a, b in pairwise(factors[:11]))
    assert all(b < a for a, b in pairwise(factors[10:]))


@pytest.mark.parametrize(("steps", "warmup"), [(1, 0.08), (2, 0.0), (3, 1.0)])
def test_the_learning_rate_of_very_short_runs_is_between_0_and_1(steps: int, warmup: float) -> None:
    assert all(0 <= learning_rate_factor(s, steps, warmup) <= 1 for s in range(steps + 1))
    assert learning_rate_factor(0, steps, warmup) > 0


def trained_folder(data: EntityAspectData, config: TrainingConfig, out: Path) -> str:
    train(data, config, out)
    return str(out / "model")


@pytest.fixture
def bi(tiny_base: Path) -> TrainingConfig:
    """6 steps of 3 queries, with 2 hard negatives each."""
    options = {"max_tokens": 24, "epochs": 1.0, "batch": 3, "negatives": 2, "checkpoint_every": 1}
    return with_options("bi", {"base": str(tiny_base), **options, "precision": "fp32"})


@pytest.mark.parametrize("loss", ["kl", "margin-mse"])
def test_a_student_comes_nearer_to_its_teacher(
    tiny_data: EntityAspectData, config: TrainingConfig, bi: TrainingConfig, tmp_path: Path, loss: Any
) -> None:
    teacher = trained_folder(tiny_data, replace(config, epochs=4.0), tmp_path / "teacher")
    student = replace(bi, loss=loss, teacher=teacher, epochs=6.0, checkpoint_every=6, learning_rate=2e-3, keywords=0.0)
    train(tiny_data, student, tmp_path / "student")
    logged = [line["loss"] for line in lines(tmp_path / "student")]
    assert logged[-1] < 0.8 * logged[0]


def test_graded_lists_are_learnt_in_their_order(
    tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path
) -> None:
    """The middle grade stands between, where no loss of right and wrong would put it."""
    worth = {"causes": 2, "symptoms": 1, "treatment": 0}
    about: dict[str, list[tuple[str, int]]] = {}
    for p in sorted(tiny_data.passages, key=lambda p: -worth[p.aspect]):
        about.setdefault(p.entity, []).append((p.id, worth[p.aspect]))
    queries = tuple(
        Query(f"q {e}", f"what are the {e}", e, "", "", tuple(i for i, grade in own if grade), tuple(own))
        for e, own in about.items()
    )
    graded = replace(config, loss="graded", negatives=2, epochs=20.0, learning_rate=1e-3, checkpoint_every=10)
    model = train(replace(tiny_data, queries=queries), graded, tmp_path / "graded")
    texts = tiny_data.passage_by_id()
    for q in queries:
        two, one, none = model.score([q.text], [texts[i].text for i, _ in q.grades])[0].tolist()
        assert two - one > 1
        assert one - none > 1


def test_negatives_that_the_model_mines_itself_survive_a_cut(
    tiny_data: EntityAspectData, bi: TrainingConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refreshed = replace(bi, refresh=2)
    whole = train(tiny_data, refreshed, tmp_path / "whole")
    mined = torch.load(tmp_path / "whole" / "checkpoint.pt", weights_only=True)["mined"]
    assert mined.shape == (len(tiny_data.queries), len(tiny_data.passages))
    for saves in (2, 3):
        out = tmp_path / f"cut {saves}"
        with cut_short(saves, monkeypatch):
            train(tiny_data, refreshed, out)
        assert all(
            torch.equal(w, whole.state_dict()[n]) for n, w in train(tiny_data, refreshed, out).state_dict().items()
        )


def test_another_model_mines_negatives(
    tiny_data: EntityAspectData, config: TrainingConfig, bi: TrainingConfig, tmp_path: Path
) -> None:
    miner = trained_folder(tiny_data, bi, tmp_path / "miner")
    alone = train(tiny_data, config, tmp_path / "alone")
    mined = train(tiny_data, replace(config, miner=miner), tmp_path / "mined")
    assert not same(alone, mined)


def test_a_miner_that_encodes_no_passages(tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path) -> None:
    cross = trained_folder(tiny_data, config, tmp_path / "cross")
    error = failure(tiny_data, replace(config, miner=cross), tmp_path / "mined")
    assert error.message == f"{cross}: does not encode passages."


def test_a_miner_that_is_not_there(tiny_data: EntityAspectData, config: TrainingConfig, tmp_path: Path) -> None:
    assert "no aspectra.json" in failure(tiny_data, replace(config, miner=str(tmp_path)), tmp_path / "mined").message
