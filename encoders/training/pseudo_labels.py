"""Pairs of sentences of notes to learn from, scored by a model instead of by people (after Wang et al., "Evaluating the
Utility of Model Configurations and Data Augmentation on Clinical Semantic Textual Similarity", BioNLP 2020).

Both sentences stand under the same aspect, in different notes of the train part.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from search_stack.evaluation.datasets.gold import part_of
from search_stack.evaluation.datasets.sentence_pairs import SentencePair
from search_stack.evaluation.minimal_pairs import measured_sentences
from search_stack.evaluation.minimal_pairs.reading import plain_sentences
from search_stack.language.sections import sections

BANDS = 5
"""Of scores, each a point wide."""
RARE = 3
"""The first band of which all are taken: of pairs at random hardly one is so alike."""
NEAREST = 5
"""Sentences nearest to one, of which one is drawn: the nearest alone are mostly copies."""
SENTENCES = 20_000
"""At most, of all notes: each is encoded, and compared with those under its aspect."""

Sentence: TypeAlias = tuple[str, str]
"""The note that it is from, and its words."""
Encode: TypeAlias = Callable[[Sequence[str]], npt.NDArray[np.float32]]
"""Words (N) to vectors (N, H) of length 1."""


def sentences_by_aspect(texts: Mapping[str, str], seed: int, most: int = SENTENCES) -> dict[str, list[Sentence]]:
    """By aspect, sentences of the train part's notes that stand in no other part; each once, at most ``most`` of all.

    Args:
        texts: of all notes, by id.
    """
    measured = measured_sentences(texts)
    found: dict[str, tuple[str, Sentence]] = {}
    for note in (n for n in sorted(texts) if part_of(n) == "train"):
        for section in (s for s in sections(texts[note]) if s.aspect):
            for words in plain_sentences(texts[note][section.heading_end : section.end]):
                if words.casefold() not in measured:
                    found.setdefault(words.casefold(), (section.aspect, (note, words)))
    out: dict[str, list[Sentence]] = defaultdict(list)
    for aspect, sentence in random.Random(f"{seed}/sentences").sample([*found.values()], min(most, len(found))):
        out[aspect].append(sentence)
    return dict(out)


def candidates(
    sentences: Mapping[str, Sequence[Sentence]], encode: Encode, most: int, seed: int
) -> list[tuple[str, str]]:
    """At most ``most`` pairs, each once: half of them of a sentence and one of those nearest to it, the others drawn at
    random. So alike ones are many among few candidates."""
    near = islice(_near(sentences, encode, random.Random(f"{seed}/near")), most // 2)
    drawn = islice(_at_random(sentences, random.Random(f"{seed}/random")), most - most // 2)
    return [*{frozenset(pair): pair for pair in (*near, *drawn)}.values()]


def _near(sentences: Mapping[str, Sequence[Sentence]], encode: Encode, rng: random.Random) -> Iterator[tuple[str, str]]:
    vectors = {aspect: encode([words for _, words in own]) for aspect, own in sentences.items()}
    notes = {aspect: np.array([note for note, _ in own]) for aspect, own in sentences.items()}
    for aspect, n in _in_any_order(sentences, rng):
        others = np.flatnonzero(notes[aspect] != notes[aspect][n])
        alike = vectors[aspect][others] @ vectors[aspect][n]
        nearest = others[np.argsort(-alike, kind="stable")[:NEAREST]].tolist()
        if nearest:
            yield sentences[aspect][n][1], sentences[aspect][rng.choice(nearest)][1]


def _at_random(sentences: Mapping[str, Sequence[Sentence]], rng: random.Random) -> Iterator[tuple[str, str]]:
    for aspect, n in _in_any_order(sentences, rng):
        (note, words), (other, other_words) = sentences[aspect][n], rng.choice(sentences[aspect])
        if note != other:
            yield words, other_words


def _in_any_order(sentences: Mapping[str, Sequence[Sentence]], rng: random.Random) -> Iterator[tuple[str, int]]:
    """Aspect and place of each sentence."""
    places = [(aspect, n) for aspect, own in sentences.items() for n in range(len(own))]
    yield from rng.sample(places, len(places))


def bands(pairs: Sequence[SentencePair]) -> list[list[SentencePair]]:
    """``pairs`` by the whole points of their scores."""
    out: list[list[SentencePair]] = [[] for _ in range(BANDS)]
    for pair in pairs:
        out[min(int(pair.score), BANDS - 1)].append(pair)
    return out


def balanced(banded: Sequence[Sequence[SentencePair]], each: int, seed: int) -> list[SentencePair]:
    """At most ``each`` of every band below `RARE`, drawn at random, and all of the others."""
    rng = random.Random(f"{seed}/bands")
    low = [p for band in banded[:RARE] for p in rng.sample(band, min(each, len(band)))]
    return [*low, *(p for band in banded[RARE:] for p in band)]
