"""Training of the reader of mentions: a base is fine-tuned on what people judged, a smaller one learns from both."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn

from encoders.models.mention import MentionReader
from encoders.training.folder import TrainingFolder
from encoders.training.progress import counting, loss_bar
from encoders.training.trainer import SMOOTHING as LOSS_SMOOTHING
from encoders.training.trainer import learning_rate_factor
from search_stack.core.errors import AspectraError
from search_stack.inference.batching import length_sorted_batches
from search_stack.language.arbiter.window import Window

TOGETHER = 20
"""Batches whose mentions are sorted by length among themselves."""
CHECKPOINT_EVERY = 100
SMOOTHING = 0.05
"""Of what people judged (label smoothing: Szegedy et al., CVPR 2016, section 7)."""
JUDGED = 0.3
"""What the judged answers weigh in the smaller one's loss, beside the larger one's shares."""
WEIGHT_DECAY = 0.01


@dataclass(frozen=True, slots=True)
class ReaderConfig:
    """Chosen on the dev part of the judged mentions."""

    base: str = "minilm"
    seed: int = 1
    batch: int = 32
    epochs: int = 4
    learning_rate: float = 8e-5
    head_rate: float = 10.0
    """Of the new head, as a multiple of ``learning_rate``."""
    layers: tuple[int, ...] = (0, 2, 4)
    """Of the base's, which the smaller one begins with."""
    silver: int = 12_000
    """Mentions that nobody judged, from which the smaller one learns besides."""
    small_epochs: int = 3
    small_learning_rate: float = 1e-4
    kept: float = 0.7
    """Share of its weights of before in a reader that learnt on."""
    precision: Literal["fp32", "bf16"] = "fp32"
    """Of the arithmetic, by autocast; the weights stay fp32."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A window; the answer that people gave, empty where none did; the shares (A,) that a larger reader gives."""

    window: Window
    answer: str = ""
    shares: Tensor | None = None


def train(lessons: Sequence[Lesson], config: ReaderConfig, out: Path) -> MentionReader:
    """Fine-tune a base on what people judged, in a run folder that can be resumed.

    Raises:
        AspectraError: there is no such base, ``out`` holds another run, or the disk is full.
    """
    answers = sorted({x.answer for x in lessons})
    torch.manual_seed(config.seed)
    model = MentionReader.from_base(config.base, answers)
    head = [p for n, p in model.named_parameters() if n.startswith("classifier")]
    body = [p for n, p in model.named_parameters() if not n.startswith("classifier")]
    groups = [(body, config.learning_rate), (head, config.learning_rate * config.head_rate)]
    return _fit(model, lessons, groups, config.epochs, config, out)


def distil(teacher: MentionReader, lessons: Sequence[Lesson], config: ReaderConfig, out: Path) -> MentionReader:
    """Have a reader of fewer layers, begun as some of ``teacher``'s (Sanh et al., DistilBERT, 2019, section 3), learn
    its shares, and what people judged, in a run folder that can be resumed.

    Raises:
        AspectraError: ``teacher`` lacks a layer, ``out`` holds another run, or the disk is full.
    """
    there = int(teacher.bert.config.num_hidden_layers)
    if not config.layers or max(config.layers) >= there:
        raise AspectraError(f"layers: the base has {there}, counted from 0.", f"Name some of 0 to {there - 1}.")
    model = MentionReader.from_base(config.base, teacher.answers, len(config.layers))
    own = teacher.state_dict()
    model.load_state_dict({name: own[_of_teacher(name, config.layers)] for name in model.state_dict()})
    return _fit(
        model, lessons, [(list(model.parameters()), config.small_learning_rate)], config.small_epochs, config, out
    )


def go_on(model: MentionReader, lessons: Sequence[Lesson], config: ReaderConfig, out: Path) -> MentionReader:
    """Teach a reader further, in a run folder that can be resumed, and take the mean of its weights and those of before
    (Wortsman et al., Robust fine-tuning of zero-shot models, CVPR 2022).

    Raises:
        AspectraError: ``out`` holds another run, or the disk is full.
    """
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    groups = [(list(model.parameters()), config.small_learning_rate)]
    after = _fit(model, lessons, groups, config.small_epochs, config, out).to("cpu")
    after.load_state_dict({n: torch.lerp(w, before[n], config.kept) for n, w in after.state_dict().items()})
    return after


def mended(given: Tensor, judged: Sequence[str], answers: Sequence[str]) -> Tensor:
    """(N, A): the shares ``given``, but all for the answer that people gave where the best is another."""
    out = given.clone()
    for row, answer in enumerate(judged):
        if answer and answers[int(given[row].argmax())] != answer:
            out[row] = 0.0
            out[row, answers.index(answer)] = 1.0
    return out


