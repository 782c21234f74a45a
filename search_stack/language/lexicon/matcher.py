"""Mentions of a lexicon's concepts in a sentence."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from search_stack.core.uncollected import uncollected
from search_stack.language.layout import Letters, letters
from search_stack.language.lexicon.ambiguous import ambiguous, sense
from search_stack.language.lexicon.between import (
    WIDEST,
    is_phrase,
    is_shared_phrase,
    is_side_by_side,
    may_stand_between,
)
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.english import english
from search_stack.language.lexicon.forms import american, plain
from search_stack.language.lexicon.initials import LETTERS_BETWEEN, initials
from search_stack.language.lexicon.mention import Mention
from search_stack.language.lexicon.names import common_form
from search_stack.language.lexicon.overlap import DENIAL, EXCLUSION, NAME, Found, Name, kept
from search_stack.language.lexicon.phrases import Phrases, is_answered
from search_stack.language.lexicon.shorthand import beside, written_so
from search_stack.language.lexicon.words import Words

_TOKEN = re.compile(r"\b(?:[DWdw]/[DOdo]|[Ff]/[Uu])\b(?!/)|[^\W_]+(?:[\u0300-\u036f][^\W_]*)*|#s?|[,;:.!?()/&+↑↓]")
"""A word, in which accents may stand as characters of their own, or a mark; "#" may be a fracture, "d/o" a disorder,
"↓" what is low."""
_SMALL = frozenset(("of", "the", "a", "an", "in", "to", "on", "at", "for", "s"))
"""Words that are left out of names of several words."""
AS_WRITTEN = "="
"""Before an excluded word of which this form alone is meant: "=infiltrated" leaves infiltrates."""
_AND = frozenset(("and", "&"))
_LIKE = "-like"
_LOW = frozenset(("low", "Low", "LOW"))
_LINE = re.compile(r"\n")
_NORMAL = re.compile(r"[- ]normal\b", re.IGNORECASE)
"""Behind "low" it says that a value is normal."""
_CALLED_AFTER = frozenset(
    ("clinic", "clinics", "unit", "units", "ward", "wards", "team", "teams", "service", "services", "nurse", "nurses")
) | {
    "mimic",
    "mimics",
    "foundation",
    "society",
    "registry",
    "educator",
    "helpline",
    "hotline",
    "specialist",
    "specialists",
}
"""Behind the name of a disorder: places, services and people that are called after it, and what only looks like it."""
_TITLES = frozenset(("Dr", "Drs", "DR", "Doctor", "Prof", "Professor", "Mr", "Mrs", "Ms", "Miss"))
"""As they are written: "MR" and "MS" are diseases as well."""
SHORTEST_PLURAL = 2
"""Letters of an abbreviation that may take an s: "PEs", but "As" is no plural of "A"."""
SHORTEST_CASED = 3
"""Letters of an abbreviation that may stand in letters of another case."""
_LABEL = re.compile(r"\s*[^\W\d_]+\s?:")
_Short: TypeAlias = tuple[tuple[str, ...], str, tuple[str, ...]]
"""An abbreviation as a note writes it, its concept, and as the lexicon writes it."""


class Matcher:
    """Finds every concept that a sentence names.

    A name of several words may stand in another order, or with words between: see
    `search_stack.language.lexicon.between`; a phrase stands as it is: `phrases`. Each name is kept under its
    rarest word, so the time is that of the sentence, not of the lexicon. Where one mention lies inside another
    the longer one stays, and where two concepts share a name, the more special one.
    """

    @uncollected()
    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        spelt = list(_spelt(lexicon))
        self._words = Words(w for _, words, *_ in spelt for w in words)
        number = self._words.number
        self._named = _named(spelt, number)
        names = list(self._named)
        self._joined = frozenset(
            Name(c, tuple(number[w] for w in words), role)
            for c, words, role, name in spelt
            if not _AND.isdisjoint(name.split())
        )
        common = Counter(w for n in names for w in set(n.words))
        self._by_word: dict[int, list[tuple[Name, frozenset[int]]]] = {}
        for n in names:
            rarest = min(n.words, key=lambda w: (common[w], w))
            self._by_word.setdefault(rarest, []).append((n, frozenset(n.words)))
        self._never = frozenset(
            (c.id, x[1:].strip().lower())
            for c in lexicon.concepts.values()
            for x in c.exclusions
            if x.startswith(AS_WRITTEN)
        )
        self._ambiguous = ambiguous()
        self._shorthand = {
            form: (row, tuple(dict.fromkeys(n for w in row.words for n in self._words.find(w))))
            for form, row in written_so().items()
        }
        self._phrases = Phrases(lexicon.concepts.values())
        self._abbreviations: dict[str, list[_Short]] = {}
        for c in lexicon.concepts.values():
            for short in c.abbreviations:
                tokens = _TOKEN.findall(short)
                if tokens and tokens[0][0].isalnum():
                    self._abbreviations.setdefault(tokens[0], []).append((tuple(tokens), c.id, tuple(tokens)))
        self._by_letters: dict[Letters, dict[str, list[_Short]]] = {
            "both": self._abbreviations,
            "small": _in_letters(self._abbreviations, str.lower),
            "capital": _in_letters(self._abbreviations, str.upper),
        }

    @staticmethod
    @lru_cache(maxsize=2)
    def of(lexicon: Lexicon) -> Matcher:
        """One for each lexicon, whoever reads by it: it takes most of a second and much memory, and does not change."""
        return Matcher(lexicon)

    @property
    def vocabulary(self) -> Sequence[str]:
        """Every word of a name that is matched in any inflection."""
        return self._words.spelt

    @property
    def headings(self) -> AbstractSet[str]:
        """What names something together with the answer behind its colon: "anesthesia"."""
        return self._phrases.headings

    @property
    def words(self) -> frozenset[str]:
        """Every word of a name, be it a phrase."""
        return frozenset(self._phrases.words).union(self._words.spelt)

    def knows(self, word: str) -> str:
        """How it is known: "right" as a form of a name's word or an abbreviation, "near" with a slip; or empty."""
        if word in self._abbreviations or (word[-1:] == "s" and word[:-1] in self._abbreviations):
            return "right"
        if self._phrases.holds(word):
            return "right"
        if word.lower() in self._shorthand:
            return "right"
        if not self._words.find(word):
            return ""
        return "right" if self._words.right(word) else "near"

    def mentions(self, text: str, begin: int, end: int, asked: bool = False) -> list[Mention]:
        """Mentions in the sentence ``text[begin:end]``, or in the question, by their offsets in ``text``."""
        tokens: list[str] = []
        starts: list[int] = []
        positions: dict[int, list[int]] = {}
        short: list[Found] = []
        bound: set[int] = set()
        for match in _TOKEN.finditer(text, begin, end):
            token = match[0]
            normal = token in _LOW and _NORMAL.match(text, match.end(), end)
            for word in () if normal else self._words.find(token):
                positions.setdefault(word, []).append(len(tokens))
            row, meant = self._shorthand.get(token.lower(), (None, ()))
            if row is not None and row.holds(text, match.end()):
                for word in meant:
                    if len(tokens) not in positions.get(word, ()):
                        positions.setdefault(word, []).append(len(tokens))
                if not row.alone:
                    bound.add(len(tokens))
            starts.append(match.start())
            tokens.append(token)
        if not tokens:
            return []
        lines = frozenset(bisect_left(starts, m.end()) for m in _LINE.finditer(text, begin, end))
        if self._abbreviations:
            cased: Letters = "both" if asked else letters(text)
            labelled = cased != "both" and _LABEL.match(text, begin, end) is not None
            short = list(self._short(tokens, self._by_letters[cased], "S" if cased == "capital" else "s", labelled))
        if not asked:
            short += self._told_apart(text, begin, end, tokens, starts)
        if not LETTERS_BETWEEN.isdisjoint(tokens):
            short += self._by_initials(text, begin, end, tokens, starts)
        found = [*dict.fromkeys((*short, *self._phrases.find(tokens)))] + [
            f
            for w in positions
            for n, words in self._by_word.get(w, ())
            if positions.keys() >= words
            for f in self._places(n, w, positions, tokens, bound, lines)
            if len(f.at) > 1 or (n.concept, tokens[f.at[0]].lower()) not in self._never
        ]
        found = [f for f in found if not _is_person(tokens, f.at[0])]
        if _LIKE in text[begin:end].lower():
            found = [f for f in found if not _is_likened(text, starts[f.at[-1]] + len(tokens[f.at[-1]]))]
        if asked:
            found = [f for f in found if not self._is_where(tokens, f)]
        begun: dict[tuple[str, int], list[Found]] = {}
        for f in found:
            if f.name.role == NAME:
                begun.setdefault((f.name.concept, f.at[0]), []).append(f)
        return sorted(
            (_mention(f, tokens, starts, _names_inside(f, begun, tokens)) for f in kept(found, self._lexicon, asked)),
            key=lambda m: (m.begin, m.end, m.concept),
        )

    def _is_where(self, tokens: Sequence[str], found: Found) -> bool:
        """Whether it tells apart a place or a service, which nobody has to have the disorder for: "diabetes clinic"."""
        after = found.at[-1] + 1
        if after >= len(tokens) or tokens[after].lower() not in _CALLED_AFTER:
            return False
        return self._lexicon.concepts[found.name.concept].kind in ("disorder", "finding", "symptom")

    def _short(
        self, tokens: Sequence[str], abbreviations: Mapping[str, Sequence[_Short]], several: str, labelled: bool
    ) -> Iterator[Found]:
        """Abbreviations as they are written, or with an s for ``several``; ``labelled``: the first word is a label, and
        none of those in small letters: "ALLERGIES: none"."""
        for at, token in enumerate(tokens):
            known = abbreviations.get(token)
            if known is None and token[-1] == several and len(token) > SHORTEST_PLURAL:
                is_word = several == "S" and token.lower() in english()
                known = None if is_word else abbreviations.get(token[:-1])
            for written, concept, own in known or ():
                said = tokens[at : at + len(written)]
                if said[-1] not in (written[-1], written[-1] + several) or (labelled and not at and own[0].islower()):
                    continue
                if len(written) == 1 or tuple(said[:-1]) == written[:-1]:
                    name = (common_form(" ".join(own)),)
                    marks = frozenset(n for n, word in enumerate(said[1:], at + 1) if not word[0].isalnum())
                    yield Found(Name(concept, (), NAME), tuple(range(at, at + len(said))), names=name, marks=marks)

    def _told_apart(
        self, text: str, begin: int, end: int, tokens: Sequence[str], starts: Sequence[int]
    ) -> Iterator[Found]:
        """Abbreviations of several meanings, where the note tells which; one of the lexicon's own is that."""
        cased = letters(text)
        for at, token in enumerate(tokens):
            if cased != "both" and token not in self._ambiguous and len(token) >= SHORTEST_CASED:
                token = _in_other_letters(token, cased)
            if token in self._ambiguous and not self._is_abbreviation(token):
                concept = sense(self._ambiguous[token], text, begin, end, starts[at])
                if concept is not None and concept in self._lexicon.concepts:
                    yield Found(Name(concept, (), NAME), (at,), names=(common_form(token),))

    def _by_initials(
        self, text: str, begin: int, end: int, tokens: Sequence[str], starts: Sequence[int]
    ) -> Iterator[Found]:
        for row in initials():
            for first, last, concepts in row.found(text, begin, end):
                at = tuple(range(bisect_left(starts, first), bisect_left(starts, last)))
                marks = frozenset(n for n in at if tokens[n] in LETTERS_BETWEEN)
                for concept in concepts:
                    if concept in self._lexicon.concepts:
                        name = (common_form(text[first:last]),)
                        yield Found(Name(concept, (), DENIAL if row.denies else NAME), at, names=name, marks=marks)

    def _is_abbreviation(self, token: str) -> bool:
        """Whether it is one by itself: what begins "PT/INR" is not."""
        return any(len(tokens) == 1 for tokens, *_ in self._abbreviations.get(token, ()))

    def _places(
        self,
        name: Name,
        anchor: int,
        positions: dict[int, list[int]],
        tokens: Sequence[str],
        bound: AbstractSet[int],
        lines: AbstractSet[int],
    ) -> Iterator[Found]:
        """Where ``name`` stands, whose words all do: at each place of its ``anchor``, the others as near as can be;
        what stands for a word at a place in ``bound`` needs them right beside it; over the end of a line they stand in
        their order, ``lines`` being the first tokens of lines."""
        if len(name.words) == 1:
            for place in positions[anchor]:
                if place in bound or (name.role == NAME and self._is_everyday(name, tokens[place].lower())):
                    continue
                yield Found(name, (place,), names=self._named[name])
            return
        seen: set[tuple[int, ...]] = set()
        for place in positions[anchor]:
            at = _assign(name.words, anchor, place, positions)
            if at is None or at in seen:
                continue
            seen.add(at)
            if at[0] != min(at) and _is_wrapped(at, lines):
                continue
            if not bound.isdisjoint(at):
                # "# Depression" is a problem, and no depression fracture.
                belongs = name.role == NAME and _is_right_beside(at, tokens)
            else:
                belongs = self._belong(name, at, tokens)
            if belongs:
                yield Found(name, tuple(sorted(at)), is_side_by_side(at, tokens), self._named[name])

    def _is_everyday(self, name: Name, written: str) -> bool:
        """Whether an English word only resembles the name, which is that word alone: "messages" are no misspelt
        massages, and who acted took no Actos, since a drug has but a plural."""
        word = self._words.spelt[name.words[0]]
        plurals = (word, f"{word}s", f"{word}es", word.removesuffix("s"))
        if american(plain(written)) in plurals or written not in english():
            return False
        return self._lexicon.concepts[name.concept].kind == "drug" or not self._words.right(written)

    def _belong(self, name: Name, at: Sequence[int], tokens: Sequence[str]) -> bool:
        if name.role == NAME:
            return may_stand_between(at, tokens, [self._words.spelt[w] for w in name.words])
        between = (token.lower() for token in tokens[min(at) : max(at)])
        if name.role == EXCLUSION and name not in self._joined and not _AND.isdisjoint(between):
            return False  # "Fever and neutropenia" is a fever, and more than "febrile neutropenia".
        return is_phrase(at, tokens) or (name.role == DENIAL and is_shared_phrase(at, tokens))


