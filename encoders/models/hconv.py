"""Hierarchical convolution over the token states of both texts, read together (after Wang et al., "Evaluating the
Utility of Model Configurations and Data Augmentation on Clinical Semantic Textual Similarity", BioNLP 2020; widths and
channels are ours)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertForSequenceClassification

from encoders.models import cross
from encoders.models.architecture import Architecture, Shape, require_above_0
from encoders.models.cross import CrossEncoder
from search_stack.core.errors import AspectraError

WEIGHTS = "hconv.pt"


@dataclass(frozen=True)
class HConvShape(Shape):
    levels: int = 3
    """Convolutions, each over what the one before gives: the third sees seven tokens."""
    width: int = 3
    """Tokens that each reads at once."""
    channels: int = 128
    """Of each level."""
    open_layers: int = 4
    """Of the transformer, from the last, that learn; the rest and the word vectors stay as they are. 0: all learn."""

    def __post_init__(self) -> None:
        require_above_0(self, "levels", "width", "channels")
        if self.width % 2 == 0 or self.open_layers < 0:
            raise AspectraError(
                f"width is {self.width}, open_layers {self.open_layers}.", "Set an odd width, and layers from 0 on."
            )


class HierarchicalConvolution(CrossEncoder):
    """The first token's score, and that of the largest value of each channel of each level."""

    def __init__(
        self,
        bert: BertForSequenceClassification,
        tokenizer: Tokenizer,
        max_tokens: int,
        shape: HConvShape | None = None,
    ) -> None:
        super().__init__(bert, tokenizer, max_tokens)
        self.shape = s = shape or HConvShape()
        widths = [int(bert.config.hidden_size), *[s.channels] * s.levels]
        self.levels = nn.ModuleList(nn.Conv1d(a, b, s.width, padding=s.width // 2) for a, b in pairwise(widths))
        self.head = nn.Linear(s.channels * s.levels, 1)
        if s.open_layers:
            layers = bert.bert.encoder.layer
            for part in (bert.bert.embeddings, *layers[: max(0, len(layers) - s.open_layers)]):
                part.requires_grad_(False)

    @classmethod
    def build(cls, base: str, max_tokens: int, layers: int, shape: HConvShape) -> Self:
        """On the transformer of ``base``; see `pretrained`."""
        whole = CrossEncoder.from_base(base, max_tokens, layers)
        return cls(whole.bert, whole.tokenizer, max_tokens, shape)

    @classmethod
    def load(cls, folder: Path, max_tokens: int, shape: HConvShape) -> Self:
        """
        Raises:
            AspectraError: the weights of the convolutions cannot be read.
        """
        model = cls.build(str(folder), max_tokens, 0, shape)
        try:
            kept = torch.load(folder / WEIGHTS, map_location="cpu", weights_only=True)
            model.levels.load_state_dict(kept["levels"])
            model.head.load_state_dict(kept["head"])
        except Exception as e:  # torch raises whatever its unpickler meets
            raise AspectraError(f"{folder / WEIGHTS}: cannot be read.", "Train the model again.") from e
        return model

    def save(self, folder: Path) -> None:
        """The transformer in Hugging Face's layout, the convolutions beside it."""
        super().save(folder)
        torch.save({"levels": self.levels.state_dict(), "head": self.head.state_dict()}, folder / WEIGHTS)

    def read(self, ids: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        below: Any = self.bert.bert(input_ids=ids, token_type_ids=segments, attention_mask=mask.long())
        first: Tensor = self.bert.classifier(self.bert.dropout(below.pooler_output))
        inside = mask[:, None]
        states = below.last_hidden_state.transpose(1, 2) * inside
        found = []
        for level in self.levels:
            states = functional.relu(level(states)) * inside
            found.append(states.amax(dim=2))
        scores: Tensor = first + self.head(torch.cat(found, dim=1))
        return scores[:, 0].float()


ARCHITECTURE = Architecture(
    "hconv",
    HierarchicalConvolution,
    HConvShape,
    HierarchicalConvolution.build,
    HierarchicalConvolution.load,
    cross.ARCHITECTURE.defaults,
)
