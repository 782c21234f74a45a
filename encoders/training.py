"""Training of every architecture, in a run folder that can be resumed."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from encoders import architectures
from encoders.batches import epoch_batches
from encoders.config import Precision, TrainingConfig
from encoders.curves import draw_curves
from encoders.development import Development
from encoders.examples import Example, mine, model_rankings
from encoders.objectives import backward, make_batch, teach
from encoders.run_folder import RunFolder
from encoders.scorer import AT_ONCE, Indexable, Scorer
from search_stack.errors import AspectraError
from search_stack.evaluation.entity_aspect import EntityAspectData

AUTOCAST: dict[Precision, torch.dtype | None] = {"fp32": None, "bf16": torch.bfloat16, "fp16": torch.float16}
FIRST_SCALE = 2.0**12
"""Of the loss in fp16; it adapts itself (Micikevicius et al., Mixed precision training, ICLR 2018, section 3.2)."""
SMOOTHING = 0.98
DEPTH = 64
"""Passages of a ranking among which hard negatives are drawn."""


def learning_rate_factor(step: int, steps: int, warmup: float) -> float:
    """Linear warm-up, then linear decay to 0.

    >>> [learning_rate_factor(s, 10, 0.2) for s in (0, 1, 2, 6)]
    [0.5, 1.0, 1.0, 0.5]
    """
    rising = max(1, round(steps * warmup))
    if step < rising:
        return (step + 1) / rising
    return max(0.0, (steps - step) / max(1, steps - rising))


class Batches:
    """The batches of a run, epoch after epoch."""

    def __init__(self, examples: Sequence[Example], config: TrainingConfig) -> None:
        self._examples, self._config = examples, config
        # A cross-encoder reads only each query's own list, so nothing keeps two that ask for the same apart.
        asked = [n if config.arch == "cross" else (e.query.entity, e.query.aspect) for n, e in enumerate(examples)]
        self._keys = [(e.positive.document_id, what) for e, what in zip(examples, asked, strict=True)]
        self._size = min(config.batch, len(set(asked)))
        self._epoch = lru_cache(maxsize=2)(self._draw)
        self.each = len(self._epoch(0))
        """Batches of an epoch."""

    def _draw(self, epoch: int) -> list[list[int]]:
        return epoch_batches(self._keys, self._size, self._config.together, self._config.seed, epoch)

    def __getitem__(self, step: int) -> list[Example]:
        epoch, place = divmod(step, self.each)
        drawn = self._epoch(epoch)
        # Epochs may differ by a batch: the last one then comes once more.
        return [self._examples[n] for n in drawn[min(place, len(drawn) - 1)]]


class _Run:
    """A model in training and all that a checkpoint keeps of it."""

    def __init__(self, model: Scorer, config: TrainingConfig, steps: int, teacher: Scorer | None) -> None:
        self.model, self.config, self.steps, self.teacher = model, config, steps, teacher
        self.device = next(model.parameters()).device
        self.optimiser = torch.optim.AdamW(
            model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay
        )
        self.scaler = torch.amp.GradScaler(self.device.type, FIRST_SCALE, enabled=config.precision == "fp16")
        self.done = 0
        self.loss = 0.0
        """Running mean of the loss, in nats."""
        self.best = -1.0
        """Highest R@1 on the development data so far."""
        self.since = 0
        """Checkpoints since then."""
        self.kept: dict[str, torch.Tensor] = {}
        """The weights that reached it."""
        self.mined = torch.zeros(0, 0, dtype=torch.int32)
        """(Q, D): for each query the passages that the model itself ranked first when it was last asked."""

    def state(self) -> dict[str, Any]:
        return {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "scaler": self.scaler.state_dict(),
            "step": self.done,
            "loss": self.loss,
            "best": self.best,
            "since": self.since,
            "kept": self.kept,
            "mined": self.mined,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.scaler.load_state_dict(state["scaler"])
        self.done, self.loss = int(state["step"]), float(state["loss"])
        self.best, self.since, self.kept = float(state["best"]), int(state["since"]), dict(state["kept"])
        self.mined = state["mined"].cpu()

    @property
    def stopped(self) -> bool:
        return self.done >= self.steps or bool(self.config.patience and self.since >= self.config.patience)

    def step(self, examples: Sequence[Example]) -> None:
        """One batch. Everything random about it follows from its number, so a resumed run repeats nothing."""
        rng = random.Random(f"{self.config.seed}/{self.done}")
        torch.manual_seed(rng.getrandbits(63))
        batch = make_batch(examples, self.config, rng)
        scale = float(self.scaler.scale(torch.ones((), device=self.device)))
        dtype = AUTOCAST[self.config.precision]
        with torch.autocast(self.device.type, dtype=dtype, enabled=dtype is not None):
            taught = teach(self.teacher, batch) if self.teacher else None
            loss = backward(self.model, batch, self.config, taught, scale)
        self.scaler.unscale_(self.optimiser)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for group in self.optimiser.param_groups:
            group["lr"] = self.config.learning_rate * learning_rate_factor(self.done, self.steps, self.config.warmup)
        self.scaler.step(self.optimiser)
        self.scaler.update()
        self.optimiser.zero_grad(set_to_none=True)
        overflowed = self.scaler.get_scale() < scale
        if not overflowed:
            self.loss = SMOOTHING * self.loss + (1 - SMOOTHING) * loss if self.loss else loss
        self.done += 1

    def ask(self, data: EntityAspectData) -> list[list[int]]:
        """The model's own rankings, kept for the checkpoint."""
        if not isinstance(self.model, Indexable):
            raise TypeError(type(self.model).__name__)
        found = model_rankings(self.model, data, self.config.context, DEPTH)
        self.mined = torch.tensor(found, dtype=torch.int32)
        return found

    def judge(self, development: Development) -> float:
        """R@1 now; the best weights are kept."""
        reached = development.r_at_1(self.model)
        self.since += 1
        if reached > self.best:
            self.best, self.since = reached, 0
            self.kept = {n: w.detach().clone() for n, w in self.model.state_dict().items()}
        return reached