def _in_other_letters(token: str, cased: Letters) -> str:
    """As a note of both cases would have it that is typed in ``cased`` ones."""
    if cased == "capital":
        return token.lower()
    return token if token in english() else token.upper()


def _in_letters(abbreviations: Mapping[str, Sequence[_Short]], cased: Callable[[str], str]) -> dict[str, list[_Short]]:
    """``abbreviations``, and those that a note writes so whose letters are all of one case: "ekg", "RBCS".

    Not what an English word is spelt like: in a note of small letters "bun" and "all" are those words. In capitals a
    word stays what it is in small ones.
    """
    known = [one for ones in abbreviations.values() for one in ones]
    out = {first: list(ones) for first, ones in abbreviations.items()}
    taken = {written for written, *_ in known}
    for own, concept, _ in known:
        written = tuple(map(cased, own))
        short = sum(map(len, own)) < SHORTEST_CASED
        is_word = len(own) == 1 and not own[0].islower() and own[0].lower() in english()
        if written not in taken and not short and not is_word:
            out.setdefault(written[0], []).append((written, concept, own))
    return out


def _spelt(lexicon: Lexicon) -> Iterator[tuple[str, tuple[str, ...], int, str]]:
    """Concept, words and role of every name, and the name."""
    for c in lexicon.concepts.values():
        for role, names in ((NAME, c.loose), (DENIAL, c.denials), (EXCLUSION, c.exclusions)):
            for name in names:
                if name.startswith(AS_WRITTEN) or (role == DENIAL and is_answered(name)):
                    continue
                words = [plain(t) for t in _TOKEN.findall(name) if t[0].isalnum()]
                large = [w for w in words if w not in _SMALL]
                if words:
                    yield c.id, tuple(large or words), role, name


