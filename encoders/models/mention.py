"""What is said of a mention: one transformer over the marked mention and the words around it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import AutoModel, PreTrainedModel

from encoders.models.bases import pretrained
from encoders.models.tower import padded
from search_stack.language.arbiter.window import LONGEST, Marked, Window, marked


class MentionReader(nn.Module):
    """The first token's state and the mean of the mention's to a score for each answer."""

    def __init__(self, bert: PreTrainedModel, tokenizer: Tokenizer, answers: Sequence[str]) -> None:
        super().__init__()
        self.bert = bert
        self.tokenizer = tokenizer
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self.answers = tuple(answers)
        self.dropout = nn.Dropout(0.1)
        self.classifier = nn.Linear(2 * int(bert.config.hidden_size), len(self.answers))

    @classmethod
    def from_base(cls, base: str | Path, answers: Sequence[str], layers: int = 0) -> MentionReader:
        """Load ``base``, of its layers the first ``layers``, or all, under a new head; see `pretrained`."""
        return cls(*pretrained(AutoModel, base, LONGEST, layers), answers)

    def marked(self, windows: Sequence[Window]) -> list[Marked]:
        """As `search_stack.language.arbiter.window.marked`."""
        return marked(windows, self.tokenizer)

    def forward(self, marked: Sequence[Marked]) -> Tensor:
        """(N, A): of each answer a score, unbounded."""
        device = self.classifier.weight.device
        ids, mask = padded([m.ids for m in marked], device)
        segments, _ = padded([m.type_ids for m in marked], device)
        states = self.bert(input_ids=ids, token_type_ids=segments, attention_mask=mask.long())[0]
        inside = segments.unsqueeze(-1).to(states.dtype)
        span = (states * inside).sum(1) / inside.sum(1)
        scores: Tensor = self.classifier(self.dropout(torch.cat([states[:, 0], span], dim=1)))
        return scores
