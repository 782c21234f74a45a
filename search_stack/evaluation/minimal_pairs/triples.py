"""Triples with a known order, from the sentences of notes and the lexicon.

Which notes teach and which measure follows from their ids, as for judged mentions. A sentence that stands in notes of
both only measures.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from search_stack.evaluation.datasets.gold import Part, part_of
from search_stack.evaluation.minimal_pairs import others
from search_stack.evaluation.minimal_pairs.reading import Reading, Said, plain_sentences
from search_stack.evaluation.minimal_pairs.same import Same
from search_stack.evaluation.minimal_pairs.wordings import Changed
from search_stack.language.labeller import Labeller

Kind: TypeAlias = Literal["concept", "denial", "side", "dose", "person"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""A synonym against another concept of its kind; affirmed against denied; left against right; 10 mg against 100 mg; a
relative against the patient."""
FURTHER = 0.3
"""Share of the sentences that say something else which are made of the rewording instead of the note's own words, lest
the more words in common always be wrong."""


@dataclass(frozen=True, slots=True)
class Triple:
    """``near`` says what ``anchor`` says, ``far`` does not."""

    kind: Kind
    note: str
    """Its id, as the readers of `ingest` give it."""
    anchor: str
    """As the note has it."""
    near: str
    far: str
    apart: bool
    """Whether wordings stand in it that nothing is trained with."""


def measuring(texts: Mapping[str, str], labeller: Labeller, part: Part, most: int, seed: int = 13) -> list[Triple]:
    """Triples of the notes of ``part``, at most ``most`` of each kind.

    Args:
        texts: of all notes, by id.
        labeller: whose rules tell what a sentence says.
    """
    return list(_limited(_triples(_sentences(texts, (part,)), labeller, True, seed), most))


def training(texts: Mapping[str, str], labeller: Labeller, most: int, seed: int = 13) -> list[Triple]:
    """As `measuring`, of the train part: no sentence of another part, and no wording kept for it."""
    taken = measured_sentences(texts)
    own = [(note, words) for note, words in _sentences(texts, ("train",)) if words.casefold() not in taken]
    return list(_limited(_triples(own, labeller, False, seed), most))


def measured_sentences(texts: Mapping[str, str]) -> set[str]:
    """Those of the notes that measure, whatever the case: nothing may learn from them, wherever else they stand."""
    return {words.casefold() for _, words in _sentences(texts, ("dev", "test"))}


def _sentences(texts: Mapping[str, str], parts: Sequence[Part]) -> list[tuple[str, str]]:
    """Note and sentence, each sentence once, in an order that follows from the ids."""
    found: dict[str, tuple[str, str]] = {}
    for note in sorted(texts):
        if part_of(note) in parts:
            for words in plain_sentences(texts[note]):
                found.setdefault(words.casefold(), (note, words))
    return list(found.values())


def _limited(found: Iterable[Triple], most: int) -> Iterator[Triple]:
    left = dict.fromkeys(KINDS, most)
    for one in found:
        if left[one.kind]:
            left[one.kind] -= 1
            yield one
        elif not any(left.values()):
            return


def _triples(sentences: Sequence[tuple[str, str]], labeller: Labeller, apart: bool, seed: int) -> Iterator[Triple]:
    """In random order; all that is drawn follows from the seed and the sentence."""
    order = random.Random(seed).sample(range(len(sentences)), len(sentences))
    reading = Reading(labeller)
    same = Same(reading, apart)
    pool = others.Pool(labeller.lexicon)
    for note, words in (sentences[n] for n in order):
        rng = random.Random(f"{seed}/{words}")
        said = reading.said(words)
        pool.see(said)
        for kind in KINDS:
            if found := _one(kind, words, said, same, pool, rng):
                near, far = found
                yield Triple(kind, note, words, near.text, far.text, near.apart or far.apart)


def _one(
    kind: Kind, words: str, said: Said, same: Same, pool: others.Pool, rng: random.Random
) -> tuple[Changed, Changed] | None:
    if kind == "concept":
        return others.concept(words, said, same, pool, rng)
    turned = {"denial": others.denial, "side": others.side, "dose": others.dose, "person": others.person}[kind]
    if turned(words, said, same, rng) is None:
        return None
    near = same.reworded(words, rng)
    if near is None:
        return None
    from_near = rng.random() < FURTHER
    start = near.text if from_near else words
    far = turned(start, same.reading.said(start), same, rng)
    if far is None or far.text.casefold() in (words.casefold(), near.text.casefold()):
        return None
    return near, Changed(far.text, far.apart)
