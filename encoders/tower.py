"""A transformer that turns texts into token states or one vector each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, cast

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import AutoModel, PreTrainedModel

from encoders.bases import resolve_base
from search_stack.errors import AspectraError
from search_stack.inference.batching import length_sorted_batches

Pooling = Literal["mean", "cls"]
TEXTS_AT_ONCE = 32


class Tower(nn.Module):
    """Reads at most ``max_tokens`` tokens of a text, [CLS] and [SEP] among them; the rest is cut off."""

    def __init__(self, transformer: PreTrainedModel, tokenizer: Tokenizer, max_tokens: int) -> None:
        super().__init__()
        self.transformer = transformer
        self.tokenizer = tokenizer
        self.max_tokens = max_tokens
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_tokens)

    @classmethod
    def from_base(cls, base: str | Path, max_tokens: int) -> Tower:
        """Load ``base`` (see `resolve_base`).

        Raises:
            AspectraError: there is no such base, its weights cannot be read, or it reads
                fewer than ``max_tokens`` tokens.
        """
        folder = resolve_base(str(base))
        try:
            transformer = AutoModel.from_pretrained(folder)
            tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as e:  # transformers and tokenizers raise whatever their readers meet
            first = (str(e).splitlines() or [type(e).__name__])[0]
            raise AspectraError(f"{folder}: no transformer can be read there.", first) from e
        most = int(getattr(transformer.config, "max_position_embeddings", max_tokens))
        if most < max_tokens:
            raise AspectraError(f"{folder} reads {most} tokens at most.", f"Set max_tokens to {most} or fewer.")
        return cls(transformer, tokenizer, max_tokens)

    @property
    def width(self) -> int:
        """Length of a token's state."""
        return int(self.transformer.config.hidden_size)

    def save(self, folder: Path) -> None:
        """Write weights, config and tokenizer in Hugging Face's layout."""
        self.transformer.save_pretrained(folder)
        self.tokenizer.save(str(folder / "tokenizer.json"))

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return [e.ids for e in self.tokenizer.encode_batch_fast(list(texts))]

    def states(self, rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
        """Last states (N, T, H) and mask (N, T) bool of ``rows`` (N) of token ids."""
        ids, mask = padded(rows, next(self.parameters()).device)
        out: Any = self.transformer(input_ids=ids, attention_mask=mask.long(), **self._extra(ids))
        return cast(Tensor, out.last_hidden_state), mask

    def _extra(self, ids: Tensor) -> dict[str, Tensor]:
        """A Longformer looks from its first token at all the others (Beltagy et al., 2020, 3.1)."""
        if self.transformer.config.model_type != "longformer":
            return {}
        everywhere = torch.zeros_like(ids)
        everywhere[:, 0] = 1
        return {"global_attention_mask": everywhere}

    def vectors(self, texts: Sequence[str], pooling: Pooling = "mean") -> Tensor:
        """One vector for each of ``texts`` (N): (N, H) float32, in their order, not normalised."""
        rows = self.tokens(texts)
        parts: list[Tensor] = []
        order: list[int] = []
        for numbers in length_sorted_batches([len(r) for r in rows], TEXTS_AT_ONCE):
            parts.append(pooled(*self.states([rows[n] for n in numbers]), pooling))
            order += numbers
        if not parts:
            return torch.zeros(0, self.width)
        return torch.cat(parts)[torch.tensor(order).argsort()]


def padded(rows: Sequence[Sequence[int]], device: torch.device) -> tuple[Tensor, Tensor]:
    """Token ids (N, T) int64 and mask (N, T) bool, T the longest row's length, padded on the right."""
    longest = max(map(len, rows))
    ids = torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows])
    lengths = torch.tensor([len(row) for row in rows])
    return ids.to(device), (torch.arange(longest)[None] < lengths[:, None]).to(device)


def pooled(states: Tensor, mask: Tensor, pooling: Pooling) -> Tensor:
    """States (N, T, H) under mask (N, T) to vectors (N, H) float32: the first token's, or their mean."""
    if pooling == "cls":
        return states[:, 0].float()
    kept = states.float().masked_fill(~mask[..., None], 0.0)
    return kept.sum(dim=1) / mask.sum(dim=1, keepdim=True)
