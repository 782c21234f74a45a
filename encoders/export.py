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
from transformers import AutoConfig, BertConfig, BertForSequenceClassification, BertModel

from encoders.architectures import shape_of
from encoders.bases import resolve_base
from encoders.bert_graph import Array, bert_graph
from encoders.development import Development
from encoders.precision import Inputs, to_fp16, to_int8, to_static_int8
from encoders.served import served
from search_stack.context import Part, contextual
from search_stack.errors import AspectraError
from search_stack.evaluation.entity_aspect import EntityAspectData
from search_stack.inference.bundle import MANIFEST, MODEL, TOKENIZER, Kind, Manifest, sha256
from search_stack.inference.session import inputs

Precision = Literal["fp32", "fp16", "int8", "int8-static"]
MOST_LOST = 0.005
"""Of R@1 by quantisation."""
MEASURED = 400
"""Queries on which that is measured."""
CALIBRATED = 256
"""Passages from which static scales are taken."""
SEED = 13
UNKNOWN_TOKENS = 256
"""Longest input of weights that do not tell theirs."""


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


def _check_shape(folder: Path, shape: Mapping[str, Any], kind: str) -> None:
    """Refuse what a bundle cannot say, so that nothing is served otherwise than it was trained."""
    wanted = {"arch": kind, "shared": True}
    if kind == "bi":
        wanted |= {"pooling": "mean", "similarity": "cosine", "markers": False}
    for name, value in wanted.items():
        if name in shape and shape[name] != value:
            raise AspectraError(
                f"{folder}: was trained with {name} {shape[name]}.", f"A bundle of kind {kind} needs {name} {value}."
            )


def _model(folder: Path, kind: Kind, max_tokens: int) -> torch.nn.Module:
    """The BERT in ``folder``, checked to be what a bundle of ``kind`` needs."""
    try:
        config = AutoConfig.from_pretrained(folder)
        if not isinstance(config, BertConfig):
            raise AspectraError(f"{folder}: its architecture is {config.model_type}.", "Export knows BERT only.")
        loader: Any = BertModel if kind == "bi" else BertForSequenceClassification
        model, read = loader.from_pretrained(folder, output_loading_info=True)
    except (OSError, ValueError, RuntimeError) as e:
        first = (str(e).splitlines() or [type(e).__name__])[0]
        raise AspectraError(f"{folder}: no weights of kind {kind!r} can be read there.", first) from e
    # The pooler has no part in a mean; any other weight that is missing would be random.
    missing = sorted(n for n in read["missing_keys"] if kind == "cross" or not n.startswith("pooler."))
    if missing:
        raise AspectraError(
            f"{folder}: no weights of kind {kind!r}: {missing[0]} is missing.", "Train the model first."
        )
    if kind == "cross" and config.num_labels != 1:
        raise AspectraError(f"{folder}: gives {config.num_labels} scores for a pair.", "Export reads one score.")
    if config.max_position_embeddings < max_tokens:
        raise AspectraError(f"{folder} reads {config.max_position_embeddings} tokens.", "Lower --max-tokens to that.")
    return cast(torch.nn.Module, model)


def _write_model(
    model: torch.nn.Module, kind: Kind, precision: Precision, path: Path, calibration: Sequence[Inputs]
) -> None:
    graph = bert_graph(cast(BertConfig, model.config), weights_of(model), "mean" if kind == "bi" else "cross")
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


def export_bundle(
    source: str,
    kind: Kind,
    out: Path,
    card: Card,
    max_tokens: int | None,
    precision: Precision,
    context: Sequence[Part] | None = None,
    development: EntityAspectData | None = None,
) -> Manifest:
    """Write the weights in ``source`` (a base's name or a folder) as a bundle to ``out``.

    The folder appears whole or not at all; one that is there is replaced.

    Args:
        max_tokens: longest input; as trained where not given.
        context: what is read of a passage's surroundings; as trained where not given.
        development: int8 is measured on it beside fp32, and calibrated with its passages where
            scales are fixed.

    Raises:
        AspectraError: ``source`` has no weights of this kind, or is no BERT that we can export, or int8
            loses more than `MOST_LOST` of R@1.
    """
    shape = shape_of(Path(source))
    _check_shape(Path(source), shape, kind)
    if precision == "int8-static" and development is None:
        raise AspectraError("int8-static fixes its scales beforehand.", "Give it passages to learn them from: --dev.")
    folder = resolve_base(source)
    max_tokens = max_tokens or int(shape.get("max_tokens", UNKNOWN_TOKENS))
    parts = tuple(shape.get("context", ())) if context is None else tuple(context)
    model = _model(folder, kind, max_tokens)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".export-") as work:

        def written(name: str, precision: Precision) -> tuple[Path, Manifest]:
            fresh = Path(work) / name
            fresh.mkdir()
            tokenizer = _write_tokenizer(folder, fresh / TOKENIZER)
            fixed = precision == "int8-static" and development is not None
            calibration = _calibration(tokenizer, development, parts, max_tokens, kind) if fixed else ()
            _write_model(model, kind, precision, fresh / MODEL, calibration)
            manifest = Manifest(
                name=card.name,
                kind=kind,
                precision=precision,
                max_tokens=max_tokens,
                context=parts,
                dimensions=cast(BertConfig, model.config).hidden_size if kind == "bi" else None,
                base=card.base,
                licence=card.licence,
                training=dict(card.training),
                figures=dict(card.figures),
                sha256={name: sha256(fresh / name) for name in (MODEL, TOKENIZER)},
            )
            (fresh / MANIFEST).write_text(json.dumps(manifest.model_dump(), indent=2) + "\n", encoding="utf-8")
            return fresh, manifest

        fresh, manifest = written("bundle", precision)
        if development and precision.startswith("int8"):
            _check_loss(fresh, written("whole", "fp32")[0], Development(development, parts, limit=MEASURED))
        _put(fresh, out, Path(work) / "replaced")
    return manifest


def _write_tokenizer(folder: Path, path: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.save(str(path))
    return tokenizer


def _calibration(
    tokenizer: Tokenizer, data: EntityAspectData | None, parts: Sequence[Part], max_tokens: int, kind: Kind
) -> list[Inputs]:
    """Batches of passages as the model will read them, with queries where it reads both."""
    if data is None:
        return []
    rng = random.Random(SEED)
    drawn = rng.sample(data.passages, min(CALIBRATED, len(data.passages)))
    texts = [contextual(p.text, p.around, parts) for p in drawn]
    queries = [q.text for q in rng.choices(data.queries, k=len(texts))]
    tokenizer.enable_truncation(max_tokens, strategy="longest_first")
    encoded = tokenizer.encode_batch(texts if kind == "bi" else list(zip(queries, texts, strict=True)))
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
