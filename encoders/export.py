"""Export of trained weights as a bundle for ONNX Runtime."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer
from transformers import AutoConfig, BertConfig, BertForSequenceClassification, BertModel

from encoders.architectures import shape_of
from encoders.bases import resolve_base
from encoders.bert_graph import Array, bert_graph
from search_stack.errors import AspectraError
from search_stack.inference.bundle import MANIFEST, MODEL, TOKENIZER, Manifest, sha256

Precision = Literal["fp32", "int8"]
UNKNOWN_TOKENS = 256
"""Longest input of weights that do not tell theirs."""
QUANTISED = ["MatMul", "Attention", "EmbedLayerNormalization"]


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


def quantise(fp32: Path, int8: Path) -> None:
    """Weights to int8, a scale for each output channel; activations are scaled as they come."""
    quantize_dynamic(
        fp32,
        int8,
        op_types_to_quantize=QUANTISED,
        per_channel=True,
        weight_type=QuantType.QInt8,
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
    )


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


def _model(folder: Path, kind: Literal["bi", "cross"], max_tokens: int) -> torch.nn.Module:
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


def _write_model(model: torch.nn.Module, kind: Literal["bi", "cross"], precision: Precision, path: Path) -> None:
    graph = bert_graph(cast(BertConfig, model.config), weights_of(model), "mean" if kind == "bi" else "cross")
    if precision == "fp32":
        onnx.save(graph, path)
        return
    fp32 = path.with_suffix(".fp32")
    onnx.save(graph, fp32)
    quantise(fp32, path)
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
    source: str, kind: Literal["bi", "cross"], out: Path, card: Card, max_tokens: int | None, precision: Precision
) -> Manifest:
    """Write the weights in ``source`` (a base's name or a folder) as a bundle to ``out``.

    The folder appears whole or not at all; one that is there is replaced.

    Raises:
        AspectraError: ``source`` has no weights of this kind, or is no BERT that we can export.
    """
    shape = shape_of(Path(source))
    _check_shape(Path(source), shape, kind)
    folder = resolve_base(source)
    max_tokens = max_tokens or int(shape.get("max_tokens", UNKNOWN_TOKENS))
    model = _model(folder, kind, max_tokens)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".export-") as work:
        fresh = Path(work) / "bundle"
        fresh.mkdir()
        _write_model(model, kind, precision, fresh / MODEL)
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        tokenizer.save(str(fresh / TOKENIZER))
        manifest = Manifest(
            name=card.name,
            kind=kind,
            precision=precision,
            max_tokens=max_tokens,
            context=tuple(shape.get("context", ())),
            dimensions=cast(BertConfig, model.config).hidden_size if kind == "bi" else None,
            base=card.base,
            licence=card.licence,
            training=dict(card.training),
            figures=dict(card.figures),
            sha256={name: sha256(fresh / name) for name in (MODEL, TOKENIZER)},
        )
        (fresh / MANIFEST).write_text(json.dumps(manifest.model_dump(), indent=2) + "\n", encoding="utf-8")
        _put(fresh, out, Path(work) / "replaced")
    return manifest
