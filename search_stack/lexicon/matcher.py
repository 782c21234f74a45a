"""Mentions of a lexicon's concepts in a sentence."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from search_stack.lexicon.between import WIDEST, may_stand_between
from search_stack.lexicon.concepts import Lexicon
from search_stack.lexicon.forms import Words, plain
from search_stack.lexicon.mention import Mention

_TOKEN = re.compile(r"[^\W_]+|[,;:.!?()/&+]")
_SMALL = frozenset(("of", "the", "a", "an", "in", "to", "on", "at", "for", "s"))
"""Words that are left out of names of several words."""
NAME, DENIAL, EXCLUSION = range(3)


@dataclass(frozen=True, slots=True)
class _Name:
    concept: str
    words: tuple[int, ...]
    role: int


@dataclass(frozen=True, slots=True)
class _Found:
    """A name found at the tokens ``at``, in the order of the text."""

    name: _Name
    at: tuple[int, ...]


class Matcher:
    """Finds every concept that a sentence names.

    A name of several words may stand in another order, or with words between: see
    `search_stack.lexicon.between`. Each name is kept under its rarest word, so the time is
    that of the sentence, not of the lexicon. Where one mention lies inside another the longer
    one stays, and where two concepts share a name, the more special one.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        spelt = list(_spelt(lexicon))
        self._words = Words(w for _, words, _ in spelt for w in words)
        number = self._words.number
        names = list(dict.fromkeys(_Name(c, tuple(number[w] for w in words), role) for c, words, role in spelt))
        common = Counter(w for n in names for w in set(n.words))
        self._by_word: dict[int, list[_Name]] = {}
        for n in names:
            self._by_word.setdefault(min(n.words, key=lambda w: (common[w], w)), []).append(n)
        self._abbreviations: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for c in lexicon.concepts.values():
            for short in c.abbreviations:
                if tokens := _TOKEN.findall(short):
                    self._abbreviations.setdefault(tokens[0], []).append((tuple(tokens), c.id))

    def mentions(self, text: str, begin: int, end: int) -> list[Mention]:
        """Mentions in the sentence ``text[begin:end]``, by their offsets in ``text``."""
        tokens: list[str] = []
        starts: list[int] = []
        positions: dict[int, list[int]] = {}
        short: list[_Found] = []
        for match in _TOKEN.finditer(text, begin, end):
            token = match[0]
            for word in self._words.find(token):
                positions.setdefault(word, []).append(len(tokens))
            starts.append(match.start())
            tokens.append(token)
        if not tokens:
            return []
        if self._abbreviations:
            short = list(self._short(tokens))
        found = short + [
            f for w in positions for n in self._by_word.get(w, ()) for f in _places(n, w, positions, tokens)
        ]
        return sorted(
            (_mention(f, tokens, starts) for f in self._kept(found)), key=lambda m: (m.begin, m.end, m.concept)
        )

    def _short(self, tokens: Sequence[str]) -> Iterator[_Found]:
        """Abbreviations as they are written, or with an s for several."""
        for at, token in enumerate(tokens):
            known = self._abbreviations.get(token)
            if known is None and token.endswith("s"):
                known = self._abbreviations.get(token[:-1])
            for written, concept in known or ():
                rest = tokens[at + 1 : at + len(written)]
                if tuple(rest) == written[1:]:
                    yield _Found(_Name(concept, (), NAME), tuple(range(at, at + len(written))))

    def _kept(self, found: Sequence[_Found]) -> list[_Found]:
        """What is left when exclusions have taken theirs out, and then the longer their parts."""
        excluding = [f for f in found if f.name.role == EXCLUSION]
        named = [f for f in found if f.name.role != EXCLUSION]
        return self._unbeaten(self._unbeaten(named, excluding), None)

    def _unbeaten(self, found: Sequence[_Found], others: Sequence[_Found] | None) -> list[_Found]:
        """Those of ``found`` whose place none of ``others`` takes; of themselves, where that is None."""
        rivals = found if others is None else others
        sets = [frozenset(f.at) for f in rivals]
        by_token: dict[int, list[int]] = {}
        for n, tokens in enumerate(sets):
            for token in tokens:
                by_token.setdefault(token, []).append(n)
        return [
            f
            for f in found
            if not any(
                rivals[n] is not f and self._beats(rivals[n], sets[n], f, frozenset(f.at))
                for n in by_token.get(f.at[0], ())
            )
        ]

    def _beats(self, one: _Found, its: frozenset[int], other: _Found, others: frozenset[int]) -> bool:
        """Whether ``one`` takes the place of ``other``, whose tokens are ``others``."""
        if not others <= its:
            return False
        if one.name.role == EXCLUSION:
            return one.name.concept == other.name.concept
        if one.name.role == DENIAL:
            return len(others) < len(its) and (one.name.concept == other.name.concept or other.name.role == NAME)
        if len(others) < len(its):
            return True
        if other.name.role == DENIAL:
            return False
        if one.name.concept == other.name.concept:
            return (one.name.words, one.at) < (other.name.words, other.at)
        return other.name.concept in self._lexicon.ancestors(one.name.concept)


def _spelt(lexicon: Lexicon) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Concept, words and role of every name."""
    for c in lexicon.concepts.values():
        for role, names in ((NAME, (c.name, *c.synonyms)), (DENIAL, c.denials), (EXCLUSION, c.exclusions)):
            for name in names:
                words = [plain(t) for t in _TOKEN.findall(name) if t[0].isalnum()]
                large = [w for w in words if w not in _SMALL]
                if words:
                    yield c.id, tuple(large or words), role


def _places(name: _Name, anchor: int, positions: dict[int, list[int]], tokens: Sequence[str]) -> Iterator[_Found]:
    """Where ``name`` stands: at each place of its ``anchor``, with its other words as near as they are."""
    if len(name.words) == 1:
        for place in positions[anchor]:
            yield _Found(name, (place,))
        return
    if any(w not in positions for w in name.words):
        return
    seen: set[tuple[int, ...]] = set()
    for place in positions[anchor]:
        at = _assign(name.words, anchor, place, positions)
        if at is None or at in seen:
            continue
        seen.add(at)
        # Words with nothing but small ones between stand side by side, in whatever order they are.
        if may_stand_between(at, tokens, exact=name.role != NAME):
            yield _Found(name, tuple(sorted(at)))


def _assign(words: Sequence[int], anchor: int, place: int, positions: dict[int, list[int]]) -> tuple[int, ...] | None:
    """A token for each word, the nearest to ``place`` that is free; None where one is too far away."""
    taken = {place}
    out: list[int] = []
    used = False
    reach = WIDEST + 2 * len(words)
    for n, word in enumerate(words):
        if word == anchor and not used:
            out.append(place)
            used = True
            continue
        held = positions[word]
        # Where it stands in the name says on which side to look first.
        wanted = place + (n - words.index(anchor))
        near = bisect_left(held, wanted)
        free = [p for p in held[max(0, near - 2) : near + 2] if p not in taken]
        best = min(free, key=lambda p: (abs(p - wanted), p), default=None)
        if best is None or abs(best - place) > reach:
            return None
        taken.add(best)
        out.append(best)
    return tuple(out)


def _mention(found: _Found, tokens: Sequence[str], starts: Sequence[int]) -> Mention:
    parts: list[tuple[int, int]] = []
    last = -2
    for at in sorted(found.at):
        begin, end = starts[at], starts[at] + len(tokens[at])
        if parts and at == last + 1:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((begin, end))
        last = at
    return Mention(found.name.concept, parts[0][0], parts[-1][1], tuple(parts), found.name.role == DENIAL)
