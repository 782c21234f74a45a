"""Cross-encoder: query and passage read together by one transformer (Nogueira & Cho, 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Encoding, Tokenizer
from torch import Tensor
from transformers import BertForSequenceClassification

from encoders.models.architecture import Architecture, Served, Shape
from encoders.models.bases import pretrained
from encoders.models.scorer import Pairwise
from encoders.models.tower import AtOnce, padded
from search_stack.inference.batching import length_sorted_batches

PAIRS_AT_ONCE = AtOnce(processor=16, gpu=256)


class CrossEncoder(Pairwise):
    """``[CLS] query [SEP] passage [SEP]`` to one score, unbounded; the larger the better."""

    def __init__(self, bert: BertForSequenceClassification, tokenizer: Tokenizer, max_tokens: int) -> None:
        super().__init__()
        self.bert = bert
        self.tokenizer = tokenizer
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_tokens, strategy="longest_first")

    @classmethod
    def from_base(cls, base: str | Path, max_tokens: int, layers: int = 0) -> CrossEncoder:
        """Load ``base`` under a new scoring head, or its own where it has one; see `pretrained`."""
        return cls(*pretrained(BertForSequenceClassification, base, max_tokens, layers, num_labels=1), max_tokens)

    def save(self, folder: Path) -> None:
        """Write weights, config and tokenizer in Hugging Face's layout."""
        self.bert.save_pretrained(folder)
        self.tokenizer.save(str(folder / "tokenizer.json"))

    def encode(self, queries: Sequence[str], passages: Sequence[str]) -> list[Encoding]:
        """Tokenise pair by pair; what is too long loses its end, the longer of the two texts first."""
        return self.tokenizer.encode_batch(list(zip(queries, passages, strict=True)))

    def pairs(self, queries: Sequence[str], passages: Sequence[str]) -> Tensor:
        """Read in length-sorted batches."""
        device = next(self.parameters()).device
        tokens = self.encode(queries, passages)
        scores: list[Tensor] = []
        order: list[int] = []
        for numbers in length_sorted_batches([len(t.ids) for t in tokens], PAIRS_AT_ONCE.on(device)):
            ids, mask = padded([tokens[n].ids for n in numbers], device)
            segments, _ = padded([tokens[n].type_ids for n in numbers], device)
            scores.append(self.read(ids, segments, mask))
            order += numbers
        return torch.cat(scores)[torch.tensor(order, device=device).argsort()]

    def read(self, ids: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        """Scores (N,) float32 of token ids and segments (N, T) under ``mask`` (N, T) bool."""
        out: Tensor = self.bert(input_ids=ids, token_type_ids=segments, attention_mask=mask.long()).logits
        return out[:, 0].float()


def _build(base: str | Path, max_tokens: int, layers: int, shape: Shape) -> CrossEncoder:
    return CrossEncoder.from_base(base, max_tokens, layers)


def _load(folder: Path, max_tokens: int, shape: Shape) -> CrossEncoder:
    return CrossEncoder.from_base(folder, max_tokens)


ARCHITECTURE = Architecture(
    "cross",
    CrossEncoder,
    Shape,
    _build,
    _load,
    {"loss": "listwise", "batch": 8, "negatives": 6, "epochs": 0.6, "learning_rate": 8e-5, "warmup": 0.08},
    Served("cross", BertForSequenceClassification, "cross"),
)
