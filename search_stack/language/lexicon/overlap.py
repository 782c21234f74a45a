"""Which of several names found at the same words stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from search_stack.language.lexicon.concepts import Lexicon

NAME, DENIAL, EXCLUSION = range(3)
SAID_OF_PATIENTS = frozenset(("finding", "disorder", "symptom"))
"""Kinds of concepts that stand beside each other as they are; see `_uncrossed`."""


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
    side_by_side: bool = False
    """See `search_stack.language.lexicon.between.is_side_by_side`."""
    names: tuple[str, ...] = field(default=(), compare=False)
    """See `search_stack.core.schema.Finding`."""
    marks: frozenset[int] = field(default=frozenset(), compare=False)
    """Those of its tokens that are no words: "V/Q". Names of words have none."""

    def covered(self) -> frozenset[int]:
        """The tokens it may take from others: an exclusion also takes those between its own."""
        at = self.at
        return frozenset(range(at[0], at[-1] + 1) if self.name.role == EXCLUSION else at) - self.marks


def kept(found: Sequence[Found], lexicon: Lexicon, asked: bool = False) -> list[Found]:
    """What is left when exclusions have taken theirs out, and then the longer their parts.

    Args:
        asked: in a question, which lists things without commas, what is made of words of others goes.
    """
    excluding = [f for f in found if f.name.role == EXCLUSION]
    named = [f for f in found if f.name.role != EXCLUSION]
    if excluding:
        named = _unbeaten(named, excluding, lexicon)
    denials: dict[int, list[Found]] = {}
    for denial in named:
        if denial.name.role == DENIAL:
            for token in denial.at:
                denials.setdefault(token, []).append(denial)
    if denials:
        named = [f for f in named if not any(_is_drawn_over(f, d) for token in f.at for d in denials.get(token, ()))]
    if asked and any(f.side_by_side for f in named):
        named = _uncrossed(named, lexicon)
    return _unbeaten(named, named, lexicon) if len(named) > 1 else named


def _is_drawn_over(one: Found, denial: Found) -> bool:
    """Whether a name, which shares words with a denial of the same, has others of it between its own: "current
    non-smoker" is no current smoker."""
    return (
        one.name.role == NAME
        and one.name.concept == denial.name.concept
        and one.at[0] < denial.at[0] <= denial.at[-1] <= one.at[-1]
        and not set(one.at).issuperset(denial.at)
    )


def _uncrossed(found: Sequence[Found], lexicon: Lexicon) -> list[Found]:
    """Those of ``found`` that are not made of words of others beside each other.

    In "knee replacement septic arthritis" nobody says arthritis of the knee, in "bone pain cancer" no cancer of the
    bone. A step names last what it is done to: "breast cancer screening" is a screening of the breast.
    """
    others = [f for f in found if f.name.role == NAME and not f.side_by_side]
    whole = [set(f.at) for f in others if len(f.at) == f.at[-1] - f.at[0] + 1]
    return [f for f in found if not (f.side_by_side and _crossed(set(f.at), f, whole, lexicon))]


def _crossed(own: set[int], found: Found, whole: Sequence[set[int]], lexicon: Lexicon) -> bool:
    if found.name.role != NAME or lexicon.concepts[found.name.concept].kind not in SAID_OF_PATIENTS:
        return False
    last = max(own)
    for one in whole:
        if len(one) < 2 or own.isdisjoint(one) or own.issuperset(one) or one.issuperset(own):
            continue
        rest = own - one
        if any(
            rest <= other and one.isdisjoint(other) and (len(other) > 1 or other == {last} == rest) for other in whole
        ):
            return True
    return False


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
    own = other.at if not other.marks else other.covered()
    if not its.issuperset(own):
        return False
    same = one.name.concept == other.name.concept
    longer = len(its) > len(own)
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
