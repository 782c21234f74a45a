"""Smaller numbers for an exported graph."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static
from onnxruntime.transformers.float16 import convert_float_to_float16

Inputs = Mapping[str, npt.NDArray[np.int64]]
DYNAMIC = ["MatMul", "Attention", "EmbedLayerNormalization"]
WIDE = re.compile(r"encoder\.layer\.\d+\.output\.dense\.product|(pooler\.dense|classifier)\.product")
"""Matrix products behind the activation, whose largest values would cost all others their precision under one
fixed scale, and the scoring head; they and the fused attention keep scales that follow the batch."""


def to_fp16(fp32: Path, out: Path) -> None:
    """Weights and arithmetic in half precision, inputs and outputs as before; for a GPU: ONNX Runtime
    has no half-precision attention on a processor."""
    graph = convert_float_to_float16(onnx.load(fp32), keep_io_types=True, disable_shape_infer=True)
    onnx.save(graph, out)


def to_int8(fp32: Path, out: Path) -> None:
    """Weights to int8, a scale for each output channel; activations are scaled as they come, over the batch."""
    _dynamic(fp32, out, DYNAMIC)


def to_static_int8(fp32: Path, out: Path, calibration: Sequence[Inputs]) -> None:
    """As `to_int8`, but the activations of matrix products have scales fixed beforehand, so that they do not
    depend on the batch.

    Args:
        calibration: batches of inputs, from whose activations the scales are taken (smallest and largest value).
    """
    fixed = out.with_suffix(".fixed")
    nodes = onnx.load(fp32).graph.node
    wide = [n.name for n in nodes if WIDE.fullmatch(n.name)]
    try:
        with _quiet():
            quantize_static(
                fp32,
                fixed,
                _Reader(calibration),
                quant_format=QuantFormat.QDQ,
                op_types_to_quantize=["MatMul"],
                nodes_to_exclude=wide,
                per_channel=True,
                activation_type=QuantType.QUInt8,
                weight_type=QuantType.QInt8,
                extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
            )
        rest = [n.name for n in nodes if n.op_type in DYNAMIC and (n.op_type != "MatMul" or n.name in wide)]
        _dynamic(fixed, out, DYNAMIC, rest)
    finally:
        fixed.unlink(missing_ok=True)


def _dynamic(source: Path, out: Path, kinds: list[str], nodes: list[str] | None = None) -> None:
    with _quiet():
        quantize_dynamic(
            source,
            out,
            op_types_to_quantize=kinds,
            nodes_to_quantize=nodes,
            per_channel=True,
            weight_type=QuantType.QInt8,
            extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """ONNX Runtime warns through the root logger, which without a handler gets one that prints whatever any library
    logs from then on."""
    root, silent = logging.getLogger(), logging.NullHandler()
    root.addHandler(silent)
    try:
        yield
    finally:
        root.removeHandler(silent)


class _Reader(CalibrationDataReader):  # type: ignore[misc]  # onnxruntime ships no types
    def __init__(self, batches: Sequence[Inputs]) -> None:
        self._left: Iterator[Inputs] = iter(batches)

    def get_next(self) -> Any:
        return next(self._left, None)
