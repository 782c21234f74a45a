"""Export of trained weights as a bundle for ONNX Runtime."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

import onnx
import torch
from tokenizers import Tokenizer
from transformers import BertConfig

from encoders.export.bert_graph import Array, bert_graph
from encoders.export.number_formats import Inputs, to_fp16, to_int8, to_static_int8
from encoders.export.served import served
from encoders.export.source import Source, average, read_source
from encoders.models.mention import MentionReader
from encoders.training.development import Development
from search_stack.core.context import Part, contextual
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData
from search_stack.inference.bundle import MANIFEST, MODEL, TOKENIZER, Kind, Manifest, sha256
from search_stack.inference.session import inputs
from search_stack.language.arbiter.window import LONGEST

NumberFormat = Literal["fp32", "fp16", "int8", "int8-static"]
MOST_LOST = 0.005
"""Of R@1 by quantisation."""
MEASURED = 400
"""Queries on which that is measured."""
CALIBRATED = 256
"""Passages from which static scales are taken."""
SEED = 13


@dataclass(frozen=True, slots=True)
class Card:
    """What a bundle says of itself."""

    name: str
    base: str
    licence: str = "Apache-2.0"
    training: Mapping[str, Any] = field(default_factory=dict)
    figures: Mapping[str, Any] = field(default_factory=dict)


def weights_of(model: torch.nn.Module) -> dict[str, Array]:
    """Weights by Hugging Face's names without the leading ``bert.``."""
    return {n.removeprefix("bert."): t.detach().float().numpy() for n, t in model.state_dict().items()}


def export_bundle(
    source: str,
    kind: Kind,
    out: Path,
    card: Card,
    max_tokens: int | None,
    precision: NumberFormat,
    context: Sequence[Part] | None = None,
    development: EntityAspectData | None = None,
    others: Sequence[str] = (),
) -> Manifest:
    """Write the weights in ``source`` (a base's name or a folder) as a bundle to ``out``.

    The folder appears whole or not at all; one that is there is replaced.

    Args:
        max_tokens: longest input; as trained where not given.
        context: what is read of a passage's surroundings; as trained where not given.
        development: int8 is measured on it beside fp32, and calibrated with its passages where
            scales are fixed.
        others: further sources from the same base; the mean of all weights is written.

    Raises:
        AspectraError: ``source`` has no weights of this kind, or is no BERT that we can export, or int8
            loses more than `MOST_LOST` of R@1.
    """
    if precision == "int8-static" and development is None:
        raise AspectraError("int8-static fixes its scales beforehand.", "Give it passages to learn them from: --dev.")
    read = read_source(source, kind, max_tokens, context)
    average(read, [read_source(other, kind, max_tokens, context) for other in others])
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".export-") as work:
        fresh = Path(work) / "bundle"
        manifest = _write(read, card, precision, development, fresh)
        if development and precision.startswith("int8"):
            whole = Path(work) / "whole"
            _write(read, card, "fp32", development, whole)
            _check_loss(fresh, whole, Development(development, read.context, limit=MEASURED))
        _put(fresh, out, Path(work) / "replaced")
    return manifest


def export_reader(model: MentionReader, out: Path, card: Card) -> Manifest:
    """Write a trained reader of mentions as an int8 bundle to ``out``, whole or not at all; one that is there is
    replaced."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".export-") as work:
        fresh = Path(work) / "bundle"
        fresh.mkdir()
        model.tokenizer.save(str(fresh / TOKENIZER))
        graph = bert_graph(cast(BertConfig, model.bert.config), weights_of(model), "mention")
        _write_graph(graph, "int8", fresh / MODEL, ())
        manifest = Manifest(
            name=card.name,
            kind="mention",
            precision="int8",
            max_tokens=LONGEST,
            dimensions=len(model.answers),
            answers=model.answers,
            **_told(card, fresh),
        )
        _note(manifest, fresh)
        _put(fresh, out, Path(work) / "replaced")
    return manifest


def _write(
    source: Source, card: Card, precision: NumberFormat, development: EntityAspectData | None, folder: Path
) -> Manifest:
    folder.mkdir()
    tokenizer = _write_tokenizer(source.folder, folder / TOKENIZER)
    calibration = _calibration(source, tokenizer, development) if development and precision == "int8-static" else ()
    _write_model(source, precision, folder / MODEL, calibration)
    manifest = Manifest(
        name=card.name,
        kind=source.served.kind,
        precision=precision,
        max_tokens=source.max_tokens,
        context=source.context,
        dimensions=None if source.reads_together else source.model.config.hidden_size,
        **_told(card, folder),
    )
    _note(manifest, folder)
    return manifest


def _note(manifest: Manifest, folder: Path) -> None:
    (folder / MANIFEST).write_text(json.dumps(manifest.model_dump(), indent=2) + "\n", encoding="utf-8")


def _told(card: Card, folder: Path) -> dict[str, Any]:
    """What a manifest says of the model and of the files in ``folder``."""
    told = {"base": card.base, "licence": card.licence, "training": dict(card.training), "figures": dict(card.figures)}
    return {**told, "sha256": {name: sha256(folder / name) for name in (MODEL, TOKENIZER)}}


def _write_model(source: Source, precision: NumberFormat, path: Path, calibration: Sequence[Inputs]) -> None:
    graph = bert_graph(cast(BertConfig, source.model.config), weights_of(source.model), source.served.head)
    _write_graph(graph, precision, path, calibration)


def _write_graph(graph: onnx.ModelProto, precision: NumberFormat, path: Path, calibration: Sequence[Inputs]) -> None:
    fp32 = path if precision == "fp32" else path.with_suffix(".fp32")
    onnx.save(graph, fp32)
    if precision == "fp16":
        to_fp16(fp32, path)
    elif precision == "int8":
        to_int8(fp32, path)
    elif precision == "int8-static":
        to_static_int8(fp32, path, calibration)
    if fp32 != path:
        fp32.unlink()


def _put(fresh: Path, out: Path, aside: Path) -> None:
    """``fresh`` in the place of ``out``; what was there goes ``aside``, and back if that fails."""
    if out.exists():
        out.rename(aside)
    try:
        fresh.rename(out)
    except OSError:
        if aside.exists():
            aside.rename(out)
        raise


def _write_tokenizer(folder: Path, path: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.save(str(path))
    return tokenizer


def _calibration(source: Source, tokenizer: Tokenizer, data: EntityAspectData) -> list[Inputs]:
    """Batches of passages as the model will read them, with queries where it reads both."""
    rng = random.Random(SEED)
    drawn = rng.sample(data.passages, min(CALIBRATED, len(data.passages)))
    texts = [contextual(p.text, p.around, source.context) for p in drawn]
    queries = [q.text for q in rng.choices(data.queries, k=len(texts))]
    tokenizer.enable_truncation(source.max_tokens, strategy="longest_first")
    encoded = tokenizer.encode_batch(list(zip(queries, texts, strict=True)) if source.reads_together else texts)
    return [inputs(encoded[at : at + 8]) for at in range(0, len(encoded), 8)]


def _check_loss(small: Path, whole: Path, development: Development) -> None:
    """
    Raises:
        AspectraError: ``small`` answers fewer of the queries than ``whole`` by more than `MOST_LOST`.
    """
    reached, before = (development.r_at_1(served(folder)) for folder in (small, whole))
    if reached < before - MOST_LOST:
        raise AspectraError(
            f"int8 would lower R@1 from {before:.3f} to {reached:.3f} on {len(development.lists)} queries.",
            "Export it as fp32, or as int8-static.",
        )
