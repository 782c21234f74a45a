"""Vocabularies of others under the lexicon: one concept once, with the names and codes of all.

A concept of a vocabulary is one that is there already where its name is the other's, where two of its names
are, or where a code says so that no third has. One synonym says little ("cancer" of a neoplasm): where its
name is but a synonym of the other's, its other names stand below it. What is there keeps its id, name and
kind and gains names, codes and parents. A name that would mean two concepts stays with the one whose own
name it is, or that had it before; else nobody gets it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from search_stack.language.lexicon.concepts import Concept
from search_stack.language.lexicon.names import name_key
from search_stack.language.lexicon.phrases import phrase_words

JOINED, NEW, NAMELESS, AMBIGUOUS, LOOPS = "joined", "new", "nameless", "ambiguous", "loops"
"""What is counted: concepts that are there already, those that are not, and those all of whose names mean another
concept; names that mean two; parents left out."""
SAME = ("HP", "DOID", "DRUGBANK", "RXNORM", "MESH", "UMLS")
"""Systems whose codes say that two concepts are one, where no third has the code; those of ICD are of classes."""
_LINKING = frozenset(
    ("of", "in", "with", "without", "to", "by", "from", "for", "due", "after", "during", "at", "on", "and", "or")
)
_TURNING = _LINKING | {"complicating", "no", "not", "non", "pre", "post", "pseudo", "false", "anti"}
"""Words behind which a name no longer says what the thing is: non-diabetic, due to trauma."""
_ILLS = frozenset(("finding", "disorder", "symptom"))
_FEVER = ("fever",)
"""Valley fever and Q fever are none."""
_Key = tuple[str, ...]
_K = TypeVar("_K")


@dataclass(slots=True)
class Joined:
    """All concepts by id, the ids that those of a vocabulary have here, and what became of each vocabulary."""

    concepts: dict[str, Concept]
    aliases: dict[str, str] = field(default_factory=dict)
    counts: dict[str, Counter[str]] = field(default_factory=dict)


def joined(base: Mapping[str, Concept], vocabularies: Mapping[str, Sequence[Concept]]) -> Joined:
    """``base`` with each of ``vocabularies`` joined to it, in their order."""
    out = Joined(dict(base))
    for name, concepts in vocabularies.items():
        out.counts[name] = _Join(out, concepts).run()
    for c in base.values():
        # A row of a site's own may stand below a concept that is known by another id now.
        if any(p not in out.concepts for p in c.parents):
            at = out.concepts[c.id]
            parents = dict.fromkeys(out.aliases.get(p, p) for p in at.parents)
            out.concepts[c.id] = replace(at, parents=tuple(p for p in parents if p != c.id))
    name_key.cache_clear()
    return out


class _Join:
    """One vocabulary on its way into what is there."""

    def __init__(self, out: Joined, concepts: Sequence[Concept]) -> None:
        self._out = out
        self._new = concepts
        self._counts: Counter[str] = Counter()
        self._named: dict[_Key, set[str]] = {}
        self._known: dict[_Key, set[str]] = {}
        self._coded: dict[str, set[str]] = {}
        self._short: dict[str, set[str]] = {}
        for c in out.concepts.values():
            self._named.setdefault(name_key(c.name), set()).add(c.id)
            for name in c.names:
                self._known.setdefault(name_key(name), set()).add(c.id)
            for code in c.codes:
                self._coded.setdefault(code.casefold(), set()).add(c.id)
            for short in c.abbreviations:
                self._short.setdefault(short, set()).add(c.id)

    def run(self) -> Counter[str]:
        mine = _users(c.codes for c in self._new)
        where = {c.id: self._same(c, mine) or c.id for c in self._new}
        self._out.aliases |= where
        own = _owners((name_key(c.name), where[c.id]) for c in self._new)
        every = _owners((name_key(n), where[c.id]) for c in self._new for n in c.names)
        short = _owners((s, where[c.id]) for c in self._new for s in c.abbreviations)
        for c in self._new:
            at = where[c.id]
            names = [n for n in c.names if self._may_have(name_key(n), at, own, every)]
            shorts = [s for s in c.abbreviations if self._short.get(s, short[s]) == {at}]
            self._counts[AMBIGUOUS] += len(c.names) + len(c.abbreviations) - len(names) - len(shorts)
            self._add(c, at, names, shorts)
        for c in self._new:
            above = [self._above(c), *(self._heads(c) if where[c.id] == c.id else ())]
            self._under(where[c.id], (*c.parents, *filter(None, above)))
        return self._counts

    def _same(self, c: Concept, mine: Mapping[str, int]) -> str:
        """The id of what is there already; empty where nothing is, or nobody can tell."""
        if c.id in self._out.concepts:
            return c.id
        if len(there := self._named.get(name_key(c.name), ())) == 1:
            return next(iter(there))
        if name_key(c.name) in self._known:
            # A synonym may be narrower than what has it, unless they share two names, or all, or its own.
            keys = list(map(name_key, c.names))
            one = self._above(c)
            common = [key for key in keys if one in self._known.get(key, ())]
            called = one and name_key(self._out.concepts[one].name) in keys
            return one if called or len(common) > 1 or len(common) == len(keys) else ""
        codes = [code.casefold() for code in c.codes if code.partition(":")[0].upper() in SAME]
        shared = [self._coded[code] for code in codes if mine[code] == 1 and len(self._coded.get(code, ())) == 1]
        by_code = {i for there in shared for i in there}
        return next(iter(by_code)) if len(by_code) == 1 else ""

    def _above(self, c: Concept) -> str:
        """The one concept that has its name as a synonym; empty where none or several have."""
        there = self._known.get(name_key(c.name), set[str]())
        return next(iter(there)) if len(there) == 1 else ""

    def _heads(self, c: Concept) -> Iterator[str]:
        """What each of its names says that it is a kind of: fetal *anemia*, *contusion* of the foot.

        Else the longer name would take the place of the shorter, and nobody who asks for anemia would find it.
        """
        for words in map(phrase_words, c.names):
            begin = next((n for n in range(1, len(words)) if words[n - 1] in _TURNING), len(words))
            parts = [words[n:] for n in range(1, len(words))] if begin == len(words) else [words[: begin - 1]]
            owners = (self._named.get(tuple(sorted(part)), ()) for part in parts if part and part != _FEVER)
            there = next((there for there in owners if len(there) == 1), ())
            yield from (i for i in there if _alike(self._out.concepts[i].kind, c.kind))

    def _may_have(self, key: _Key, at: str, own: Mapping[_Key, set[str]], every: Mapping[_Key, set[str]]) -> bool:
        """Whether the name of ``key`` means the concept ``at`` and no other."""
        owners = self._known.get(key) or own.get(key) or every[key]
        return at in owners if key in self._known else owners == {at}

    def _add(self, c: Concept, at: str, names: Sequence[str], shorts: Sequence[str]) -> None:
        there = self._out.concepts.get(at)
        if there is None:
            name = next(iter(names), "")
            self._counts[NEW if name else NAMELESS] += 1
            if not name:
                return
            there = Concept(at, name, c.kind, phrases=(name,))
        else:
            self._counts[JOINED] += 1
        known = {name_key(n) for n in there.names}
        more: dict[_Key, str] = {}
        for name in names:
            if (key := name_key(name)) not in known:
                more.setdefault(key, name)
        self._out.concepts[at] = replace(
            there,
            phrases=tuple(dict.fromkeys((*there.phrases, *more.values()))),
            abbreviations=tuple(dict.fromkeys((*there.abbreviations, *shorts))),
            codes=tuple(dict.fromkeys((*there.codes, *c.codes))),
        )

    def _under(self, at: str, parents: Iterable[str]) -> None:
        """Put it below ``parents``, save where that led round in a circle."""
        if at not in self._out.concepts:
            return
        for parent in parents:
            above = self._out.aliases.get(parent, parent)
            there = self._out.concepts[at]
            if above not in self._out.concepts or self._is_above(above, at):
                continue
            if self._is_above(at, above):
                self._counts[LOOPS] += 1
            else:
                self._out.concepts[at] = replace(there, parents=(*there.parents, above))

    def _is_above(self, one: str, other: str) -> bool:
        seen: set[str] = set()
        waiting = [other]
        while waiting:
            at = waiting.pop()
            if at == one:
                return True
            if at not in seen and at in self._out.concepts:
                seen.add(at)
                waiting += self._out.concepts[at].parents
        return False


def _alike(kind: str, other: str) -> bool:
    return kind == other or {kind, other} <= _ILLS


def _owners(pairs: Iterable[tuple[_K, str]]) -> dict[_K, set[str]]:
    out: dict[_K, set[str]] = {}
    for key, id in pairs:
        out.setdefault(key, set()).add(id)
    return out


def _users(codes: Iterable[Sequence[str]]) -> Counter[str]:
    return Counter(code.casefold() for held in codes for code in held)
