"""Hard negatives: passages that BM25 or a model ranks first and that do not answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import zip_longest

import torch
from torch import Tensor

from encoders.models.indexable import AT_ONCE, Indexable, encode_all
from encoders.training.examples import Example
from search_stack.core.context import Part, contextual
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Passage, Query

DEPTH = 64
"""Passages of a ranking among which hard negatives are drawn."""


def bm25_rankings(data: EntityAspectData, queries: Sequence[Query], depth: int) -> list[list[int]]:
    """Numbers of BM25's first ``depth`` passages for each of ``queries``, best first."""
    # bm25s tries JAX as it is imported, where that is installed, and JAX claims three quarters of a GPU's memory.
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import bm25s
    import Stemmer

    stem = Stemmer.Stemmer("english")
    texts = bm25s.tokenize([p.text for p in data.passages], stopwords="en", stemmer=stem, show_progress=False)
    index = bm25s.BM25()
    index.index(texts, show_progress=False)
    asked = bm25s.tokenize([q.text for q in queries], stopwords="en", stemmer=stem, show_progress=False)
    found, _ = index.retrieve(asked, k=min(depth, len(data.passages)), show_progress=False, backend_selection="numpy")
    return [list(map(int, numbers)) for numbers in found]


class Miner:
    """A model with all passages and queries of ``data`` encoded (Xiong et al., ANCE, ICLR 2021).

    ``tick`` is called after each part of the work.
    """

    def __init__(
        self, model: Indexable, data: EntityAspectData, context: Sequence[Part], tick: Callable[[], object] = int
    ) -> None:
        was_training = model.training
        model.eval()
        number = {p.id: n for n, p in enumerate(data.passages)}
        self._answers = [[number[i] for i in q.relevant] for q in data.queries]
        with torch.inference_mode():
            passages = encode_all(model, [contextual(p.text, p.around, context) for p in data.passages], tick)
            queries = encode_all(model, [q.text for q in data.queries], tick, model.encode_queries)
        model.train(was_training)
        self._model, self._queries, self._passages = model, queries, passages

    @torch.inference_mode()
    def _scores(self) -> Iterator[Tensor]:
        """Of each query in turn, its scores (P,), on the processor: of a GPU each number would be waited for."""
        for at in range(0, len(self._answers), AT_ONCE):
            yield from self._model.interact(self._queries[at : at + AT_ONCE], self._passages).cpu()

    def rankings(self, depth: int) -> list[list[int]]:
        """Numbers of the model's first ``depth`` passages for each query, best first."""
        return [scores.topk(min(depth, len(scores))).indices.tolist() for scores in self._scores()]

    def likely(self, rankings: Sequence[Sequence[int]], share: float) -> list[frozenset[int]]:
        """Those of each query's ranking that the model scores above ``share`` of its answer: more likely answers that
        nobody marked than wrong ones (Moreira et al., NV-Retriever, 2024, TopK-PercPos)."""
        out = []
        for scores, numbers, answers in zip(self._scores(), rankings, self._answers, strict=True):
            limit = share * float(scores[answers].max())
            out.append(frozenset(n for n in numbers if float(scores[n]) > limit))
        return out


def with_negatives(
    data: EntityAspectData,
    depth: int = DEPTH,
    besides: Sequence[Sequence[int]] | None = None,
    likely: Callable[[Sequence[Sequence[int]]], Sequence[Collection[int]]] | None = None,
    whole: bool = False,
) -> list[Example]:
    """Every query with BM25's first ``depth`` passages, less those that may answer it, as its hard negatives.

    A passage with the query's entity and aspect counts as a possible answer even where it
    is not marked as relevant, and is left out; so is what ``likely`` finds in each query's ranking. ``besides`` holds
    another ranking for each query; the two then take turns. Where people graded passages of a query, each that answers
    has those of lesser grades as its negatives, the next lesser first, and no others; or with ``whole`` the best one
    has all others, the worst first.
    """
    by_id = data.passage_by_id()
    examples: list[Example] = []
    rankings = bm25_rankings(data, data.queries, depth)
    if besides is not None:
        rankings = [_taking_turns(a, b)[:depth] for a, b in zip(besides, rankings, strict=True)]
    found = likely(rankings) if likely else [frozenset[int]()] * len(rankings)
    for query, numbers, unmarked in zip(data.queries, rankings, found, strict=True):
        if query.grades:
            examples += _of_grades(query, by_id, whole)
            continue
        answers = {(by_id[i].entity, by_id[i].aspect) for i in query.relevant} - {("", "")}
        negatives = tuple(
            p
            for p in (data.passages[n] for n in numbers if n not in unmarked)
            if p.id not in query.relevant and (p.entity, p.aspect) not in answers
        )
        if negatives:
            examples.append(Example(query, by_id[query.relevant[0]], negatives))
    return examples


def _of_grades(query: Query, by_id: Mapping[str, Passage], whole: bool) -> Iterator[Example]:
    down = sorted(query.grades, key=lambda own: -own[1])
    if whole:
        best, *others = (by_id[id_] for id_, _ in down)
        # The worst count as the nearest, two thirds of what is drawn: else lists hold hardly a wrong one.
        yield Example(query, best, tuple(reversed(others)))
        return
    for id_, grade in down:
        if lesser := tuple(by_id[other] for other, its in down if its < grade):
            yield Example(query, by_id[id_], lesser)


def _taking_turns(first: Sequence[int], second: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(n for pair in zip_longest(first, second) for n in pair if n is not None))
