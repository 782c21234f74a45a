"""A bundle's weights as PyTorch's: the way back from ONNX, int8 included."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from tokenizers import Tokenizer
from transformers import BertConfig, BertForSequenceClassification, BertModel, PreTrainedModel

from encoders.export.bert_graph import Array
from encoders.models.bases import quiet
from encoders.models.mention import MentionReader
from search_stack.inference.bundle import Bundle

quiet()
QUANTISED = "_quantized"
HEAD_SIZE = 32
"""Width of one attention head in every MiniLM."""
HEADS = ("classifier.",)
"""Beginnings of the names of weights that stand above the transformer."""


def save_restored(bundle: Bundle, folder: Path) -> None:
    """The bundle, an encoder or a cross-encoder, in Hugging Face's layout, fp32: to measure it there, or to train it
    further."""
    weights = weights_in(bundle)
    config = _config(weights)
    if bundle.manifest.kind == "cross":
        model: PreTrainedModel = BertForSequenceClassification(config)
        weights = {n if n.startswith(HEADS) else f"bert.{n}": w for n, w in weights.items()}
    else:
        model = BertModel(config, add_pooling_layer=False)
    model.load_state_dict(weights)
    model.save_pretrained(folder)
    shutil.copyfile(bundle.tokenizer, folder / "tokenizer.json")


def restored_reader(bundle: Bundle) -> MentionReader:
    """The bundle, a reader of mentions, in fp32: to train it further."""
    weights = weights_in(bundle)
    model = MentionReader(
        BertModel(_config(weights), add_pooling_layer=False),
        Tokenizer.from_file(str(bundle.tokenizer)),
        bundle.manifest.answers,
    )
    model.load_state_dict({n if n.startswith(HEADS) else f"bert.{n}": w for n, w in weights.items()})
    return model


def _config(weights: dict[str, torch.Tensor]) -> BertConfig:
    """The configuration, read off the shapes of the weights."""
    vocabulary, hidden = weights["embeddings.word_embeddings.weight"].shape
    layers = 1 + max(int(n.split(".")[2]) for n in weights if n.startswith("encoder.layer."))
    config = BertConfig(
        vocab_size=vocabulary,
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=hidden // HEAD_SIZE,
        intermediate_size=weights["encoder.layer.0.intermediate.dense.bias"].shape[0],
        max_position_embeddings=weights["embeddings.position_embeddings.weight"].shape[0],
    )
    config.num_labels = 1
    return config


def weights_in(bundle: Bundle) -> dict[str, torch.Tensor]:
    """Hugging Face's names (without ``bert.``) to float32 weights, linear ones as (out, in).

    An int8 weight comes back as the number that it stands for, so that PyTorch and ONNX
    Runtime compute with the same weights.
    """
    stored = {i.name: numpy_helper.to_array(i) for i in onnx.load(bundle.model).graph.initializer}
    out: dict[str, torch.Tensor] = {}
    for name in stored:
        plain = name.removesuffix(QUANTISED)
        if not plain.endswith((".weight", ".bias")):
            continue
        value = _value(stored, name)
        if ".attention.self.qkv." in plain:
            for part, own in zip(("query", "key", "value"), np.split(value, 3, axis=-1), strict=True):
                out[plain.replace("qkv", part)] = torch.from_numpy(own.T.copy())
        elif value.ndim == 2 and "embeddings" not in plain:
            out[plain] = torch.from_numpy(value.T.copy())
        else:
            out[plain] = torch.from_numpy(value.copy())
    return out


def _value(stored: dict[str, np.ndarray], name: str) -> Array:
    if not name.endswith(QUANTISED):
        return stored[name].astype(np.float32)
    plain = name.removesuffix(QUANTISED)
    scale, zero = stored[f"{plain}_scale"], stored[f"{plain}_zero_point"]
    # One scale for the whole, or one for each column: both broadcast along the last axis.
    return (stored[name].astype(np.float32) - zero.astype(np.float32)) * scale.astype(np.float32)
