"""What a misspelt word may have been meant to be, among the words of the lexicon."""

from __future__ import annotations

from collections.abc import Iterable

from symspellpy import SymSpell, Verbosity

SHORTEST = 4
"""Letters below which nothing is guessed."""
SHORTEST_TWO = 8
"""Letters from which two slips may be in a word."""
COMMON = 45_000
"""Ranks in English up to which a word is taken to be meant as it stands."""


class Speller:
    """Suggests words of ``words``, by symmetric deletion (W. Garbe's SymSpell)."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = frozenset(w for w in words if w.isalpha() and len(w) >= SHORTEST)
        self._made: SymSpell | None = None

    def suggestions(self, word: str) -> list[str]:
        """Words that ``word``, lower case, may be with one slip, or two in a long one; the nearest first."""
        if len(word) < SHORTEST or not word.isalpha():
            return []
        if self._made is None:
            self._made = SymSpell(max_dictionary_edit_distance=2, prefix_length=7)
            for known in sorted(self._words):
                self._made.create_dictionary_entry(known, 1)
        slips = 2 if len(word) >= SHORTEST_TWO else 1
        found = self._made.lookup(word, Verbosity.ALL, max_edit_distance=slips)
        ordered = sorted(found, key=lambda s: (s.distance, s.term[0] != word[0], abs(len(s.term) - len(word)), s.term))
        likely = (s.term for s in ordered if s.term[0] == word[0] or s.distance == 1)
        return [term for term in likely if not _lacks_two(word, term)][:6]


def _lacks_two(word: str, other: str) -> bool:
    """Whether two letters side by side make the one of the other: another word sooner than two slips.

    >>> _lacks_two("myopathy", "myelopathy")
    True
    """
    short, long = sorted((word, other), key=len)
    if len(long) - len(short) != 2:
        return False
    same = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return long[same + 2 :] == short[same:]
