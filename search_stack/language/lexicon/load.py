"""All lexicon files together: those that are shipped, the user's own, and vocabularies of others under them."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.resources import files
from pathlib import Path

from search_stack.core.uncollected import uncollected
from search_stack.language.lexicon.concepts import Concept, Lexicon, folded
from search_stack.language.lexicon.files import SEPARATOR, Placed, parse_lexicon, read_lexicon, read_placed, refuse
from search_stack.language.lexicon.joining import Joined, joined
from search_stack.language.lexicon.services import FILE as SERVICES
from search_stack.language.lexicon.services import service_concepts

FURTHER = ("lay.csv", "ward.csv")
"""Beside the shipped files: what patients and wards call a concept, by its id, in the columns of such a file."""
VOCABULARIES = "vocabularies"
"""The folder, inside that of the lexicon files, of what `vocab add` puts there."""


@uncollected()
def load_lexicon(folder: Path | None) -> Lexicon:
    """The shipped concepts, those of every ``*.csv`` in ``folder``, and the vocabularies joined to them.

    A concept in ``folder`` replaces a shipped one of the same id.

    Raises:
        LexiconError: a file cannot be used, two files of ``folder`` hold the same id, a parent
            is in no file, or a concept is its own ancestor; the message names file, line and column.
    """
    own = [p for path in own_files(folder) for p in read_placed(path)]
    found = vocabularies(folder)
    return Lexicon(with_vocabularies(own, found).concepts.values()) if own or found else _alone()


@cache
def _alone() -> Lexicon:
    """The shipped concepts: always the same, so made once in a process."""
    return Lexicon(with_vocabularies((), {}).concepts.values())


def with_vocabularies(own: Iterable[Placed], found: Mapping[str, Sequence[Concept]]) -> Joined:
    """All concepts: the shipped ones, ``own`` over them, and ``found`` joined to them.

    Raises:
        LexiconError: as for `load_lexicon`.
    """
    together = merged(shipped(), own, frozenset(c.id for concepts in found.values() for c in concepts))
    return joined({p.concept.id: p.concept for p in together.values()}, found)


def own_files(folder: Path | None) -> list[Path]:
    return sorted(folder.glob("*.csv")) if folder and folder.is_dir() else []


def vocabularies(folder: Path | None, but: str = "") -> dict[str, list[Concept]]:
    """The concepts of each vocabulary that was added ``but`` one, by its name and in the order of the names."""
    files = own_files(folder / VOCABULARIES if folder else None)
    return {path.stem: read_lexicon(path) for path in files if path.stem != but}


@cache
def shipped() -> tuple[Placed, ...]:
    """The concepts that come with Aspectra."""
    here = files("search_stack.language.lexicon") / "data"
    found = sorted((f for f in here.iterdir() if f.name.endswith(".csv")), key=lambda f: f.name)
    placed = [p for f in found for p in parse_lexicon(f.read_bytes(), f"the shipped {f.name}")]
    placed += [Placed(c, f"the shipped {SERVICES}", 0) for c in service_concepts()]
    refuse(_twice(placed))
    further = further_names()
    return tuple(replace(p, concept=_called(p.concept, further.get(p.concept.id, ()))) for p in placed)


Further = Mapping[str, tuple[str, ...]]
"""Further names of a concept, by their column."""


def further_names() -> Mapping[str, Sequence[Further]]:
    """By concept, its names in each of `FURTHER`."""
    out: dict[str, list[Further]] = {}
    for name in FURTHER:
        text = (files("search_stack.language.lexicon") / name).read_text(encoding="utf-8")
        for row in csv.DictReader(text.splitlines()):
            cells = {column: tuple(cell.split(SEPARATOR)) for column, cell in row.items() if column != "id" and cell}
            out.setdefault(row["id"], []).append(cells)
    return out


def _called(concept: Concept, further: Iterable[Further]) -> Concept:
    """The concept with further names."""
    for names in further:
        concept = replace(
            concept,
            synonyms=(*concept.synonyms, *names.get("synonyms", ())),
            abbreviations=(*concept.abbreviations, *names.get("abbreviations", ())),
            phrases=(*concept.phrases, *names.get("phrases", ())),
        )
    return concept


def merged(
    base: Iterable[Placed], own: Iterable[Placed], elsewhere: Collection[str] = frozenset()
) -> Mapping[str, Placed]:
    """``own`` over ``base``, by id, checked as a whole; parents may also be of ``elsewhere``, and be called by a name,
    so that a concept that went into another is still found."""
    own = list(own)
    together = {p.concept.id: p for p in (*base, *own)}
    together = _by_ids(together, elsewhere)
    refuse([*_twice(own), *_unknown_parents(together, elsewhere), *_loops(together)])
    return together


def _by_ids(together: Mapping[str, Placed], elsewhere: Collection[str]) -> dict[str, Placed]:
    """``together`` with the id of every parent that is called by another name."""
    known = together.keys() | frozenset(elsewhere)
    called = cache(lambda: {folded(name): id for id, p in together.items() for name in p.concept.names})

    def told(placed: Placed) -> Placed:
        if known.issuperset(placed.concept.parents):
            return placed
        parents = (p if p in known else called().get(folded(p), p) for p in placed.concept.parents)
        return replace(placed, concept=replace(placed.concept, parents=tuple(dict.fromkeys(parents))))

    return {id: told(p) for id, p in together.items()}


def _twice(placed: Iterable[Placed]) -> list[str]:
    seen: dict[str, Placed] = {}
    out = []
    for p in placed:
        if before := seen.get(p.concept.id):
            out.append(p.problem("id", f"{p.concept.id} is in {before.file}:{before.line} too"))
        seen[p.concept.id] = p
    return out


def _unknown_parents(together: Mapping[str, Placed], elsewhere: Collection[str]) -> list[str]:
    return [
        p.problem("parents", f'there is no concept "{parent}"')
        for p in together.values()
        for parent in p.concept.parents
        if parent not in together and parent not in elsewhere
    ]


def _loops(together: Mapping[str, Placed]) -> list[str]:
    """Every loop of parents that is left when those before it are cut open."""
    parents = {i: set(p.concept.parents) & together.keys() for i, p in together.items()}
    out = []
    while True:
        try:
            TopologicalSorter(parents).prepare()
        except CycleError as e:
            loop: list[str] = e.args[1][::-1]
            out.append(together[loop[0]].problem("parents", f"{' < '.join(loop)} is a loop"))
            parents[loop[0]].discard(loop[1])
        else:
            return out
