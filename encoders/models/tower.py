"""A transformer that turns texts into token states or one vector each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import AutoModel, PreTrainedModel

from encoders.models.bases import pretrained
from search_stack.core.context import FOLLOWS, JOINT, apart
from search_stack.inference.batching import length_sorted_batches

Pooling = Literal["mean", "cls", "max", "own"]
"""Of a text's token states: the mean, the first, the largest of each dimension, or the mean over what is not
context."""


@dataclass(frozen=True, slots=True)
class AtOnce:
    """How many texts are read at a time: few on a processor, whose cache they fill, many on a GPU, which is given
    work faster than it can be told of it."""

    processor: int
    gpu: int

    def on(self, device: torch.device) -> int:
        return self.processor if device.type == "cpu" else self.gpu


TEXTS_AT_ONCE = AtOnce(processor=32, gpu=256)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Token ids of a text, the place of the first that is its own, and the place after the last one."""

    ids: list[int]
    own: int
    end: int


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
    def from_base(cls, base: str | Path, max_tokens: int, layers: int = 0) -> Tower:
        """Load ``base``, of its layers the first ``layers``, or all; see `pretrained`."""
        return cls(*pretrained(AutoModel, base, max_tokens, layers), max_tokens)

    @property
    def width(self) -> int:
        """Length of a token's state."""
        return int(self.transformer.config.hidden_size)

    def save(self, folder: Path) -> None:
        """Write weights, config and tokenizer in Hugging Face's layout."""
        self.transformer.save_pretrained(folder)
        self.tokenizer.save(str(folder / "tokenizer.json"))

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """What is too long loses its end."""
        return [Tokens(e.ids, 1, len(e.ids)) for e in self.tokenizer.encode_batch_fast(list(texts))]

    def own_tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """What is too long loses the end of what follows, then that of what stands before, before anything of its
        own."""
        out = []
        for text in texts:
            before, own, after = apart(text)
            ids = self.tokenizer.encode(own).ids
            # The marks of begin and end are counted with what is its own.
            room = self.max_tokens - len(ids)
            head = self._bare(before + JOINT)[:room] if before else []
            tail = self._bare(FOLLOWS + after)[: room - len(head)] if after else []
            row = [ids[0], *head, *ids[1:-1], *tail, ids[-1]]
            out.append(Tokens(row, 1 + len(head), len(row) - 1 - len(tail) if tail else len(row)))
        return out

    def _bare(self, text: str) -> list[int]:
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def states(self, rows: Sequence[Tokens]) -> tuple[Tensor, Tensor]:
        """Last states (N, T, H) and mask (N, T) bool of ``rows`` (N)."""
        pad = getattr(self.transformer.config, "pad_token_id", None) or 0
        ids, mask = padded([r.ids for r in rows], next(self.parameters()).device, pad)
        out: Any = self.transformer(input_ids=ids, attention_mask=mask.long(), **self._extra(ids, rows))
        return cast(Tensor, out.last_hidden_state)[:, : ids.shape[1]], mask

    def _extra(self, ids: Tensor, rows: Sequence[Tokens]) -> dict[str, Tensor]:
        """A Longformer looks from its first token, and from the first of what is the text's own, at all the others
        (Beltagy et al., 2020, 3.1)."""
        if self.transformer.config.model_type != "longformer":
            return {}
        everywhere = torch.zeros_like(ids)
        everywhere[:, 0] = 1
        everywhere[torch.arange(len(rows)), [min(r.own, len(r.ids) - 1) for r in rows]] = 1
        return {"global_attention_mask": everywhere}

    def vectors(self, texts: Sequence[str], pooling: Pooling = "mean") -> Tensor:
        """One vector for each of ``texts`` (N): (N, H) float32, in their order, not normalised."""
        rows = self.own_tokens(texts) if pooling == "own" else self.tokens(texts)
        parts: list[Tensor] = []
        order: list[int] = []
        at_once = TEXTS_AT_ONCE.on(next(self.parameters()).device)
        for numbers in length_sorted_batches([len(r.ids) for r in rows], at_once):
            batch = [rows[n] for n in numbers]
            parts.append(pooled(*self.states(batch), pooling, [(r.own, r.end) for r in batch]))
            order += numbers
        if not parts:
            return torch.zeros(0, self.width)
        return torch.cat(parts)[torch.tensor(order).argsort()]


def padded(rows: Sequence[Sequence[int]], device: torch.device, pad: int = 0) -> tuple[Tensor, Tensor]:
    """Token ids (N, T) int64 and mask (N, T) bool, T the longest row's length, padded on the right."""
    longest = max(map(len, rows))
    ids = torch.tensor([[*row, *[pad] * (longest - len(row))] for row in rows])
    lengths = torch.tensor([len(row) for row in rows])
    return ids.to(device), (torch.arange(longest)[None] < lengths[:, None]).to(device)


def pooled(states: Tensor, mask: Tensor, pooling: Pooling, own: Sequence[tuple[int, int]] = ()) -> Tensor:
    """States (N, T, H) under mask (N, T) to vectors (N, H) float32; ``own`` (N) says where each text's own
    tokens begin and end."""
    if pooling == "cls":
        return states[:, 0].float()
    if pooling == "max":
        return states.float().masked_fill(~mask[..., None], -torch.inf).amax(dim=1)
    if pooling == "own":
        places = torch.arange(mask.shape[1], device=mask.device)[None]
        begin, end = torch.tensor(own, device=mask.device).T[..., None]
        mask = mask & (places >= begin) & (places < end)
    kept = states.float().masked_fill(~mask[..., None], 0.0)
    return kept.sum(dim=1) / mask.sum(dim=1, keepdim=True)
