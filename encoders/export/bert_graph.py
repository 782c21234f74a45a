"""BERT as an ONNX graph of ONNX Runtime's fused operators.

The graph is written out rather than traced: PyTorch's exporters change what they emit from
version to version, ONNX Runtime's fusions then no longer find it, and the int8 kernels for
attention are lost. It also keeps the names of the weights, so that a bundle can be read
back (`encoders.export.restore`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper
from transformers import BertConfig

from search_stack.core.errors import AspectraError

Array = npt.NDArray[np.float32]
Weights = Mapping[str, Array]
"""Hugging Face's names without the leading ``bert.`` to arrays, linear weights as (out, in)."""

OPSET = 17
CONTRIB = "com.microsoft"


class _Graph:
    """Nodes and weights in the making."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: dict[str, onnx.TensorProto] = {}
        self.values: list[onnx.ValueInfoProto] = []
        """Types of what lies between: ONNX itself cannot infer them through fused operators, and quantisation
        passes over what has no type."""

    def weight(self, name: str, value: npt.NDArray[np.generic]) -> str:
        self.initializers[name] = numpy_helper.from_array(np.array(value, order="C"), name)
        return name

    def op(self, kind: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, domain=domain, **attributes))
        self.values.append(helper.make_tensor_value_info(output, attributes.get("to", TensorProto.FLOAT), None))
        return output

    def linear(self, x: str, weights: Weights, layer: str, bias: bool = True) -> str:
        product = self.op(
            "MatMul", [x, self.weight(f"{layer}.weight", weights[f"{layer}.weight"].T)], f"{layer}.product"
        )
        if not bias:
            return product
        return self.op("Add", [product, self.weight(f"{layer}.bias", weights[f"{layer}.bias"])], f"{layer}.out")


def _embeddings(g: _Graph, weights: Weights, epsilon: float) -> str:
    """Sum of the three embeddings, normalised: (B, T, H). Also leaves ``mask``: (B,) lengths."""
    ids = g.op("Cast", ["input_ids"], "ids", to=TensorProto.INT32)
    segments = g.op("Cast", ["token_type_ids"], "segments", to=TensorProto.INT32)
    mask = g.op("Cast", ["attention_mask"], "mask.int", to=TensorProto.INT32)
    names = [f"embeddings.{part}_embeddings.weight" for part in ("word", "position", "token_type")]
    names += ["embeddings.LayerNorm.weight", "embeddings.LayerNorm.bias"]
    g.nodes.append(
        helper.make_node(
            "EmbedLayerNormalization",
            [ids, segments, *(g.weight(n, weights[n]) for n in names), mask],
            ["embeddings.out", "mask"],
            name="embeddings",
            domain=CONTRIB,
            epsilon=epsilon,
        )
    )
    g.values.append(helper.make_tensor_value_info("embeddings.out", TensorProto.FLOAT, None))
    return "embeddings.out"


def _layer(g: _Graph, x: str, weights: Weights, layer: str, config: BertConfig) -> str:
    own = [f"{layer}.attention.self.{n}" for n in ("query", "key", "value")]
    attention = f"{layer}.attention.self"
    qkv = g.weight(f"{attention}.qkv.weight", np.concatenate([weights[f"{n}.weight"].T for n in own], axis=1))
    bias = g.weight(f"{attention}.qkv.bias", np.concatenate([weights[f"{n}.bias"] for n in own]))
    seen = g.op("Attention", [x, qkv, bias, "mask"], f"{attention}.out", CONTRIB, num_heads=config.num_attention_heads)
    x = _add_and_norm(g, seen, x, weights, f"{layer}.attention.output", config.layer_norm_eps)
    wide = g.linear(x, weights, f"{layer}.intermediate.dense", bias=False)
    name = f"{layer}.intermediate.dense.bias"
    wide = g.op("BiasGelu", [wide, g.weight(name, weights[name])], f"{layer}.intermediate.out", CONTRIB)
    return _add_and_norm(g, wide, x, weights, f"{layer}.output", config.layer_norm_eps)


def _add_and_norm(g: _Graph, x: str, skip: str, weights: Weights, block: str, epsilon: float) -> str:
    # Not as one operator: `search_stack.inference.session.APART`.
    total = g.op("Add", [g.linear(x, weights, f"{block}.dense"), skip], f"{block}.sum")
    names = (f"{block}.LayerNorm.weight", f"{block}.LayerNorm.bias")
    scaled = [g.weight(n, weights[n]) for n in names]
    return g.op("LayerNormalization", [total, *scaled], f"{block}.out", epsilon=epsilon)


def _mean_pooled(g: _Graph, x: str) -> str:
    """Mean over the tokens that are there, then length 1: (B, H)."""
    mask = g.op("Cast", ["attention_mask"], "mask.float", to=TensorProto.FLOAT)
    column = g.op("Unsqueeze", [mask, g.weight("axis2", np.array([2], np.int64))], "mask.column")
    total = g.op("ReduceSum", [g.op("Mul", [x, column], "masked"), "axis1"], "masked.sum", keepdims=0)
    count = g.op("ReduceSum", [mask, "axis1"], "mask.count", keepdims=1)
    return g.op("LpNormalization", [g.op("Div", [total, count], "mean")], "vector", axis=1, p=2)


def _scored(g: _Graph, x: str, weights: Weights) -> str:
    """First token through pooler and scoring head: (B,)."""
    g.weight("first", np.array(0, np.int64))
    token = g.op("Gather", [x, "first"], "pooler.in", axis=1)
    pooled = g.op("Tanh", [g.linear(token, weights, "pooler.dense")], "pooler.out")
    return g.op("Squeeze", [g.linear(pooled, weights, "classifier"), "axis1"], "score")


def _answered(g: _Graph, x: str, weights: Weights) -> str:
    """First token beside the mean over the tokens of segment 1, through the head: (B, A)."""
    g.weight("first", np.array(0, np.int64))
    token = g.op("Gather", [x, "first"], "first.state", axis=1)
    inside = g.op("Cast", ["token_type_ids"], "inside.float", to=TensorProto.FLOAT)
    column = g.op("Unsqueeze", [inside, g.weight("axis2", np.array([2], np.int64))], "inside.column")
    total = g.op("ReduceSum", [g.op("Mul", [x, column], "inside.states"), "axis1"], "inside.sum", keepdims=0)
    count = g.op("ReduceSum", [inside, "axis1"], "inside.count", keepdims=1)
    both = g.op("Concat", [token, g.op("Div", [total, count], "inside.mean")], "both", axis=1)
    return g.linear(both, weights, "classifier")


def bert_graph(config: BertConfig, weights: Weights, head: str) -> onnx.ModelProto:
    """The whole model.

    Args:
        config: of a BERT with exact GELU and absolute positions.
        weights: see `Weights`; "cross" needs ``pooler.dense`` and ``classifier`` too.
        head: "mean" gives ``vector`` (B, H), of length 1; "cross" gives ``score`` (B,); "mention" scores (B, A) of
            answers to what is marked by segment 1.

    Raises:
        AspectraError: the activation is not exact GELU, which alone has a fused operator.

    Returns:
        A model with inputs ``input_ids``, ``attention_mask``, ``token_type_ids``, each
        (B, T) int64, padded on the right.
    """
    if config.hidden_act != "gelu":
        raise AspectraError(f"No operator computes the activation {config.hidden_act}.", "Export knows gelu only.")
    g = _Graph()
    g.weight("axis1", np.array([1], np.int64))
    x = _embeddings(g, weights, config.layer_norm_eps)
    for number in range(config.num_hidden_layers):
        x = _layer(g, x, weights, f"encoder.layer.{number}", config)
    if head == "mean":
        out = helper.make_tensor_value_info(_mean_pooled(g, x), TensorProto.FLOAT, ["batch", config.hidden_size])
    elif head == "mention":
        answers = len(weights["classifier.bias"])
        out = helper.make_tensor_value_info(_answered(g, x, weights), TensorProto.FLOAT, ["batch", answers])
    else:
        out = helper.make_tensor_value_info(_scored(g, x, weights), TensorProto.FLOAT, ["batch"])
    inputs = [
        helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"])
        for n in ("input_ids", "attention_mask", "token_type_ids")
    ]
    between = [v for v in g.values if v.name != out.name]
    graph = helper.make_graph(g.nodes, "bert", inputs, [out], list(g.initializers.values()), value_info=between)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9, producer_name="aspectra")
