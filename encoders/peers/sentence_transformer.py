"""A bundle's model as sentence-transformers runs it: the peer of our benchmarks and tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from sentence_transformers import CrossEncoder, SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
from transformers import PreTrainedTokenizerFast

from encoders.export.restore import save_restored
from search_stack.inference.bundle import Bundle


@contextmanager
def _folder(bundle: Bundle) -> Iterator[str]:
    with TemporaryDirectory() as folder:
        save_restored(bundle, Path(folder))
        PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
            tokenizer_file=str(bundle.tokenizer),
            model_max_length=bundle.manifest.max_tokens,
            model_input_names=["input_ids", "token_type_ids", "attention_mask"],
            **{f"{name}_token": f"[{name.upper()}]" for name in ("cls", "sep", "pad", "unk", "mask")},
        ).save_pretrained(folder)
        yield folder


def as_cross_encoder(bundle: Bundle) -> CrossEncoder:
    """The same weights in fp32, on the CPU; scores are the model's own, not squashed."""
    with _folder(bundle) as folder:
        peer: CrossEncoder = CrossEncoder(
            folder, max_length=bundle.manifest.max_tokens, device="cpu", activation_fn=torch.nn.Identity()
        )
        return peer


def as_sentence_transformer(bundle: Bundle) -> SentenceTransformer:
    """The same weights in fp32, on the CPU, mean pooling, vectors of length 1."""
    with _folder(bundle) as folder:
        transformer = Transformer(folder, max_seq_length=bundle.manifest.max_tokens)
        pooling = Pooling(transformer.get_embedding_dimension(), "mean")
        return SentenceTransformer(modules=[transformer, pooling, Normalize()], device="cpu")
