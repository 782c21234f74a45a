"""R@1 on development data while a model learns: BM25's candidates, every missing answer put in."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from encoders.models.scorer import Scorer
from encoders.training.negatives import bm25_rankings
from search_stack.core.context import Part, contextual
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData

DEPTH = 64
SEED = 13


@dataclass(frozen=True, slots=True)
class CandidateList:
    """A query, the numbers of its candidates, and how many of them answer it: they come first."""

    query: str
    passages: tuple[int, ...]
    answers: int


class Development:
    """Queries with their candidates, and every passage as the model reads it.

    Args:
        limit: so many queries, drawn with a fixed seed.
    """

    def __init__(self, data: EntityAspectData, context: Sequence[Part], limit: int = 200, depth: int = DEPTH) -> None:
        self.passages = [contextual(p.text, p.around, context) for p in data.passages]
        number = {p.id: n for n, p in enumerate(data.passages)}
        queries = data.queries
        if limit < len(queries):
            queries = tuple(random.Random(SEED).sample(queries, limit))
        self.lists = []
        for q, found in zip(queries, bm25_rankings(data, queries, depth), strict=True):
            answers = [number[i] for i in q.relevant]
            rivals = [n for n in found if n not in answers][: depth - len(answers)]
            self.lists.append(CandidateList(q.text, (*answers, *rivals), len(answers)))

    @torch.inference_mode()
    def r_at_1(self, model: Scorer) -> float:
        """Share of the queries of which an answer scores above every rival; a tie is none."""
        was_training = model.training
        model.eval()
        right = sum(_first(s, c.answers) for s, c in zip(self._scores(model), self.lists, strict=True))
        model.train(was_training)
        return right / len(self.lists)

    def _scores(self, model: Scorer) -> list[Tensor]:
        """Scores (C,) of each query's candidates; of the passages only those are read."""
        needed = sorted({n for c in self.lists for n in c.passages})
        place = {n: at for at, n in enumerate(needed)}
        corpus = model.corpus([self.passages[n] for n in needed])
        return corpus.scores([c.query for c in self.lists], [[place[n] for n in c.passages] for c in self.lists])


def _first(scores: Tensor, answers: int) -> bool:
    rivals = scores[answers:]
    return not len(rivals) or bool(scores[:answers].max() > rivals.max())
