"""Training of a cross-encoder on hard negatives, with a run folder that can be resumed."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
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
from torch import Tensor

from encoders.cross import CrossEncoder
from encoders.examples import Example, draw_negatives, mine, wording
from encoders.losses import listwise_cross_entropy
from encoders.run_folder import RunFolder
from search_stack.errors import AspectraError
from search_stack.evaluation.entity_aspect import EntityAspectData


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """Everything that decides the result; written to the run folder."""

    base: str = "minilm"
    max_tokens: int = 128
    epochs: float = 0.6
    queries_per_batch: int = 8
    negatives: int = 6
    keywords: float = 0.25
    """Share of the queries worded as keywords instead of as asked."""
    learning_rate: float = 8e-5
    warmup: float = 0.08
    """Share of the steps over which the learning rate rises; then it falls to 0 in a line."""
    weight_decay: float = 0.01
    seed: int = 13
    bf16: bool = True
    checkpoint_every: int = 100


def learning_rate_factor(step: int, steps: int, warmup: float) -> float:
    """Linear warm-up, then linear decay to 0.

    >>> [learning_rate_factor(s, 10, 0.2) for s in (0, 1, 2, 6)]
    [0.5, 1.0, 1.0, 0.5]
    """
    rising = max(1, round(steps * warmup))
    if step < rising:
        return (step + 1) / rising
    return max(0.0, (steps - step) / max(1, steps - rising))


def _batch_loss(model: CrossEncoder, batch: list[Example], config: TrainingConfig, rng: random.Random) -> Tensor:
    queries: list[str] = []
    passages: list[str] = []
    for example in batch:
        rivals = draw_negatives(example, config.negatives, rng)
        rivals += rng.choices(example.negatives, k=config.negatives - len(rivals))
        queries += [wording(example.query, rng, config.keywords)] * (1 + len(rivals))
        passages += [example.positive.text, *(p.text for p in rivals)]
    scores = model(model.encode(queries, passages)).view(len(batch), 1 + config.negatives)
    labels = torch.zeros_like(scores)
    labels[:, 0] = 1
    return listwise_cross_entropy(scores, labels)


class _Run:
    """A model in training and all that a checkpoint keeps of it."""

    def __init__(self, model: CrossEncoder, config: TrainingConfig, steps: int) -> None:
        self.model, self.config, self.steps = model, config, steps
        self.device = next(model.parameters()).device
        self.optimiser = torch.optim.AdamW(
            model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay
        )
        self.schedule = torch.optim.lr_scheduler.LambdaLR(
            self.optimiser, lambda step: learning_rate_factor(step, steps, config.warmup)
        )
        self.done = 0
        self.loss = 0.0
        """Running mean of the loss, in nats."""

    def state(self) -> dict[str, Any]:
        return {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "schedule": self.schedule.state_dict(),
            "step": self.done,
            "loss": self.loss,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.schedule.load_state_dict(state["schedule"])
        self.done, self.loss = int(state["step"]), float(state["loss"])

    def step(self, examples: Sequence[Example]) -> None:
        """One batch. Everything random about it follows from its number, so a resumed run repeats nothing."""
        rng = random.Random(f"{self.config.seed}/{self.done}")
        torch.manual_seed(rng.getrandbits(63))
        batch = _batch(examples, self.done, self.config)
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.config.bf16):
            loss = _batch_loss(self.model, batch, self.config, rng)
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.schedule.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.loss = 0.98 * self.loss + 0.02 * loss.item() if self.done else loss.item()
        self.done += 1


def train_cross_encoder(data: EntityAspectData, config: TrainingConfig, out: Path) -> CrossEncoder:
    """Train on ``data`` and leave the model in ``out/model``.

    ``out`` also gets config.json, log.jsonl (a line per checkpoint) and checkpoint.pt, from
    which the same call goes on after a kill.

    Raises:
        AspectraError: ``out`` holds a run with another configuration, the data holds nothing
            to learn from, or the disk is full.
    """
    folder = RunFolder(out, {"data": data.name, **asdict(config)})
    examples = mine(data)
    if not examples:
        raise AspectraError(
            f"{data.name}: no query has a passage that does not answer it.",
            "Give passages of several entities and aspects.",
        )
    torch.manual_seed(config.seed)
    model = CrossEncoder.from_base(config.base, config.max_tokens)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device).train()
    run = _Run(model, config, math.ceil(len(examples) * config.epochs / config.queries_per_batch))
    if (state := folder.last(device)) is not None:
        run.restore(state)
    began = time.monotonic()
    with _progress() as progress:
        bar = progress.add_task("training", total=run.steps, completed=run.done, loss=run.loss)
        while run.done < run.steps:
            run.step(examples)
            progress.update(bar, completed=run.done, loss=run.loss)
            if run.done % config.checkpoint_every == 0 or run.done == run.steps:
                seconds = round(time.monotonic() - began, 1)
                line = {"step": run.done, "steps": run.steps, "loss": run.loss, "seconds": seconds}
                folder.save(run.state(), line)
    model.eval()
    model.save(out / "model")
    return model


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


@lru_cache(maxsize=2)
def _order(count: int, seed: int, epoch: int) -> list[int]:
    order = list(range(count))
    random.Random(f"{seed}/epoch/{epoch}").shuffle(order)
    return order


def _batch(examples: Sequence[Example], step: int, config: TrainingConfig) -> list[Example]:
    """The step's examples: a fresh shuffle for every epoch, each example once in it."""
    size = config.queries_per_batch
    picked = []
    for position in range(step * size, (step + 1) * size):
        epoch, place = divmod(position, len(examples))
        picked.append(examples[_order(len(examples), config.seed, epoch)[place]])
    return picked
