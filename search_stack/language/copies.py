"""Text of a record that repeats an earlier one, as when a note begins as a copy of the last.

Shingles and their containment: Broder, On the resemblance and containment of documents, 1997. Exact, for the passages
of one record are few. What is folded away must say nothing new: a copy has the same findings, whatever denies or doubts
stands in words that both have, and it has no `LONG` words in a row of its own.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from math import ceil

import numpy as np

from search_stack.core.schema import Finding
from search_stack.language.assertion.marks import marks
from search_stack.language.assertion.scopes import matches
from search_stack.language.assertion.table import TOKEN

LONG = 8
"""Words of a shingle. A shorter text is never a copy: so much is said anew each time."""
SHARE = 0.8
"""Of a text's shingles that an earlier one has."""
_EDGE = ("",) * (LONG - 1)
Shingle = tuple[str, ...]
Span = tuple[int, int]
Said = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Copy:
    """That a text repeats the ``of``-th."""

    of: int
    own: tuple[Span, ...]
    """Offsets of words that it alone has, those side by side together."""
    numbers: bool
    """Whether one of the two has a number that the other has not."""


@dataclass(frozen=True)
class Told:
    """A text with what is labelled in it. Its words are matched whatever their case; signs are words too."""

    text: str
    findings: Iterable[Finding] = ()

    @cached_property
    def spans(self) -> list[Span]:
        return [found.span() for found in TOKEN.finditer(self.text)]

    @cached_property
    def words(self) -> list[str]:
        return [self.text[begin:end].lower().replace("’", "'") for begin, end in self.spans]

    @cached_property
    def shingles(self) -> list[Shingle]:
        """By the word that each begins with; none where the text is too short."""
        return list(zip(*(self.words[n:] for n in range(LONG)), strict=False))

    @cached_property
    def distinct(self) -> frozenset[Shingle]:
        return frozenset(self.shingles)

    @cached_property
    def said(self) -> frozenset[Said]:
        return frozenset((f.concept, f.assertion, f.temporality, f.experiencer) for f in self.findings)

    @cached_property
    def deciding(self) -> frozenset[int]:
        """Words that decide what is said of others, by their places. Plans of acts and drugs show in the findings."""
        found = (one for one in matches(self.words) if one.trigger.says == "absent" or not one.trigger.kinds)
        decided = [(one.begin, one.end) for one in found]
        decided += [(one.begin, one.end) for one in marks(self.words)]
        return frozenset(n for begin, end in decided for n in range(begin, end))

    @cached_property
    def edged(self) -> list[Shingle]:
        """Shingles that reach beyond the text on both sides, so that its first words and last are in as many as others;
        the n-th ends with the n-th word."""
        words = (*_EDGE, *self.words, *_EDGE)
        return list(zip(*(words[n:] for n in range(LONG)), strict=False))

    def apart(self, other: Told) -> list[int]:
        """Places of the words that stand in no shingle of ``other``."""
        known = frozenset(other.edged)
        shared = (n for n, shingle in enumerate(self.edged) if shingle in known)
        covered = {n for end in shared for n in range(end - LONG + 1, end + 1)}
        return [n for n in range(len(self.words)) if n not in covered]


@dataclass(slots=True)
class _Shelf:
    """Texts that say the same and repeat none before them: which of them have a shingle."""

    texts: list[tuple[int, Told]] = field(default_factory=list)
    having: dict[Shingle, array[int]] = field(default_factory=dict)

    def add(self, number: int, told: Told) -> None:
        for shingle in told.distinct:
            self.having.setdefault(shingle, array("i")).append(len(self.texts))
        self.texts.append((number, told))

    def near(self, told: Told) -> list[tuple[int, Told]]:
        """Those that have `SHARE` of the shingles of ``told``, the nearest first."""
        having = [np.frombuffer(self.having[shingle], np.intc) for shingle in told.distinct if shingle in self.having]
        least = ceil(SHARE * len(told.distinct))
        if len(having) < least:
            return []
        shared = np.bincount(np.concatenate(having))
        enough = np.flatnonzero(shared >= least)
        return [self.texts[n] for n in enough[np.argsort(-shared[enough], kind="stable")]]


def copies(record: Sequence[Told]) -> list[Copy | None]:
    """For each text, which one before it, itself no copy, it repeats; None of what repeats none.

    The share counts in the later text: one that has an earlier, shorter one inside it says more, and is no copy.
    """
    shelves: dict[frozenset[Said], _Shelf] = {}
    out: list[Copy | None] = []
    for number, told in enumerate(record):
        shelf = shelves.setdefault(told.said, _Shelf())
        near = shelf.near(told) if told.distinct else []
        found = next((copy for n, before in near if (copy := _copy(told, n, before))), None)
        if found is None and told.distinct:
            shelf.add(number, told)
        out.append(found)
    return out


def _copy(told: Told, number: int, before: Told) -> Copy | None:
    """None where the two differ in a word that decides, or the later one says something of its own."""
    if told.words == before.words:
        return Copy(number, (), numbers=False)
    own, gone = told.apart(before), before.apart(told)
    if not told.deciding.isdisjoint(own) or not before.deciding.isdisjoint(gone):
        return None
    runs = _runs(own)
    if any(len(run) >= LONG for run in runs):
        return None
    other = (told.words[n] for n in own), (before.words[n] for n in gone)
    numbers = any(char.isdigit() for words in other for word in words for char in word)
    return Copy(number, tuple((told.spans[run[0]][0], told.spans[run[-1]][1]) for run in runs), numbers)


def _runs(places: Sequence[int]) -> list[list[int]]:
    """
    >>> _runs([3, 4, 5, 9])
    [[3, 4, 5], [9]]
    """
    return [[n for _, n in run] for _, run in groupby(enumerate(places), key=lambda one: one[1] - one[0])]
