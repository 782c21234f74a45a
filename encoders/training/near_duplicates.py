"""Texts that have come by two ways: what is measured on must not have been learnt."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import replace
from math import ceil

from search_stack.evaluation.datasets.entity_aspect import EntityAspectData

WORDS = 8
"""In a shingle: fewer are often shared by chance, more break at every change (Broder, 1997, resemblance)."""
ALIKE = 0.8
"""Jaccard's measure of both texts' shingles. Not how much of the shorter one is in the other: MedQuAD says the same of
hundreds of diseases but for the name, and that leaves out 1,667 more of its 10,474 passages, 5 of them on the same
entity as their double."""
_WORD = re.compile(r"\w+")


def without(data: EntityAspectData, held_out: EntityAspectData) -> EntityAspectData:
    """``data`` less the passages that are nearly one of ``held_out``, and the queries that they alone answer."""
    near = NearDuplicates([p.text for p in held_out.passages])
    kept = tuple(p for p in data.passages if p.text not in near)
    ids = {p.id for p in kept}
    queries = (
        replace(
            q,
            relevant=tuple(i for i in q.relevant if i in ids),
            grades=tuple((i, grade) for i, grade in q.grades if i in ids),
        )
        for q in data.queries
    )
    return EntityAspectData(data.name, kept, tuple(q for q in queries if q.relevant))


def shingles(text: str) -> frozenset[int]:
    """Every run of `WORDS` words, or all words of a shorter text, whatever their case and the points between.

    >>> shingles("Summary : Gout is common.") == shingles("summary gout, is COMMON")
    True
    """
    words = _WORD.findall(text.lower())
    if len(words) < WORDS:
        return frozenset((hash(tuple(words)),)) if words else frozenset()
    return frozenset(map(hash, zip(*(words[n:] for n in range(WORDS)), strict=False)))


class NearDuplicates:
    """Whether a text is nearly one of ``texts``.

    Two texts that share so much share one of the rarest fifth of each one's shingles. Only these are looked up
    (prefix filtering: Chaudhuri et al., ICDE 2006), and not what thousands of passages say in the same words.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        sets = {shingles(t) for t in texts} - {frozenset()}
        self._count = Counter(s for found in sets for s in found)
        self._rarest: dict[int, list[frozenset[int]]] = defaultdict(list)
        for found in sets:
            for shingle in self._rarest_of(found, len(found)):
                self._rarest[shingle].append(found)

    def __contains__(self, text: str) -> bool:
        own = shingles(text)
        known = [s for s in own if s in self._count]
        return any(_alike(own, other) for s in self._rarest_of(known, len(own)) for other in self._rarest.get(s, ()))

    def _rarest_of(self, known: Collection[int], size: int) -> list[int]:
        """Of a text's ``size`` shingles one more than may be missing in another, those not ``known`` counted first."""
        most = len(known) - ceil(ALIKE * size - 1e-9) + 1
        return sorted(known, key=lambda s: (self._count[s], s))[:most] if most > 0 else []


def _alike(a: frozenset[int], b: frozenset[int]) -> bool:
    if min(len(a), len(b)) < ALIKE * max(len(a), len(b)):
        return False
    shared = len(a & b)
    return shared >= ALIKE * (len(a) + len(b) - shared)
