"""Hard negatives: passages that BM25 or a model ranks first and that do not answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest

import torch

from encoders.models.indexable import AT_ONCE, Indexable, encode_all
from encoders.training.examples import Example
from search_stack.core.context import Part, contextual
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Query

DEPTH = 64
"""Passages of a ranking among which hard negatives are drawn."""


def bm25_rankings(data: EntityAspectData, queries: Sequence[Query], depth: int) -> list[list[int]]:
    """Numbers of BM25's first ``depth`` passages for each of ``queries``, best first."""
    import bm25s
    import Stemmer

    stem = Stemmer.Stemmer("english")
    texts = bm25s.tokenize([p.text for p in data.passages], stopwords="en", stemmer=stem, show_progress=False)
    index = bm25s.BM25()
    index.index(texts, show_progress=False)
    asked = bm25s.tokenize([q.text for q in queries], stopwords="en", stemmer=stem, show_progress=False)
    found, _ = index.retrieve(asked, k=min(depth, len(data.passages)), show_progress=False)
    return [list(map(int, numbers)) for numbers in found]


def model_rankings(
    model: Indexable, data: EntityAspectData, context: Sequence[Part], depth: int, tick: Callable[[], object] = int
) -> list[list[int]]:
    """Numbers of the model's first ``depth`` passages for each query, best first (Xiong et al., ANCE, ICLR 2021).

    ``tick`` is called after each part of the work.
    """
    was_training = model.training
    model.eval()
    with torch.inference_mode():
        passages = encode_all(model, [contextual(p.text, p.around, context) for p in data.passages], tick)
        out: list[list[int]] = []
        for at in range(0, len(data.queries), AT_ONCE):
            queries = model.encode_queries([q.text for q in data.queries[at : at + AT_ONCE]])
            best = model.interact(queries, passages).topk(min(depth, len(data.passages)), dim=1).indices
            out += best.tolist()
            tick()
    model.train(was_training)
    return out


def with_negatives(
    data: EntityAspectData, depth: int = DEPTH, besides: Sequence[Sequence[int]] | None = None
) -> list[Example]:
    """Every query with BM25's first ``depth`` passages, less those that may answer it, as its hard negatives.

    A passage with the query's entity and aspect counts as a possible answer even where it
    is not marked as relevant, and is left out. ``besides`` holds another ranking for each query; the two then
    take turns.
    """
    by_id = data.passage_by_id()
    examples = []
    rankings = bm25_rankings(data, data.queries, depth)
    if besides is not None:
        rankings = [_taking_turns(a, b)[:depth] for a, b in zip(besides, rankings, strict=True)]
    for query, numbers in zip(data.queries, rankings, strict=True):
        answers = {(by_id[i].entity, by_id[i].aspect) for i in query.relevant} - {("", "")}
        negatives = tuple(
            p
            for p in (data.passages[n] for n in numbers)
            if p.id not in query.relevant and (p.entity, p.aspect) not in answers
        )
        if negatives:
            examples.append(Example(query, by_id[query.relevant[0]], negatives))
    return examples


def _taking_turns(first: Sequence[int], second: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(n for pair in zip_longest(first, second) for n in pair if n is not None))
