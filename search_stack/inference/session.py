"""A bundle's model and tokenizer, ready to run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from search_stack.core.errors import AspectraError
from search_stack.inference.batching import token_batches
from search_stack.inference.bundle import Bundle
from search_stack.inference.openvino import OpenVinoSession

if TYPE_CHECKING:
    import onnxruntime

Provider = Literal["auto", "cpu", "cuda", "openvino"]
Texts = Sequence[str] | Sequence[tuple[str, str]]

CPU_TOKENS = 256
"""Of a batch. Small ones keep the activations in the processor's cache, and short texts still go together. Beside
batches of four texts, medians of nine pairs: 1.10 times as fast over 38 tokens a text, 1.13 over 11, 1.06 over 175;
with 512 tokens 1.04, 1.15 and 0.99."""
OPENVINO_TOKENS = 1024
GPU_TOKENS = 32_768
APART = ("SkipLayerNormFusion",)
"""What ONNX Runtime would fuse and is faster apart on the processor: its sum with normalisation goes number by number
(125 us for 82 tokens of 384, 22 as two operators)."""
EXPORT_AGAIN = "Copy the bundle again, or export it with `aspectra export`."


def providers(wanted: Provider, precision: str = "fp32") -> list[str]:
    """ONNX Runtime's providers in the order to try, for a model of ``precision``.

    Left to itself, int8 stays on the processor: CUDA has no kernels for it, and 64 passages took 348 ms there where
    fp32 took 42 (H200, docs/evaluation.md).

    Raises:
        AspectraError: CUDA is asked for by name and this ONNX Runtime has none.
    """
    import onnxruntime  # not with the module, which commands load that run no model

    cuda = "CUDAExecutionProvider" in onnxruntime.get_available_providers()
    if wanted == "cuda" and not cuda:
        raise AspectraError(
            "ASPECTRA_ONNX_PROVIDER is cuda, but this ONNX Runtime has no CUDA.",
            "Install the extra: pip install 'aspectra[gpu]', or set it to auto.",
        )
    taken = cuda and (wanted == "cuda" or (wanted == "auto" and not precision.startswith("int8")))
    return ["CUDAExecutionProvider", "CPUExecutionProvider"] if taken else ["CPUExecutionProvider"]


class Tokens(Protocol):
    """A text that is tokens already."""

    @property
    def ids(self) -> list[int]: ...

    @property
    def type_ids(self) -> list[int]: ...


class ModelSession:
    """Runs a bundle over texts or pairs of texts.

    Raises:
        AspectraError: the model or the tokenizer cannot be read, or CUDA is asked for and absent.
    """

    def __init__(self, bundle: Bundle, provider: Provider = "auto", threads: int = 0) -> None:
        self.manifest = bundle.manifest
        self.tokenizer = _tokenizer(bundle)
        self._session = (
            OpenVinoSession(bundle.model, threads) if provider == "openvino" else _session(bundle, provider, threads)
        )
        self.tokens_at_once = {"cpu": CPU_TOKENS, "openvino": OPENVINO_TOKENS}.get(self.device, GPU_TOKENS)

    @property
    def device(self) -> str:
        return str(self._session.get_providers()[0]).removesuffix("ExecutionProvider").lower()

    def run(self, texts: Texts) -> npt.NDArray[np.float32]:
        """The model's output for each of ``texts`` (N), in their order: (N,) or (N, H) float32."""
        return self.run_encoded(self.tokenizer.encode_batch_fast(list(texts)))

    def run_encoded(self, encoded: Sequence[Tokens]) -> npt.NDArray[np.float32]:
        """As `run`, of texts that are tokens already, no longer than the model reads."""
        width = (len(encoded), self.manifest.dimensions) if self.manifest.dimensions else (len(encoded),)
        out = np.zeros(width, np.float32)
        for rows in token_batches([len(e.ids) for e in encoded], self.tokens_at_once):
            out[rows] = self._session.run(None, inputs([encoded[r] for r in rows]))[0]
        return out


def _tokenizer(bundle: Bundle) -> Tokenizer:
    """Cuts the end off what is too long: of a pair, off the longer text first, so that a query is
    cut only where it takes more than half of what the model reads."""
    try:
        tokenizer = Tokenizer.from_file(str(bundle.tokenizer))
    except Exception as e:  # tokenizers raises no narrower class
        raise AspectraError(f"{bundle.tokenizer} is not a tokenizer that can be read.", EXPORT_AGAIN) from e
    tokenizer.no_padding()
    tokenizer.enable_truncation(bundle.manifest.max_tokens, strategy="longest_first")
    return tokenizer


def _session(bundle: Bundle, provider: Provider, threads: int) -> onnxruntime.InferenceSession:
    import onnxruntime

    tried = providers(provider, bundle.manifest.precision)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or len(os.sched_getaffinity(0))
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(
            str(bundle.model), options, providers=tried, disabled_optimizers=None if len(tried) > 1 else APART
        )
    except Exception as e:  # onnxruntime's classes share no base of their own
        raise AspectraError(
            f"{bundle.model} is not a model that ONNX Runtime {onnxruntime.__version__} can run.", EXPORT_AGAIN
        ) from e
    if provider == "cuda" and "CUDA" not in session.get_providers()[0]:
        raise AspectraError(
            "ASPECTRA_ONNX_PROVIDER is cuda, but ONNX Runtime could not start CUDA.",
            "Check the driver and the CUDA libraries, or set it to auto.",
        )
    return session


def inputs(batch: Sequence[Tokens]) -> dict[str, npt.NDArray[np.int64]]:
    """The three inputs, each (B, T) int64, padded on the right to the batch's longest."""
    shape = (len(batch), max(len(e.ids) for e in batch))
    ids, mask, segments = (np.zeros(shape, np.int64) for _ in range(3))
    for row, e in enumerate(batch):
        ids[row, : len(e.ids)] = e.ids
        mask[row, : len(e.ids)] = 1
        segments[row, : len(e.ids)] = e.type_ids
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": segments}
