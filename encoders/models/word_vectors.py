"""Texts as the mean of their word vectors."""

from __future__ import annotations

from collections.abc import Sequence

from tokenizers import Tokenizer
from torch import Tensor, nn

from encoders.models.tower import padded


class WordVectors(nn.Module):
    """Texts as the mean of their word vectors."""

    def __init__(self, words: Tensor, tokenizer: Tokenizer, tokens: int) -> None:
        """``words`` (V, W): a vector for each token of the vocabulary; of a text the first ``tokens`` are read."""
        super().__init__()
        self.words = nn.Embedding(words.shape[0], words.shape[1], _weight=words.clone())
        self.width = int(words.shape[1])
        self.tokens = tokens
        self.tokenizer = tokenizer
        tokenizer.no_padding()
        tokenizer.no_truncation()

    def vectors(self, texts: Sequence[str]) -> Tensor:
        """``texts`` (N) as (N, W)."""
        found = [e.ids[: self.tokens] or [0] for e in self.tokenizer.encode_batch_fast(list(texts))]
        ids, mask = padded(found, self.words.weight.device)
        kept = self.words(ids).masked_fill(~mask[..., None], 0.0)
        out: Tensor = kept.sum(dim=1) / mask.sum(dim=1, keepdim=True)
        return out
