"""Training examples: a query, one passage that answers it, and hard negatives."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import torch

from encoders.scorer import AT_ONCE, Indexable, encode_all
from search_stack.context import Part, contextual
from search_stack.evaluation.entity_aspect import EntityAspectData, Passage, Query

NEAR = 16
"""Ranks that count as near: most negatives come from these, the rest from further down."""


@dataclass(frozen=True, slots=True)
class Example:
    query: Query
    positive: Passage
    negatives: tuple[Passage, ...]
    """The nearest first, without false negatives."""


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


def mine(data: EntityAspectData, depth: int = 64, besides: Sequence[Sequence[int]] | None = None) -> list[Example]:
    """BM25's first ``depth`` passages for every query, less those that may answer it.

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


def wording(query: Query, rng: random.Random, keywords: float) -> str:
    """The question as asked, or with probability ``keywords`` as a searcher would type it."""
    if not query.entity or rng.random() >= keywords:
        return query.text
    aspect = rng.choice((query.aspect, query.aspect_heading))
    return rng.choice((f"{query.entity} {aspect}", f"{aspect} of {query.entity}", f"{query.entity}; {aspect}"))


def draw_negatives(example: Example, count: int, rng: random.Random) -> list[Passage]:
    """``count`` different negatives where there are so many, two thirds of them from the nearest ranks."""
    near, far = list(example.negatives[:NEAR]), list(example.negatives[NEAR:])
    take_near = min(len(near), max(count - len(far), round(count * 2 / 3)))
    return rng.sample(near, take_near) + rng.sample(far, min(len(far), count - take_near))
