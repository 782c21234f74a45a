"""What models of contextual discourse vectors share: sentences in their places, and scores by two cosines."""

from __future__ import annotations

import re
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from encoders.models.indexable import Encoded, Indexable
from search_stack.core.context import apart

SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")


@dataclass(frozen=True, slots=True)
class Sentences:
    """A passage's sentences in the places that they have in what is read of its document."""

    texts: tuple[str, ...]
    begins: tuple[bool, ...]
    """Of each sentence, whether it begins a line."""
    own: slice
    """Those of the passage; never empty."""

    @classmethod
    def of(cls, read: str) -> Sentences:
        """From what `search_stack.core.context.contextual` gave."""
        before, own, after = map(_lines, apart(read))
        own = own or [[read]]
        lines = [*before, *own, *after]
        first, many = sum(map(len, before)), sum(map(len, own))
        begins = tuple(n == 0 for line in lines for n in range(len(line)))
        return cls(tuple(s for line in lines for s in line), begins, slice(first, first + many))

    def scored(self) -> Tensor:
        """(S,) bool: True for those of the passage."""
        out = torch.zeros(len(self.texts), dtype=torch.bool)
        out[self.own] = True
        return out


def _lines(text: str) -> list[list[str]]:
    found = ([s.strip() for s in SENTENCE_END.split(line) if s.strip()] for line in text.splitlines())
    return [line for line in found if line]


class DiscourseVectors(Indexable):
    """Every sentence has an entity's and an aspect's vector, and so has a query. A passage scores ``scale`` times the
    mean over its sentences of both cosines' mean."""

    part: int
    """V, the length of either."""
    factor: float
    """What cosines are multiplied with."""

    @property
    def scale(self) -> float:
        return self.factor

    def interact(self, queries: Encoded, passages: Encoded) -> Tensor:
        """Of queries (Q, 1, 2 V) and sentences (P, S, 2 V), whose halves have length 1."""
        counts = passages.mask.sum(dim=1, keepdim=True)
        mean = passages.values.masked_fill(~passages.mask[..., None], 0.0).sum(dim=1) / counts
        # Both halves have length 1, so half their dot product is the mean of the two cosines.
        return self.factor * (queries.values[:, 0] @ mean.T) / 2

    def unit(self, both: Tensor) -> Tensor:
        """The entity's half and the aspect's, each of length 1: (..., 2 V)."""
        halves = torch.split(both.float(), self.part, dim=-1)
        return torch.cat([functional.normalize(h, dim=-1) for h in halves], dim=-1)
