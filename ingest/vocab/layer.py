"""A vocabulary's entries as the rows that are put under the lexicon."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ingest.vocab.entry import Entry, Left
from ingest.vocab.names import DATA, Names, is_rest, tidied
from ingest.vocab.sense import is_sure, is_sure_short
from search_stack.language.lexicon.concepts import Concept, folded
from search_stack.language.lexicon.files import is_id
from search_stack.language.lexicon.names import name_key

NAMELESS = "entries without a name that a note could hold"
REST = 'names of codes ("other", "unspecified")'
EVERYDAY = "names that are everyday words or short"
LESS = "synonyms that are broader than the name"
LONG = "names of too many words"
GROUPS = tuple(DATA["groups"])
"""Begin the names of what a vocabulary puts others under."""
_GROWTHS, _CANCERS = (frozenset(DATA[kind]) for kind in ("growths", "cancers"))
MOST_WORDS = 7
"""Words of a name beyond which no note writes it so."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What of a vocabulary is taken: ``below`` a root, and the kind of what is below each of ``kinds``."""

    kind: str
    below: str = ""
    kinds: Mapping[str, str] = field(default_factory=dict)


def layer(entries: Iterable[Entry], shape: Shape, known: Collection[tuple[str, ...]], left: Left) -> list[Concept]:
    """The concepts of ``entries``, each name once. Those without one are left out, and what is below them goes below
    what is above them.

    Args:
        known: keys of the names that the lexicon matches already; an everyday word among them stays.
        left: gets how many of what were left out.
    """
    by_id: dict[str, Entry] = {}
    for entry in entries:
        if is_id(entry.id):
            by_id.setdefault(entry.id, entry)
    above = _ancestors(by_id)
    first: dict[tuple[str, ...], str] = {}
    at: dict[str, str] = {}
    drafts: dict[str, tuple[Names, Entry]] = {}
    codes: dict[str, list[str]] = {}
    for entry in by_id.values():
        if shape.below and shape.below not in above(entry.id):
            continue
        names = _matched(entry, known, left)
        if not names.name:
            left[NAMELESS] += 1
            continue
        same = first.setdefault(name_key(names.name), entry.id)
        at[entry.id] = same
        codes.setdefault(same, []).extend((*own_code(entry), *entry.codes))
        if same == entry.id:
            drafts[same] = (names, entry)
        else:
            drafts[same] = (_both(drafts[same][0], names), drafts[same][1])
    parents = _lifted(by_id, at)
    return [
        Concept(
            id,
            names.name,
            _kind(entry, shape, above),
            tuple(p for p in parents(id) if p != id),
            (),
            names.abbreviations,
            phrases=(names.name, *names.synonyms),
            codes=tuple(dict.fromkeys(c for c in codes[id] if is_id(c))),
        )
        for id, (names, entry) in drafts.items()
    ]


def matched(concepts: Iterable[Concept]) -> frozenset[tuple[str, ...]]:
    """Keys of all names that ``concepts`` are matched by."""
    return frozenset(name_key(name) for c in concepts for name in c.names)


def own_code(entry: Entry) -> tuple[str, ...]:
    """Its id, unless that is only made up from a code: "ICD10CM:K64.4-1"."""
    return () if entry.id.rpartition("-")[0] in entry.codes or entry.id.startswith("drug:") else (entry.id,)


def _matched(entry: Entry, known: Collection[tuple[str, ...]], left: Left) -> Names:
    """The names of ``entry`` that are to be matched."""
    found = tidied(entry.names)
    names: list[str] = []
    for name in (found.name, *found.synonyms):
        if not name:
            continue
        if is_rest(name) or name.lower().startswith(GROUPS):
            left[REST] += 1
        elif len(name.split()) > MOST_WORDS:
            left[LONG] += 1
        elif name_key(name) in known or is_sure(name):
            names.append(name)
        else:
            left[EVERYDAY] += 1
    short = tuple(s for s in found.abbreviations if is_sure_short(s))
    left[EVERYDAY] += len(found.abbreviations) - len(short)
    if not names:
        return Names("", (), ())
    kept = tuple(n for n in names[1:] if not says_less(n, names[0]))
    left[LESS] += len(names) - 1 - len(kept)
    return Names(names[0], kept, short)


def says_less(synonym: str, name: str) -> bool:
    """Whether it names more than ``name``: a part of its words, or any growth for a malignant one.

    >>> says_less("effusion", "pleural effusion"), says_less("uterine tumor", "uterine cancer")
    (True, True)
    """
    one, whole = set(name_key(synonym)), set(name_key(name))
    return whole > one or (not _GROWTHS.isdisjoint(one) and not _CANCERS.isdisjoint(whole) and _CANCERS.isdisjoint(one))


def _both(one: Names, other: Names) -> Names:
    held = {folded(n): n for n in (one.name, *one.synonyms)}
    for name in other.synonyms:
        held.setdefault(folded(name), name)
    return Names(one.name, tuple(held.values())[1:], tuple(dict.fromkeys((*one.abbreviations, *other.abbreviations))))


def _ancestors(by_id: Mapping[str, Entry]) -> Callable[[str], Sequence[str]]:
    """For an id: itself, its parents, theirs and so on, the nearest first."""

    def above(id: str) -> Sequence[str]:
        seen: dict[str, None] = {id: None}
        waiting = [id]
        for at in waiting:
            for parent in by_id[at].parents if at in by_id else ():
                if parent not in seen:
                    seen[parent] = None
                    waiting.append(parent)
        return list(seen)

    return above


def _lifted(by_id: Mapping[str, Entry], at: Mapping[str, str]) -> Callable[[str], tuple[str, ...]]:
    """For an id: its parents that were kept, and for each that was not, that one's."""

    def parents(id: str) -> tuple[str, ...]:
        out: dict[str, None] = {}
        seen: set[str] = set()
        waiting = list(by_id[id].parents)
        for parent in waiting:
            if parent in seen or parent not in by_id:
                continue
            seen.add(parent)
            if parent in at:
                out[at[parent]] = None
            else:
                waiting += by_id[parent].parents
        return tuple(out)

    return parents


def _kind(entry: Entry, shape: Shape, above: Callable[[str], Sequence[str]]) -> str:
    if entry.kind:
        return entry.kind
    return next((shape.kinds[a] for a in above(entry.id) if a in shape.kinds), shape.kind)
