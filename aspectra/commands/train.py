"""Train a model, export it as a bundle."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Literal, cast

import click

from aspectra.console import command, say
from search_stack.errors import AspectraError


def _need_torch() -> None:
    try:
        import torch  # noqa: F401
    except ModuleNotFoundError as e:
        raise AspectraError("Training needs PyTorch.", "Install it: pip install 'aspectra[train]'") from e


@click.command()
@click.argument("arch", type=click.Choice(["cross"]))
@click.option("--data", required=True, type=click.Path(path_type=Path), help="File in the entity/aspect format.")
@click.option("--base", default="minilm", help="minilm, or a folder in Hugging Face's layout.")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Run folder; a run cut short goes on in it."
)
@click.option("--epochs", type=click.FloatRange(min=0, min_open=True), help="Passes over the queries.")
@click.option("--seed", type=int)
@command
def train(arch: str, data: Path, base: str, out: Path, epochs: float | None, seed: int | None) -> None:
    """Train ARCH on labelled queries; OUT/model holds the weights in the end."""
    _need_torch()
    from encoders.training import TrainingConfig, train_cross_encoder
    from search_stack.evaluation.entity_aspect import load

    given = {"base": base, "epochs": epochs, "seed": seed}
    known = {f.name for f in fields(TrainingConfig)}
    config = TrainingConfig(**{k: v for k, v in given.items() if v is not None and k in known})  # type: ignore[arg-type]
    train_cross_encoder(load(data), config, out)
    say(f"Trained. Export it: aspectra export BUNDLE --source {out / 'model'} --kind {arch}")


@click.command()
@click.argument("bundle", type=click.Path(path_type=Path))
@click.option("--source", required=True, help="Trained weights: OUT/model of a run, minilm, or a folder.")
@click.option("--kind", required=True, type=click.Choice(["bi", "cross"]), help="Vectors of texts, or scores of pairs.")
@click.option("--precision", type=click.Choice(["fp32", "int8"]), default="int8")
@click.option("--max-tokens", type=click.IntRange(8, 512), default=256, help="Longest input; more is cut off.")
@click.option("--notes", type=click.Path(path_type=Path, exists=True), help="JSON: base, licence, training, figures.")
@command
def export(bundle: Path, source: str, kind: str, precision: str, max_tokens: int, notes: Path | None) -> None:
    """Write trained weights as the folder BUNDLE: ONNX model, tokenizer, bundle.json."""
    _need_torch()
    from encoders.export import Card, export_bundle

    said = json.loads(notes.read_text(encoding="utf-8")) if notes else {"base": source}
    card = Card(name=bundle.name, **said)
    manifest = export_bundle(
        source, cast(Literal["bi", "cross"], kind), bundle, card, max_tokens, cast(Literal["fp32", "int8"], precision)
    )
    size = sum(f.stat().st_size for f in bundle.iterdir())
    say(f"{bundle}: {manifest.kind}, {manifest.precision}, {size / 1e6:.1f} MB.")


COMMANDS = (train, export)
