"""Train a model, export it as a bundle."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Literal, cast

import click

from aspectra.console import command, say
from ingest.evaluation.aspects import headed_sections, load_examples
from ingest.sections.text_model import BUCKETS, counts, weighted
from search_stack.errors import AspectraError


def _need_torch() -> None:
    try:
        import torch  # noqa: F401
    except ModuleNotFoundError as e:
        raise AspectraError("Training needs PyTorch.", "Install it: pip install 'aspectra[train]'") from e


@click.command()
@click.argument("arch", type=click.Choice(["cross", "aspects"]))
@click.option(
    "--data",
    required=True,
    type=click.Path(path_type=Path),
    help="cross: a file in the entity/aspect format; aspects: sections with their headers, as CSV.",
)
@click.option(
    "--more", multiple=True, type=click.Path(path_type=Path), help="aspects: notes with headings too, as JSON lines."
)
@click.option("--base", default="minilm", help="minilm, or a folder in Hugging Face's layout.")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Run folder; a run cut short goes on in it."
)
@click.option("--epochs", type=click.FloatRange(min=0, min_open=True), help="Passes over the queries.")
@click.option("--seed", type=int)
@command
def train(
    arch: str, data: Path, more: tuple[Path, ...], base: str, out: Path, epochs: float | None, seed: int | None
) -> None:
    """Train ARCH: a cross-encoder on labelled queries (OUT/model holds the weights in the end), or the model that tells
    a section's aspect from its text (OUT/aspects.npz)."""
    if arch == "aspects":
        _train_aspects(data, more, out)
        return
    _need_torch()
    from encoders.training import TrainingConfig, train_cross_encoder
    from search_stack.evaluation.entity_aspect import load

    given = {"base": base, "epochs": epochs, "seed": seed}
    known = {f.name for f in fields(TrainingConfig)}
    config = TrainingConfig(**{k: v for k, v in given.items() if v is not None and k in known})  # type: ignore[arg-type]
    train_cross_encoder(load(data), config, out)
    say(f"Trained. Export it: aspectra export BUNDLE --source {out / 'model'} --kind {arch}")


def _train_aspects(data: Path, more: tuple[Path, ...], out: Path) -> None:
    try:
        from encoders import aspect_training
    except ModuleNotFoundError as e:
        raise AspectraError("Training needs scikit-learn.", "Install it: pip install 'aspectra[train]'") from e
    examples = [*load_examples(data), *(e for file in more for e in headed_sections(file))]
    headers = [e.header for e in examples]
    arrays = aspect_training.train([counts(e.text) for e in examples], headers, weighted, 2 * BUCKETS)
    target = aspect_training.save(arrays, out)
    say(f"{target}: {len(examples):,} sections, {len(set(headers))} headers, {target.stat().st_size / 1e6:.1f} MB.")
    say(f"Measure it: aspectra evaluate aspects --data FILE --model {out}")


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
