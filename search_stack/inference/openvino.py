"""OpenVINO instead of ONNX Runtime, for processors whose bf16 arithmetic it knows how to use."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from search_stack.core.errors import AspectraError


class OpenVinoSession:
    """A model with the two methods of ONNX Runtime's session that are used here.

    Raises:
        AspectraError: OpenVINO is not installed, or cannot run the model.
    """

    def __init__(self, model: Path, threads: int = 0) -> None:
        try:
            import openvino
        except ModuleNotFoundError as e:
            raise AspectraError(
                "ASPECTRA_ONNX_PROVIDER is openvino, and OpenVINO is not installed.",
                "Install it: pip install 'aspectra[openvino]', or set it to auto.",
            ) from e
        hints = {
            "INFERENCE_PRECISION_HINT": "bf16",
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_NUM_THREADS": threads or len(os.sched_getaffinity(0)),
            "ENABLE_CPU_PINNING": True,
        }
        try:
            compiled = openvino.Core().compile_model(str(model), "CPU", hints)
        except Exception as e:  # OpenVINO raises RuntimeError and its own classes
            raise AspectraError(
                f"{model} is not a model that OpenVINO can run.",
                "Export it with --precision fp32: OpenVINO computes in bf16 and knows no int8 attention.",
            ) from e
        self._request = compiled.create_infer_request()

    def get_providers(self) -> list[str]:
        return ["OpenVINOExecutionProvider"]

    def run(self, _: None, inputs: dict[str, npt.NDArray[np.int64]]) -> list[Any]:
        """The model's outputs for one batch."""
        found = self._request.infer(inputs)
        return [np.array(found[n]) for n in range(len(found))]
