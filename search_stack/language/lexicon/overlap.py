"""Which of several names found at the same words stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from search_stack.language.lexicon.concepts import Lexicon

NAME, DENIAL, EXCLUSION = range(3)


@dataclass(frozen=True, slots=True)
class Name:
    """Numbers of the words of one name of a concept; an abbreviation has none."""

    concept: str
    words: tuple[int, ...]
    role: int


@dataclass(frozen=True, slots=True)
class Found:
    """A name found at the tokens ``at``, in the order of the text."""

    name: Name
    at: tuple[int, ...]

    def covered(self) -> frozenset[int]:
        """The tokens it may take from others: an exclusion also takes those between its own."""
        at = self.at
        return frozenset(range(at[0], at[-1] + 1) if self.name.role == EXCLUSION else at)


def kept(found: Sequence[Found], lexicon: Lexicon) -> list[Found]:
    """What is left when exclusions have taken theirs out, and then the longer their parts."""
    excluding = [f for f in found if f.name.role == EXCLUSION]
    named = [f for f in found if f.name.role != EXCLUSION]
    if excluding:
        named = _unbeaten(named, excluding, lexicon)
    return _unbeaten(named, named, lexicon) if len(named) > 1 else named


def _unbeaten(found: Sequence[Found], rivals: Sequence[Found], lexicon: Lexicon) -> list[Found]:
    """Those of ``found`` whose place none of ``rivals`` takes."""
    sets = [f.covered() for f in rivals]
    by_token: dict[int, list[int]] = {}
    for n, tokens in enumerate(sets):
        for token in tokens:
            by_token.setdefault(token, []).append(n)
    return [
        f
        for f in found
        if not any(rivals[n] is not f and _beats(rivals[n], sets[n], f, lexicon) for n in by_token.get(f.at[0], ()))
    ]


def _beats(one: Found, its: frozenset[int], other: Found, lexicon: Lexicon) -> bool:
    """Whether ``one``, which covers ``its``, takes the place of ``other``."""
    if not its.issuperset(other.at):
        return False
    same = one.name.concept == other.name.concept
    longer = len(its) > len(other.at)
    if one.name.role == EXCLUSION:
        return same
    if one.name.role == DENIAL:
        return (other.name.role == NAME and (same or longer)) or (same and longer)
    if longer:
        return True
    if other.name.role == DENIAL:
        return False
    if same:
        return (one.name.words, one.at) < (other.name.words, other.at)
    return other.name.concept in lexicon.ancestors(one.name.concept)
