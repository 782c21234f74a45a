"""Training of every architecture, in a run folder that can be resumed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

import torch
from rich.progress import Progress

from encoders.models import trained
from encoders.models.indexable import AT_ONCE, indexable
from encoders.models.scorer import Scorer
from encoders.training.batches import Batches
from encoders.training.config import TrainingConfig
from encoders.training.curves import draw_curves
from encoders.training.development import Development
from encoders.training.examples import Example
from encoders.training.fasttext import base_of
from encoders.training.folder import TrainingFolder
from encoders.training.label_encoders import learn_labels
from encoders.training.negatives import DEPTH, Miner, with_negatives
from encoders.training.progress import loss_bar
from encoders.training.trainer import Trainer
from search_stack.core.errors import AspectraError
from search_stack.core.files import write_whole
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData
from search_stack.evaluation.datasets.wording import worded


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
    folder = TrainingFolder(out, {"data": data.name, **config.flat()})
    data = worded(data, config.queries)
    development = worded(development, config.queries) if development else None
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    examples = _examples(data, config, device)
    if not examples:
        raise AspectraError(
            f"{data.name}: no query has a passage that does not answer it.",
            "Give passages of several entities and aspects.",
        )
    torch.manual_seed(config.seed)
    model = config.build(base_of(data, config, out)).to(device).train()
    teacher = trained.load(Path(config.teacher))[0].to(device) if config.teacher else None
    batches = Batches(examples, config)
    if batches.nothing_wrong:
        raise AspectraError(
            f"{data.name}: all queries ask for the same, so that none has a passage that is wrong.",
            "Give queries of several entities and aspects, or set negatives to 1 or more.",
        )
    trainer = Trainer(model, config, max(1, round(batches.each * config.epochs)), teacher)
    if (state := folder.last(device)) is None:
        _learn_labels(model, data, config, out)
    else:
        trainer.restore(state)
        trainer.seconds = folder.log()[-1]["seconds"] if folder.log() else 0.0
        if len(trainer.mined):
            batches = Batches(_with_negatives(data, config, trainer.mined.tolist()), config)
    _learn(trainer, batches, data, Development(development, config.context) if development else None, folder)
    draw_curves(folder.log(), out / "curves.png")
    if trainer.kept:
        model.load_state_dict(trainer.kept)
    model.eval()
    trained.save(model, config.trained, out / "model")
    return model


def _learn_labels(model: Scorer, data: EntityAspectData, config: TrainingConfig, out: Path) -> None:
    """Train the model's label encoders, where it has any; what they reached goes to ``out/labels.json``."""
    if not model.label_encoders:
        return
    options = {name: getattr(config.shape, f"label_{name}") for name in ("passes", "sentences", "rate")}
    with Progress() as progress:
        task = progress.add_task("label encoders", total=options["passes"] * len(model.label_encoders))
        told = learn_labels(
            model.label_encoders, data, **options, seed=config.seed, tick=lambda: progress.advance(task)
        )
    write_whole(out / "labels.json", json.dumps(told, indent=2) + "\n")


def _learn(
    trainer: Trainer,
    batches: Batches,
    data: EntityAspectData,
    development: Development | None,
    folder: TrainingFolder,
) -> None:
    """Step by step to the end, with a bar, and a checkpoint now and then."""
    config = trainer.config
    began = time.monotonic() - trainer.seconds
    with loss_bar() as progress:
        if trainer.done:
            progress.console.print(went_on(trainer))
        bar = progress.add_task("training", total=int(trainer.passed[1]), loss=trainer.loss)
        while not trainer.stopped:
            if config.refresh and trainer.done and trainer.done % config.refresh == 0:
                batches = Batches(_with_negatives(data, config, trainer.ask(data)), config)
            trainer.step(batches[trainer.done])
            trainer.seconds = round(time.monotonic() - began, 1)
            progress.update(bar, completed=int(trainer.passed[0]), loss=trainer.loss)
            if trainer.done % config.checkpoint_every == 0 or trainer.through:
                line: dict[str, float] = {"step": trainer.done, "loss": trainer.loss, "seconds": trainer.seconds}
                line |= {"minutes": config.minutes} if config.minutes else {"steps": trainer.steps}
                if development:
                    line["dev_r_at_1"] = trainer.judge(development)
                folder.save(trainer.state(), line)
                progress.console.print(told(line))


def told(line: Mapping[str, float]) -> str:
    """A line of the log for people.

    >>> told({"step": 50, "steps": 312, "loss": 5.4922, "seconds": 433.7, "dev_r_at_1": 0.385})
    'step 50 of 312: loss 5.492, R@1 0.385 on the development data'
    >>> told({"step": 50, "minutes": 30.0, "loss": 5.4922, "seconds": 433.7})
    'step 50, 7 of 30 minutes: loss 5.492'
    """
    judged = f", R@1 {line['dev_r_at_1']:.3f} on the development data" if "dev_r_at_1" in line else ""
    of = f", {line['seconds'] / 60:.0f} of {line['minutes']:g} minutes" if "minutes" in line else f" of {line['steps']}"
    return f"step {line['step']}{of}: loss {line['loss']:.3f}{judged}"


def went_on(trainer: Trainer) -> str:
    """What a run that was there before says first."""
    of = "" if trainer.config.minutes else f" of {trainer.steps}"
    after = f"after {trainer.seconds / 60:.0f} minutes"
    return f"{'The run had ended at' if trainer.stopped else 'Goes on from'} step {trainer.done}{of}, {after}."


def _examples(data: EntityAspectData, config: TrainingConfig, device: torch.device) -> list[Example]:
    """
    Raises:
        AspectraError: the miner is no model that encodes passages.
    """
    if not config.miner:
        return _with_negatives(data, config)
    scorer, note = trained.load(Path(config.miner))
    model = indexable(scorer.to(device), config.miner)
    with Progress() as progress:
        task = progress.add_task("mining negatives", total=_parts(len(data.passages)) + _parts(len(data.queries)))
        miner = Miner(model, data, note.context, lambda: progress.advance(task))
    likely = partial(miner.likely, share=config.answered) if config.answered else None
    return _with_negatives(data, config, miner.rankings(DEPTH), likely)


def _with_negatives(
    data: EntityAspectData,
    config: TrainingConfig,
    besides: Sequence[Sequence[int]] | None = None,
    likely: Callable[[Sequence[Sequence[int]]], Sequence[Collection[int]]] | None = None,
) -> list[Example]:
    """As ``config`` has them."""
    return with_negatives(data, DEPTH, besides, likely, config.graded)


def _parts(count: int) -> int:
    return -(-count // AT_ONCE)
