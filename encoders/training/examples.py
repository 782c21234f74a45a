"""Training examples: a query, one passage that answers it, and hard negatives."""

from __future__ import annotations

import random
from dataclasses import dataclass

from search_stack.evaluation.datasets.entity_aspect import Passage, Query

NEAR = 16
"""Ranks that count as near: most negatives come from these, the rest from further down."""


@dataclass(frozen=True, slots=True)
class Example:
    query: Query
    positive: Passage
    negatives: tuple[Passage, ...]
    """The nearest first, without false negatives."""

    def grade(self, passage: Passage) -> int:
        """How well ``passage`` answers, as people said; where nobody did, 2 for the answer and 0 for the others."""
        known = dict(self.query.grades) or {self.positive.id: 2}
        return known.get(passage.id, 0)


def wording(query: Query, rng: random.Random, keywords: float) -> str:
    """The question as asked, or with probability ``keywords`` as a searcher would type it.

    Without an aspect it stays as asked: its entity alone may be the passage itself, word for word.
    """
    if not (query.entity and query.aspect) or rng.random() >= keywords:
        return query.text
    aspect = rng.choice((query.aspect, query.aspect_heading or query.aspect))
    return rng.choice((f"{query.entity} {aspect}", f"{aspect} of {query.entity}", f"{query.entity}; {aspect}"))


def draw_negatives(example: Example, count: int, rng: random.Random) -> list[Passage]:
    """``count`` different negatives where there are so many, two thirds of them from the nearest ranks."""
    near, far = list(example.negatives[:NEAR]), list(example.negatives[NEAR:])
    take_near = min(len(near), max(count - len(far), round(count * 2 / 3)))
    return rng.sample(near, take_near) + rng.sample(far, min(len(far), count - take_near))
