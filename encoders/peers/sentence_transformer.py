"""A bundle's model as sentence-transformers runs it: the peer of our benchmarks and tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from sentence_transformers import CrossEncoder, SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
from transformers import BertConfig, BertForSequenceClassification, BertModel, PreTrainedTokenizerFast

from encoders.export.restore import weights_in
from encoders.models.bases import quiet
from search_stack.inference.bundle import Bundle

quiet()
HEAD_SIZE = 32
"""Width of one attention head in every MiniLM."""


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


def _save(bundle: Bundle, folder: Path) -> None:
    """The bundle in Hugging Face's layout, fp32."""
    weights = weights_in(bundle)
    config = _config(weights)
    if bundle.manifest.kind == "cross":
        cross = BertForSequenceClassification(config)
        heads = ("classifier.",)
        cross.load_state_dict({n if n.startswith(heads) else f"bert.{n}": w for n, w in weights.items()})
        cross.save_pretrained(folder)
    else:
        model = BertModel(config, add_pooling_layer=False)
        model.load_state_dict(weights)
        model.save_pretrained(folder)
    PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_file=str(bundle.tokenizer),
        model_max_length=bundle.manifest.max_tokens,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        **{f"{name}_token": f"[{name.upper()}]" for name in ("cls", "sep", "pad", "unk", "mask")},
    ).save_pretrained(folder)


@contextmanager
def _folder(bundle: Bundle) -> Iterator[str]:
    with TemporaryDirectory() as folder:
        _save(bundle, Path(folder))
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