def _named(
    spelt: Sequence[tuple[str, tuple[str, ...], int, str]], number: Mapping[str, int]
) -> dict[Name, tuple[str, ...]]:
    """What the names of the same words are called, in one order: "pain in the back" and "back pain" are two."""
    out: dict[Name, tuple[str, ...]] = {}
    for concept, words, role, name in spelt:
        one = Name(concept, tuple(number[w] for w in words), role)
        known = out.setdefault(one, ())
        if role == NAME and (form := common_form(name)) not in known:
            out[one] = (*known, form)
    return out


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


def _is_likened(text: str, end: int) -> bool:
    """Whether what is named is only what something looks like: "lupus-like rash"."""
    return text[end : end + len(_LIKE)].lower() == _LIKE and not text[end + len(_LIKE) : end + len(_LIKE) + 1].isalnum()


def _is_wrapped(at: Sequence[int], lines: AbstractSet[int]) -> bool:
    """Whether another line begins among the tokens ``at``, the first of them no line's own beginning: "seen on
    MRI\\nCardiac device none" is no cardiac MRI, "ANESTHESIA\\nGeneral" is general anesthesia."""
    first = min(at)
    return first > 0 and first not in lines and not lines.isdisjoint(range(first + 1, max(at) + 1))


def _is_right_beside(at: Sequence[int], tokens: Sequence[str]) -> bool:
    """Whether nothing but what may stand beside a shorthand stands between the tokens ``at``."""
    between = (t for a, b in pairwise(sorted(at)) for t in tokens[a + 1 : b])
    return len(at) > 1 and beside().issuperset(t.lower() for t in between)


