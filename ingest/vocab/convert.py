"""A vocabulary's entries as concepts of a lexicon."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ingest.vocab.entry import Entry
from ingest.vocab.names import tidied
from search_stack.core.errors import AspectraError
from search_stack.language.lexicon.concepts import Concept, folded
from search_stack.language.lexicon.files import Placed, is_id


@dataclass(slots=True)
class Converted:
    """The concepts, with their lines, and what became of the other entries."""

    placed: list[Placed] = field(default_factory=list)
    merged: int = 0
    """Entries that had the id of one before."""
    shipped: int = 0
    """Concepts that are left to a shipped one of the same name."""
    nameless: int = 0
    """Concepts without a name that could be found in a note."""
    orphaned: int = 0
    """Parents that are nowhere."""

    @property
    def names(self) -> int:
        return sum(count_names(p.concept) for p in self.placed)


def count_names(concept: Concept) -> int:
    return len(concept.names) + len(concept.abbreviations)


def convert(entries: Iterable[Entry], path: Path, kind: str, shipped: Mapping[str, Concept]) -> Converted:
    """``entries`` of the file ``path`` as concepts of ``kind``, where they tell none themselves.

    A concept with the name of a shipped one is left out, and what had it as parent gets the
    shipped one instead.

    Raises:
        AspectraError: an id cannot be one; file and line are named.
    """
    out = Converted()
    by_id: dict[str, Entry] = {}
    for entry in entries:
        if not is_id(entry.id):
            raise AspectraError(
                f"{path}:{entry.line}: id: too long, or holds a blank, comma or semicolon.", "Mend the vocabulary."
            )
        before = by_id.get(entry.id)
        out.merged += before is not None
        by_id[entry.id] = _joined(before, entry) if before else entry
    own = {folded(c.name): c.id for c in shipped.values()}
    drafts: list[tuple[Placed, tuple[str, ...]]] = []
    instead: dict[str, str] = {}
    for entry in by_id.values():
        names = tidied(entry.names)
        if not names.name:
            out.nameless += 1
        elif taken := own.get(folded(names.name)):
            out.shipped += 1
            instead[entry.id] = taken
        else:
            concept = Concept(entry.id, names.name, entry.kind or kind, (), names.synonyms, names.abbreviations)
            instead[entry.id] = entry.id
            drafts.append((Placed(concept, str(path), entry.line), entry.parents))
    for draft, wanted in drafts:
        parents = dict.fromkeys(instead[p] for p in wanted if p in instead)
        out.orphaned += sum(p not in by_id for p in wanted)
        out.placed.append(_with_parents(draft, tuple(parents)))
    return out


def _joined(one: Entry, other: Entry) -> Entry:
    parents = tuple(dict.fromkeys((*one.parents, *other.parents)))
    return Entry(one.id, (*one.names, *other.names), one.line, parents, one.kind or other.kind)


def _with_parents(placed: Placed, parents: tuple[str, ...]) -> Placed:
    c = placed.concept
    whole = Concept(c.id, c.name, c.kind, parents, c.synonyms, c.abbreviations)
    return Placed(whole, placed.file, placed.line)
