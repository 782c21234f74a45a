"""Cross-encoder: query and passage read together by one transformer (Nogueira & Cho, 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor
from transformers import BertForSequenceClassification

from encoders.bases import first_layers, resolve_base
from encoders.scorer import Scorer
from encoders.tower import padded
from search_stack.inference.batching import length_sorted_batches

Encoded = tuple[list[int], list[int]]
"""Token ids and segment ids of one query and passage, not padded."""


class CrossEncoder(Scorer):
    """``[CLS] query [SEP] passage [SEP]`` to one score, unbounded; the larger the better."""

    def __init__(self, bert: BertForSequenceClassification, tokenizer: Tokenizer, max_tokens: int) -> None:
        super().__init__()
        self.bert = bert
        self.tokenizer = tokenizer
        self.max_tokens = max_tokens
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_tokens, strategy="longest_first")

    @classmethod
    def from_base(cls, base: str, max_tokens: int, layers: int = 0) -> CrossEncoder:
        """Load ``base`` (see `resolve_base`), of its layers the first ``layers`` or all, under a new scoring head.

        Raises:
            AspectraError: there is no such base, or it has fewer layers.
        """
        folder = resolve_base(base)
        cut = first_layers(folder, layers)
        bert = BertForSequenceClassification.from_pretrained(folder, num_labels=1, **cut)
        return cls(bert, Tokenizer.from_file(str(folder / "tokenizer.json")), max_tokens)

    def save(self, folder: Path) -> None:
        """Write weights, config and tokenizer in Hugging Face's layout."""
        self.bert.save_pretrained(folder)
        self.tokenizer.save(str(folder / "tokenizer.json"))

    def encode(self, queries: Sequence[str], passages: Sequence[str]) -> list[Encoded]:
        """Tokenise pair by pair; what is too long loses its end, the longer of the two texts first."""
        pairs = list(zip(queries, passages, strict=True))
        return [(e.ids, e.type_ids) for e in self.tokenizer.encode_batch(pairs)]

    def forward(self, encoded: Sequence[Encoded], batch_size: int = 16) -> Tensor:
        """Scores (N,) of ``encoded`` (N), in its order, in length-sorted batches."""
        device = next(self.parameters()).device
        scores: list[Tensor] = []
        order: list[int] = []
        for numbers in length_sorted_batches([len(ids) for ids, _ in encoded], batch_size):
            ids, mask = padded([encoded[n][0] for n in numbers], device)
            segments, _ = padded([encoded[n][1] for n in numbers], device)
            out = self.bert(input_ids=ids, token_type_ids=segments, attention_mask=mask.long())
            scores.append(out.logits[:, 0].float())
            order += numbers
        return torch.cat(scores)[torch.tensor(order, device=device).argsort()]

    @torch.inference_mode()
    def score(self, queries: Sequence[str], passages: Sequence[str], batch_size: int = 16) -> Tensor:
        """Scores (Q, P) of every query with every passage."""
        pairs = [(q, p) for q in queries for p in passages]
        flat = self.forward(self.encode([q for q, _ in pairs], [p for _, p in pairs]), batch_size)
        return flat.view(len(queries), len(passages))