def _is_person(tokens: Sequence[str], at: int) -> bool:
    """Whether a surname begins there, behind a title and perhaps an initial: "Dr. Murphy's", "Mr. J. Crohn"."""
    if not tokens[at][0].isupper():
        return False
    before = [t for t in tokens[max(0, at - 4) : at] if t != "."]
    if len(before) > 1 and len(before[-1]) == 1 and before[-1].isupper():
        before.pop()
    return bool(before) and before[-1] in _TITLES


def _names_inside(
    found: Found, begun: Mapping[tuple[str, int], Sequence[Found]], tokens: Sequence[str]
) -> tuple[str, ...]:
    """What its concept is called there, by shorter names too: without the longer one they would stand there.

    Of names for the same words the one that is so spelt: "diabetic" is no "diabetes" where both are names.

    Args:
        begun: the names that were found, by their concept and first token: a note may hold any number.
    """
    if found.name.role != NAME:
        return ()
    at_place: dict[tuple[int, ...], dict[str, None]] = {}
    own = frozenset(found.at)
    for o in (o for token in found.at for o in begun.get((found.name.concept, token), ())):
        if own.issuperset(o.at):
            at_place.setdefault(o.at, {}).update(dict.fromkeys(o.names))
    out: dict[str, None] = {}
    for at, names in at_place.items():
        spelt = common_form(" ".join(tokens[n] for n in at)) if len(names) > 1 else ""
        out |= {spelt: None} if spelt in names else names
    return tuple(sorted(out))


def _mention(found: Found, tokens: Sequence[str], starts: Sequence[int], names: tuple[str, ...]) -> Mention:
    parts: list[tuple[int, int]] = []
    last = -2
    for at in sorted(found.at):
        begin, end = starts[at], starts[at] + len(tokens[at])
        if parts and at == last + 1:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((begin, end))
        last = at
    denies = found.name.role == DENIAL
    return Mention(found.name.concept, parts[0][0], parts[-1][1], tuple(parts), denies, names=names)
