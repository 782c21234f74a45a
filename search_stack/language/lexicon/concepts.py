"""What a concept is, and the lexicon: all concepts, their names and who is whose parent."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass
from functools import cached_property

KINDS = ("finding", "disorder", "symptom", "procedure", "device", "drug", "anatomy")
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Concept:
    """One row of a lexicon file.

    ``synonyms`` are matched like the name: in any inflection, with one misspelling in a long
    word. ``abbreviations`` are matched as written, whole words only. ``exclusions`` are
    phrases in which the name does not mean the concept ("pneumothorax protocol").
    ``denials`` are phrases that say it is absent without naming it ("heart size is normal").
    """

    id: str
    name: str
    kind: str
    parents: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    exclusions: tuple[str, ...] = ()
    denials: tuple[str, ...] = ()


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
        for names in ("name", "synonyms", "abbreviations"):
            for c in self.concepts.values():
                found = (c.name,) if names == "name" else getattr(c, names)
                for name in found:
                    self._by_name.setdefault(folded(name), c.id)
        self._ancestors: dict[str, frozenset[str]] = {}

    def __len__(self) -> int:
        return len(self.concepts)

    @property
    def names(self) -> Mapping[str, str]:
        """Every folded name, synonym and abbreviation, with its concept's id."""
        return self._by_name

    def find(self, name: str) -> Concept | None:
        """The concept of that id, name, synonym or abbreviation, as spelt in the lexicon."""
        return self.concepts.get(self._by_name.get(folded(name), name))

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
        """By id, eight hexadecimal digits that change whenever the concept does."""
        return {c.id: hashlib.sha256(repr(astuple(c)).encode()).hexdigest()[:8] for c in self.concepts.values()}

    @cached_property
    def digest(self) -> str:
        """Changes whenever any concept does."""
        rows = sorted(map(repr, map(astuple, self.concepts.values())))
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
