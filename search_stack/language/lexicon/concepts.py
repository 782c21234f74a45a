"""What a concept is, and the lexicon: all concepts, their names and who is whose parent."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

VITAL_SIGN = "vital sign"
"""A kind whose names are mentions only beside a number that is told of them: "pulse 80", and not "pulse oximetry"."""
KINDS = ("finding", "disorder", "symptom", "procedure", "device", "drug", "anatomy", VITAL_SIGN)
CONDITIONS = frozenset(("disorder", "finding", "symptom"))
"""Kinds of what somebody has."""
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Concept:
    """One row of a lexicon file.

    ``synonyms`` are matched like the name: in any inflection, with one misspelling in a long
    word. ``abbreviations`` are matched as written, whole words only. ``exclusions`` are
    phrases in which the name does not mean the concept ("pneumothorax protocol").
    ``denials`` are phrases that say it is absent without naming it ("heart size is normal").
    ``phrases`` are names matched word for word, in one order, only case, plural and British spelling
    apart; the name itself, where it is one of them, is matched so too.
    ``codes`` are what others call it ("DOID:1612"): it is found by them, and no text is matched with them.
    """

    id: str
    name: str
    kind: str
    parents: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    exclusions: tuple[str, ...] = ()
    denials: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and its other names, each once; no abbreviations."""
        return tuple(dict.fromkeys((self.name, *self.synonyms, *self.phrases)))

    @property
    def loose(self) -> tuple[str, ...]:
        """Those of its names that are matched in any inflection and order."""
        return self.synonyms if self.name in self.phrases else (self.name, *self.synonyms)

    @property
    def labelling(self) -> tuple[object, ...]:
        """All of it that decides labels: not its codes."""
        told = (self.id, self.name, self.kind, self.parents, self.synonyms, self.abbreviations)
        return (*told, self.exclusions, self.denials, *((self.phrases,) if self.phrases else ()))


def folded(name: str) -> str:
    """The form that two spellings of one name share: lower case, words only, single spaces.

    >>> folded("X-ray,  Chest")
    'x ray chest'
    """
    return _NOT_WORD.sub(" ", name.casefold()).strip()


class Lexicon:
    """Concepts by id. Parents that no file describes are left out, and a loop of parents is harmless."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self.concepts: Mapping[str, Concept] = {c.id: c for c in concepts}
        self._by_name: dict[str, str] = {}
        self._children: dict[str, list[str]] = {}
        for c in self.concepts.values():
            for parent in c.parents:
                self._children.setdefault(parent, []).append(c.id)
            self._by_name.setdefault(folded(c.id), c.id)
        # A name before a synonym before an abbreviation, whichever concept has it.
        for names in ("name", "synonyms", "phrases", "abbreviations"):
            for c in self.concepts.values():
                found = (c.name,) if names == "name" else getattr(c, names)
                for name in found:
                    self._by_name.setdefault(folded(name), c.id)
        self._by_code: dict[str, str] = {}
        for c in self.concepts.values():
            for code in c.codes:
                self._by_code.setdefault(code.casefold(), c.id)
        self._ancestors: dict[str, frozenset[str]] = {}

    def __len__(self) -> int:
        return len(self.concepts)

    @property
    def names(self) -> Mapping[str, str]:
        """Every folded name, synonym and abbreviation, with its concept's id."""
        return self._by_name

    def find(self, name: str) -> Concept | None:
        """The concept of that id, name, synonym or abbreviation, as spelt in the lexicon, or of that code."""
        return self.concepts.get(self._by_name.get(folded(name)) or self._by_code.get(name.casefold(), name))

    def name_of(self, id: str) -> str:
        """What `find` finds it by: its name, or its id where another concept has that name too."""
        known = self.concepts[id]
        return known.name if self.find(known.name) is known else known.id

    def ancestors(self, id: str) -> frozenset[str]:
        """Ids of the concept's parents, their parents, and so on; not the concept itself."""
        if id not in self._ancestors:
            self._ancestors[id] = frozenset(self._walk(id, lambda i: self.concepts[i].parents)) - {id}
        return self._ancestors[id]

    def descendants(self, id: str) -> frozenset[str]:
        return frozenset(self._walk(id, lambda i: self._children.get(i, ()))) - {id}

    def narrower(self, id: str, name: str) -> Concept | None:
        """The concept that `find` finds by ``name``, where it is below that of ``id``."""
        found = self.find(name)
        return found if found and found.id in self.descendants(id) else None

    def kin(self, name: str) -> frozenset[str]:
        """Ids of the concept of that name and of all above and below it; none where there is no such concept."""
        concept = self.find(name)
        return self.ancestors(concept.id) | self.descendants(concept.id) | {concept.id} if concept else frozenset()

    def closure(self, ids: Iterable[str]) -> list[str]:
        """``ids`` with all their ancestors, sorted."""
        wanted = set(ids)
        return sorted(wanted.union(*(self.ancestors(i) for i in wanted if i in self.concepts)))

    @cached_property
    def fingerprints(self) -> Mapping[str, str]:
        """By id, eight hexadecimal digits that change whenever what decides the concept's labels does."""
        return {c.id: hashlib.sha256(repr(c.labelling).encode()).hexdigest()[:8] for c in self.concepts.values()}

    @cached_property
    def digest(self) -> str:
        """Changes whenever what decides any concept's labels does."""
        rows = sorted(repr(c.labelling) for c in self.concepts.values())
        return hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16]

    def _walk(self, id: str, onward: Callable[[str], Iterable[str]]) -> set[str]:
        seen: set[str] = set()
        waiting = [id]
        while waiting:
            at = waiting.pop()
            if at in seen or at not in self.concepts:
                continue
            seen.add(at)
            waiting += onward(at)
        return seen
