"""A bundle's weights as PyTorch's: the way back from ONNX, int8 included."""

from __future__ import annotations

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from encoders.export.bert_graph import Array
from search_stack.inference.bundle import Bundle

QUANTISED = "_quantized"


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