def train(
    data: EntityAspectData, config: TrainingConfig, out: Path, development: EntityAspectData | None = None
) -> Scorer:
    """Train on ``data`` and leave the model in ``out/model``: the last one, or with ``development`` the best on it.

    ``out`` also gets config.json, log.jsonl (a line per checkpoint), curves.png and
    checkpoint.pt, from which the same call goes on after a kill.

    Raises:
        AspectraError: ``out`` holds a run with another configuration, the data holds nothing
            to learn from, or the disk is full.
    """
    folder = RunFolder(out, {"data": data.name, **asdict(config)})
    examples = mine(data, DEPTH, _miner_rankings(data, config))
    if not examples:
        raise AspectraError(
            f"{data.name}: no query has a passage that does not answer it.",
            "Give passages of several entities and aspects.",
        )
    torch.manual_seed(config.seed)
    model = architectures.build(config)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device).train()
    batches = Batches(examples, config)
    teacher = architectures.load(Path(config.teacher))[0].to(device) if config.teacher else None
    run = _Run(model, config, max(1, round(batches.each * config.epochs)), teacher)
    if (state := folder.last(device)) is not None:
        run.restore(state)
        if len(run.mined):
            batches = Batches(mine(data, DEPTH, run.mined.tolist()), config)
    judged = Development(development, config.context) if development else None
    began = time.monotonic()
    with _progress() as progress:
        bar = progress.add_task("training", total=run.steps, completed=run.done, loss=run.loss)
        while not run.stopped:
            if config.refresh and run.done and run.done % config.refresh == 0:
                batches = Batches(mine(data, DEPTH, run.ask(data)), config)
            run.step(batches[run.done])
            progress.update(bar, completed=run.done, loss=run.loss)
            if run.done % config.checkpoint_every == 0 or run.done == run.steps:
                seconds = round(time.monotonic() - began, 1)
                line = {"step": run.done, "steps": run.steps, "loss": run.loss, "seconds": seconds}
                if judged:
                    line["dev_r_at_1"] = run.judge(judged)
                folder.save(run.state(), line)
                progress.console.print(told(line))
    draw_curves(folder.log(), out / "curves.png")
    if run.kept:
        model.load_state_dict(run.kept)
    model.eval()
    architectures.save(model, config, out / "model")
    return model


def told(line: Mapping[str, float]) -> str:
    """A line of the log for people.

    >>> told({"step": 50, "steps": 312, "loss": 5.4922, "seconds": 433.7, "dev_r_at_1": 0.385})
    'step 50 of 312: loss 5.492, R@1 0.385 on the development data'
    """
    judged = f", R@1 {line['dev_r_at_1']:.3f} on the development data" if "dev_r_at_1" in line else ""
    return f"step {line['step']} of {line['steps']}: loss {line['loss']:.3f}{judged}"


def _miner_rankings(data: EntityAspectData, config: TrainingConfig) -> list[list[int]] | None:
    """
    Raises:
        AspectraError: the miner is no model that encodes passages.
    """
    if not config.miner:
        return None
    model, shape = architectures.load(Path(config.miner))
    if not isinstance(model, Indexable):
        raise AspectraError(f"{config.miner}: does not encode passages.", "Name the run of a bi- or poly-encoder.")
    with Progress() as progress:
        task = progress.add_task("mining negatives", total=_parts(len(data.passages)) + _parts(len(data.queries)))
        return model_rankings(model, data, shape.context, DEPTH, lambda: progress.advance(task))


def _parts(count: int) -> int:
    return -(-count // AT_ONCE)


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("loss {task.fields[loss]:.3f}"),
        TimeElapsedColumn(),
        TextColumn("passed,"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
