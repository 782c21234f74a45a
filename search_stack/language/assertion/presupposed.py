"""What a denial takes for granted: "not aware of the hypertension" denies the knowledge, and not the hypertension.

A name with a definite determiner presupposes that the thing is there, and a denial of something else said of it leaves
that standing (Strawson, Mind 59, 1950; Karttunen, Theoretical Linguistics 1, 1974); so does a denial of what is done
about it, and of what cannot be done without it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from search_stack.language.assertion.clauses import COMMAS, LINKS, is_stop

NAME = 3
"""Words between the determiner, or "for", and the mention, at most: "the known left renal mass"."""
BINDS = frozenset(("of", "for", "to", "with", "from", "about", "between"))
"""Between a noun and what it is bound to."""
WHY = frozenset(("given", "as", "because"))
"""Between what is not given or done and why."""
LEADS_ON = frozenset(("for", "given", "with", "of", "once", "when", "because", "after", "until", ","))
"""Between what is done and why."""
LEAVES = frozenset(("discharge", "discharged", "home", "transfer"))
"""What a doubt is about that says nothing of what stands behind a comma."""
EITHER = frozenset(("or", "vs", "versus", "v"))
"""Behind a comma they show that the doubt is about another thing too."""
UNABLE = 8
"""Words before "without" in which what cannot be done is looked for."""
SMALL = frozenset(("of", "for", "in", "to", "with", "by", "from", "on", "at", "about", "as", "over"))
SMALL |= {"a", "an", "any", "that", "it", "is", "was", "been", "were", "more", "further"}
"""Words that name nothing."""


@dataclass(frozen=True, slots=True)
class Given:
    """Tokens at which the mentions of a sentence end: those of drugs, of acts and devices, and all of them."""

    drugs: Collection[int] = ()
    acts: Collection[int] = ()
    lasts: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class Presuppositions:
    """The words of `presupposed.toml`."""

    definite: frozenset[str]
    denials: frozenset[str]
    existence: frozenset[str]
    treatment: frozenset[str]
    nouns: frozenset[str]
    managed: frozenset[str]
    unable: frozenset[str]


def read_presupposed() -> dict[str, Any]:
    """The table as it stands in the file, with its examples."""
    return tomllib.loads((files("search_stack.language.assertion") / "presupposed.toml").read_text(encoding="utf-8"))


@cache
def shipped_presuppositions() -> Presuppositions:
    raw = read_presupposed()
    return Presuppositions(**{name: frozenset(words) for name, words in raw.items()})


NOTHING = Given()


def presupposes(tokens: Sequence[str], begin: int, end: int, first: int, given: Given = NOTHING) -> bool:
    """Whether the denial at the tokens ``begin`` to ``end`` takes for granted what is named at ``first``, behind it."""
    table = shipped_presuppositions()
    denial = " ".join(tokens[begin:end])
    if denial not in table.denials:
        return False
    start = end if end - begin == 1 else begin + 1
    between = tokens[start:first]
    if denial == "without" and _is_unable(tokens, begin, table):
        return True
    if denial == "not" and "without" in between and _is_unable(tokens, end + 1, table):
        return True
    drugs = {n - start for n in given.drugs}
    if _is_definite(between, table) or _is_treated(between, denial, drugs, table):
        return True
    return _is_bound(between, table) or _is_why(between, {*drugs, *(n - start for n in given.acts)})


def _is_unable(tokens: Sequence[str], at: int, table: Presuppositions) -> bool:
    """Whether the words before ``at`` say what cannot be done."""
    for n in range(at - 1, max(-1, at - UNABLE), -1):
        if tokens[n] in COMMAS or is_stop(tokens, n):
            return False
        if tokens[n] in table.unable or " ".join(tokens[n - 1 : n + 1]) in table.unable:
            return True
    return False


def _is_definite(between: Sequence[str], table: Presuppositions) -> bool:
    """Whether a definite determiner opens the name, and what the denial denies stands before it."""
    at = next((n for n in range(len(between) - 1, -1, -1) if between[n] in table.definite), None)
    if at is None or not _is_of_name(between[at + 1 :]):
        return False
    start = max((n + 1 for n in range(at) if between[n] in COMMAS or between[n] in LINKS), default=0)
    denied = between[start:at]
    start = max((n + 1 for n, word in enumerate(denied) if word in table.existence), default=0)
    return any(word not in SMALL and word[0].isalpha() for word in denied[start:])


def _is_treated(between: Sequence[str], denial: str, drugs: Collection[int], table: Presuppositions) -> bool:
    """Whether "for" opens the name behind what would be done about it; never treated for it may be never had it."""
    at = next((n for n in range(len(between) - 1, -1, -1) if between[n] == "for"), None)
    if at is None or not _is_of_name(between[at + 1 :]):
        return False
    treatment = table.treatment - {"treated"} if denial == "never" else table.treatment
    return at - 1 in drugs or not treatment.isdisjoint(between[:at])


def _is_bound(between: Sequence[str], table: Presuppositions) -> bool:
    """Whether a noun and a preposition open the name: "no recall of seizure", "no pattern to headaches"."""
    at = next((n for n in range(len(between) - 1, -1, -1) if between[n] in BINDS), None)
    if at is None or not _is_of_name(between[at + 1 :]) or not COMMAS.isdisjoint(between[:at]):
        return False
    return not table.nouns.isdisjoint(between[:at])


def _is_why(between: Sequence[str], ended: Collection[int]) -> bool:
    """Whether the name is why a drug or an act is not given: "no metformin given CKD", "no CT as pregnant"."""
    at = next((n for n in range(len(between) - 1, 0, -1) if between[n] in WHY), None)
    return at is not None and at - 1 in ended and _is_of_name(between[at + 1 :])


def is_managed(between: Sequence[str], drugs: Collection[int]) -> bool:
    """Whether a doubt is about what is done for it: "consider admission for cellulitis".

    Args:
        between: the words between what tells the doubt, and the name.
        drugs: places among them at which the name of a drug ends.
    """
    table = shipped_presuppositions()
    at = next((n for n, word in enumerate(between) if word in LEADS_ON), len(between))
    if at == len(between):
        return False
    if between[at] == ",":  # No list of what is thought of: "considered breast milk, jaundice".
        return not (LEAVES & table.managed).isdisjoint(between[:at]) and EITHER.isdisjoint(between[at:])
    return any(0 <= n < at for n in drugs) or not table.managed.isdisjoint(between[:at])


def _is_of_name(words: Sequence[str]) -> bool:
    return len(words) <= NAME and not any(w in COMMAS or w in LINKS or w in SMALL for w in words)
