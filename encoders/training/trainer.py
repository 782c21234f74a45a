"""A model in training, step by step, and all that a checkpoint keeps of it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from encoders.models.indexable import indexable
from encoders.models.scorer import Scorer
from encoders.training.config import Arithmetic, TrainingConfig
from encoders.training.development import Development
from encoders.training.examples import Example
from encoders.training.negatives import DEPTH, Miner
from encoders.training.objectives import backward, make_batch, teach
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData

AUTOCAST: dict[Arithmetic, torch.dtype | None] = {"fp32": None, "bf16": torch.bfloat16, "fp16": torch.float16}
FIRST_SCALE = 2.0**12
"""Of the loss in fp16; it adapts itself (Micikevicius et al., Mixed precision training, ICLR 2018, section 3.2)."""
SMOOTHING = 0.98


def learning_rate_factor(step: float, steps: float, warmup: float) -> float:
    """Linear warm-up, then linear decay to 0; ``step`` of ``steps``, or seconds.

    >>> [learning_rate_factor(s, 10, 0.2) for s in (0, 1, 2, 6)]
    [0.5, 1.0, 1.0, 0.5]
    """
    rising = max(1, round(steps * warmup))
    if step < rising:
        return (step + 1) / rising
    return max(0.0, (steps - step) / max(1, steps - rising))


class Trainer:
    """A model in training and all that a checkpoint keeps of it."""

    def __init__(self, model: Scorer, config: TrainingConfig, steps: int, teacher: Scorer | None) -> None:
        """
        Args:
            steps: of the whole run, where it is not limited by the clock.
        """
        self.model, self.config, self.steps, self.teacher = model, config, steps, teacher
        self.device = next(model.parameters()).device
        self.optimiser = torch.optim.AdamW(
            model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay
        )
        self.scaler = torch.amp.GradScaler(self.device.type, FIRST_SCALE, enabled=config.precision == "fp16")
        self.done = 0
        self.seconds = 0.0
        """That the run has taken: told by who times it."""
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
        """No weights twice, and of a run that has ended those alone that it leaves."""
        told: dict[str, Any] = {"step": self.done, "loss": self.loss, "best": self.best, "since": self.since}
        told |= {"mined": self.mined, "scaler": self.scaler.state_dict()}
        now = self.model.state_dict()
        if self.stopped:
            return {**told, "model": self.kept or now}
        return {
            **told,
            "model": now,
            "kept": {} if self.since == 0 else self.kept,
            "optimiser": self.optimiser.state_dict(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        self.done, self.loss = int(state["step"]), float(state["loss"])
        self.best, self.since = float(state["best"]), int(state["since"])
        self.mined = state["mined"].cpu()
        self.scaler.load_state_dict(state["scaler"])
        if "optimiser" in state:
            self.optimiser.load_state_dict(state["optimiser"])
            self.kept = dict(state["kept"])
            if self.best >= 0 and not self.kept:
                self._keep()

    @property
    def passed(self) -> tuple[float, float]:
        """What has passed of the run, and how long it is: steps, or seconds where the clock limits it."""
        return (self.seconds, 60 * self.config.minutes) if self.config.minutes else (self.done, self.steps)

    @property
    def through(self) -> bool:
        """Whether it has come to its end."""
        passed, length = self.passed
        return passed >= length

    @property
    def stopped(self) -> bool:
        return self.through or bool(self.config.patience and self.since >= self.config.patience)

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
            group["lr"] = self.config.learning_rate * learning_rate_factor(*self.passed, self.config.warmup)
        self.scaler.step(self.optimiser)
        self.scaler.update()
        self.optimiser.zero_grad(set_to_none=True)
        overflowed = self.scaler.get_scale() < scale
        if not overflowed:
            self.loss = SMOOTHING * self.loss + (1 - SMOOTHING) * loss if self.loss else loss
        self.done += 1

    def ask(self, data: EntityAspectData) -> list[list[int]]:
        """The model's own rankings, kept for the checkpoint."""
        found = Miner(indexable(self.model, self.config.arch), data, self.config.context).rankings(DEPTH)
        self.mined = torch.tensor(found, dtype=torch.int32)
        return found

    def judge(self, development: Development) -> float:
        """R@1 now; the best weights are kept."""
        reached = development.r_at_1(self.model)
        self.since += 1
        if reached > self.best:
            self.best, self.since = reached, 0
            self._keep()
        return reached

    def _keep(self) -> None:
        self.kept = {n: w.detach().clone() for n, w in self.model.state_dict().items()}
