"""An encoder that takes no time: the mean of a random vector for each token, in a bundle like any other.

For tests whose passages only have to have vectors: to encode them takes half of what an ingest takes.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

from search_stack.inference.bundle import MANIFEST, MODEL, TOKENIZER, Manifest, folder_of, read_manifest, sha256

DIMENSIONS = 32


def small_encoder(folder: Path, shipped: str) -> str:
    """Make the bundle in ``folder``, with the tokenizer of the bundle ``shipped``; what the setting is to be."""
    like = read_manifest(shipped)
    shutil.copyfile(folder_of(shipped) / TOKENIZER, folder / TOKENIZER)
    words = Tokenizer.from_file(str(folder / TOKENIZER)).get_vocab_size()
    table = np.random.default_rng(0).standard_normal((words, DIMENSIONS)).astype(np.float32)
    names = ("input_ids", "attention_mask", "token_type_ids")
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "input_ids"], ["tokens"]),
            helper.make_node("Unsqueeze", ["attention_mask", "last"], ["wide"]),
            helper.make_node("Cast", ["wide"], ["mask"], to=TensorProto.FLOAT),
            helper.make_node("Mul", ["tokens", "mask"], ["kept"]),
            helper.make_node("ReduceSum", ["kept", "first"], ["sum"], keepdims=0),
            helper.make_node("LpNormalization", ["sum"], ["vector"], axis=1, p=2),
        ],
        "small",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in names],
        [helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["batch", DIMENSIONS])],
        [
            numpy_helper.from_array(table, "table"),
            numpy_helper.from_array(np.array([-1]), "last"),
            numpy_helper.from_array(np.array([1]), "first"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(folder / MODEL))
    manifest = Manifest(
        name="small",
        kind="bi",
        precision="fp32",
        max_tokens=like.max_tokens,
        dimensions=DIMENSIONS,
        context=like.context,
        base="random",
        licence="none",
        training={},
        figures={},
        sha256={file: sha256(folder / file) for file in (MODEL, TOKENIZER)},
    )
    (folder / MANIFEST).write_text(manifest.model_dump_json())
    return str(folder)
