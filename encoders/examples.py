"""Training examples: a query, one passage that answers it, and hard negatives."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from search_stack.evaluation.entity_aspect import EntityAspectData, Passage, Query

NEAR = 16
"""Ranks that count as near: most negatives come from these, the rest from further down."""


@dataclass(frozen=True, slots=True)
class Example:
    query: Query
    positive: Passage
    negatives: tuple[Passage, ...]
    """Candidates in BM25's order, without false negatives."""


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


def mine(data: EntityAspectData, depth: int = 64) -> list[Example]:
    """BM25's first ``depth`` passages for every query, less those that may answer it.

    A passage with the query's entity and aspect counts as a possible answer even where it
    is not marked as relevant, and is left out.
    """
    by_id = data.passage_by_id()
    examples = []
    for query, numbers in zip(data.queries, bm25_rankings(data, data.queries, depth), strict=True):
        answers = {(by_id[i].entity, by_id[i].aspect) for i in query.relevant}
        negatives = tuple(
            p
            for p in (data.passages[n] for n in numbers)
            if p.id not in query.relevant and (p.entity, p.aspect) not in answers
        )
        if negatives:
            examples.append(Example(query, by_id[query.relevant[0]], negatives))
    return examples


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