def _of_teacher(name: str, layers: Sequence[int]) -> str:
    """The name of a weight in a reader of more layers.

    >>> _of_teacher("bert.encoder.layer.1.output.dense.bias", (0, 2, 4))
    'bert.encoder.layer.2.output.dense.bias'
    """
    before, layer, rest = name.partition(".layer.")
    number, dot, rest = rest.partition(".")
    return f"{before}{layer}{layers[int(number)]}{dot}{rest}" if layer else name


def _fit(
    model: MentionReader,
    lessons: Sequence[Lesson],
    groups: Sequence[tuple[list[nn.Parameter], float]],
    epochs: int,
    config: ReaderConfig,
    out: Path,
) -> MentionReader:
    folder = TrainingFolder(out, {**asdict(config), "lessons": len(lessons)})
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = model.to(device).train()
    named: list[dict[str, Any]] = [{"params": p, "lr": rate} for p, rate in groups]
    optimiser = torch.optim.AdamW(named, weight_decay=WEIGHT_DECAY)
    marked = model.marked([x.window for x in lessons])
    batches = _Batches([len(m.ids) for m in marked], epochs, config)
    done, loss = 0, 0.0
    if state := folder.last(device):
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        done, loss = int(state["step"]), float(state["loss"])
    with loss_bar() as progress:
        bar = progress.add_task(out.name, total=batches.steps, completed=done, loss=loss)
        for step, rows in batches.after(done):
            # Everything random about a step follows from its number, so a resumed run repeats nothing.
            torch.manual_seed(random.Random(f"{config.seed}/{step}").getrandbits(63))
            for group, (_, rate) in zip(optimiser.param_groups, groups, strict=True):
                group["lr"] = rate * learning_rate_factor(step, batches.steps, 0.1)
            with _arithmetic(config, device):
                scores = model([marked[r] for r in rows])
            value = _loss(scores.float(), [lessons[r] for r in rows], model.answers)
            value.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            now = float(value.detach())
            done, loss = step + 1, LOSS_SMOOTHING * loss + (1 - LOSS_SMOOTHING) * now if loss else now
            progress.update(bar, completed=done, loss=loss)
            if done % CHECKPOINT_EVERY == 0 or done == batches.steps:
                kept = {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "step": done, "loss": loss}
                folder.save(kept, {"step": done, "steps": batches.steps, "loss": loss})
    return model.eval()


def shares(model: MentionReader, windows: Sequence[Window], config: ReaderConfig) -> Tensor:
    """(N, A) float32: of each answer its probability, in the arithmetic of the training."""
    device = model.classifier.weight.device
    marked = model.marked(windows)
    out = torch.zeros(len(marked), len(model.answers))
    with torch.no_grad(), _arithmetic(config, device), counting() as progress:
        bar = progress.add_task("shares", total=len(marked))
        for rows in length_sorted_batches([len(m.ids) for m in marked], config.batch):
            out[rows] = model([marked[r] for r in rows]).float().softmax(dim=1).cpu()
            progress.advance(bar, len(rows))
    return out


def _arithmetic(config: ReaderConfig, device: torch.device) -> torch.autocast:
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=config.precision == "bf16")


def _loss(scores: Tensor, lessons: Sequence[Lesson], answers: Sequence[str]) -> Tensor:
    """Cross-entropy of what was judged, and where there are any of the shares (Hinton et al., 2015, temperature 1)."""
    judged = [n for n, x in enumerate(lessons) if x.answer]
    wanted = torch.tensor([answers.index(lessons[n].answer) for n in judged], device=scores.device)
    hard = (
        nn.functional.cross_entropy(scores[judged], wanted, label_smoothing=SMOOTHING) if judged else scores.sum() * 0
    )
    shares = [x.shares for x in lessons if x.shares is not None]
    if not shares:
        return hard
    soft = nn.functional.cross_entropy(scores, torch.stack(shares).to(scores.device))
    return (1 - JUDGED) * soft + JUDGED * hard


class _Batches:
    """Every lesson once an epoch, in batches of like lengths, in an order that follows from the seed."""

    def __init__(self, lengths: Sequence[int], epochs: int, config: ReaderConfig) -> None:
        self._lengths, self._epochs, self._config = lengths, epochs, config
        self._each = -(-len(lengths) // config.batch)
        self.steps = self._each * epochs

    def after(self, done: int) -> Iterator[tuple[int, list[int]]]:
        """The steps that are left by number, each with its rows."""
        for epoch in range(done // self._each, self._epochs):
            for n, rows in enumerate(self._epoch(epoch), epoch * self._each):
                if n >= done:
                    yield n, rows

    def _epoch(self, epoch: int) -> list[list[int]]:
        rng, size = random.Random(f"{self._config.seed}/{epoch}"), self._config.batch
        order = rng.sample(range(len(self._lengths)), len(self._lengths))
        wide = size * TOGETHER
        chunks = [sorted(order[at : at + wide], key=self._lengths.__getitem__) for at in range(0, len(order), wide)]
        batches = [c[at : at + size] for c in chunks for at in range(0, len(c), size)]
        return rng.sample(batches, len(batches))
