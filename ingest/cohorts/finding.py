"""A cohort as index and ledger hold it now, with all that is needed to say later what has changed."""

from __future__ import annotations

from importlib.metadata import version

import numpy as np
from pyroaring import BitMap

from ingest.ledger import Ledger
from ingest.ledger.ledger import now
from search_stack.cohorts.changes import Changes, changes
from search_stack.cohorts.cohort import Asking, Members, Step, members_step_by_step
from search_stack.cohorts.combining import combined
from search_stack.cohorts.rows import Ints, Unit
from search_stack.cohorts.version import (
    GONE,
    UNLABELLED,
    Asked,
    Combined,
    Found,
    Imported,
    Left,
    NoteStates,
    Operation,
    Provenance,
    Version,
)
from search_stack.core.errors import NotPossible
from search_stack.core.reach import Reach
from search_stack.core.settings import Settings
from search_stack.inference.bundle import read_manifest
from search_stack.language.version import RULES
from search_stack.query.nodes import Node
from search_stack.query.tree import QueryError
from search_stack.query.tree_json import to_json
from search_stack.query.write import readable
from search_stack.retrieval.searcher import Searcher

Held = dict[int, tuple[int, str]]
"""By note, its version in the index and that of its labels."""


class Finder:
    def __init__(self, searcher: Searcher, ledger: Ledger, settings: Settings) -> None:
        self._searcher = searcher
        self._ledger = ledger
        self._settings = settings

    def within(self, reach: Reach) -> Finder:
        """The same, as if nothing outside ``reach`` were there."""
        ledger = self._ledger.within(reach)
        return Finder(self._searcher.within(reach, ledger), ledger, self._settings)

    def find(self, node: Node, unit: Unit, line: str = "", earlier: Found | None = None) -> Found:
        """Who satisfies ``node`` now.

        Args:
            earlier: the version before it, of whose notes it will be asked what became of them.

        Raises:
            AspectraError: the engine or the ledger is away; the index changed all the while.
        """
        plan = self._searcher.plan(node)
        base = provenance(self._ledger)
        self._searcher.refresh()

        def work(asking: Asking) -> tuple[Members, tuple[Step, ...], Held]:
            found, steps = members_step_by_step(asking, asking.resolved(plan), unit)
            return found, steps, asking.versions(_asked_of(found, earlier))

        found, steps, held = self._searcher.settled(work)
        lexicon = self._searcher.lexicon()
        labels = tuple(sorted({*self._searcher.serving.labels(), *(name for _, name in held.values())} - {""}))
        states = self._states(_asked_of(found, earlier), held, labels)
        keys = found.notes
        return Found(
            unit=unit,
            origin=Asked(to_json(plan.node), line),
            patients=BitMap(found.patients.astype(np.uint32)),
            rows=found.rows,
            notes=states.of(keys),
            past=states.of(np.setdiff1d(states.key, keys)),
            steps=tuple(Left(readable(s.node), s.patients, s.notes) for s in steps),
            undated=found.undated,
            provenance=Provenance(
                seen=base.seen,
                ledger=base.ledger,
                people=base.people,
                last_note=base.last_note,
                program=base.program,
                generation=found.generation,
                labels=labels,
                cohorts=tuple(plan.cohorts.values()),
                lexicon=lexicon.digest if lexicon else "",
                rules=RULES,
                encoder=_identity(self._settings.encoder_bundle),
                reranker=_identity(self._settings.reranker_bundle),
            ),
        )

    def again(self, version: Version) -> Found:
        """What the query of ``version`` finds now.

        Raises:
            NotPossible: no query made it, or one that counts back from a day and is read otherwise now; its remedy says
                how to make the next version.
            AspectraError: as `find`.
        """
        origin = version.origin
        if isinstance(origin, Imported):
            raise NotPossible(
                f"{version.name} is a list, which cannot be run again.",
                f"Import it anew: aspectra cohort import {version.cohort} FILE",
            )
        if isinstance(origin, Combined):
            names = " ".join(o.cohort for o in origin.operands)
            raise NotPossible(
                f"{version.name} was made of {' and '.join(o.name for o in origin.operands)}.",
                f"Combine them anew: aspectra cohort combine {version.cohort} {origin.operation} {names}",
            )
        return self.find(self._of_today(version, origin), version.unit, origin.line, version)

    def _of_today(self, version: Version, origin: Asked) -> Node:
        """Its tree; where its line counts back from the day on which it is asked, back from today."""
        kept, asked = origin.node, version.provenance.seen.astimezone().date()
        try:
            then, today = (self._searcher.understand(origin.line, day).query for day in (asked, None))
        except QueryError:  # no line, or one that is none any more
            return kept
        if then == today:
            return kept
        if self._searcher.plan(then).node != kept:
            raise NotPossible(
                f"{version.name} counts back from the day it was asked on, and its line is read otherwise than then.",
                f"Look at the line, and ask it anew: aspectra cohort save {version.cohort} QUERY",
            )
        return today

    def _states(self, keys: Ints, held: Held, labels: tuple[str, ...]) -> NoteStates:
        places = {name: place for place, name in enumerate(labels)}
        known = [held.get(key, (GONE, "")) for key in keys.tolist()]
        texts = self._ledger.text_versions(keys.tolist())
        return NoteStates(
            keys,
            # What the index has from that version on is the same text.
            np.array([min(n, texts.get(key, n)) for key, (n, _) in zip(keys.tolist(), known, strict=True)], np.int64),
            np.array([places.get(name, UNLABELLED) for _, name in known], dtype=np.int64),
            self._ledger.people.updated(keys),
        )


def difference(old: Version, new: Found, ledger: Ledger) -> Changes:
    """From ``old`` to ``new``, which was found later, or just now."""
    until = new.made if isinstance(new, Version) else now()
    keys = np.union1d(old.rows.notes(), new.rows.notes())
    return changes(old, new, ledger.people.regrouped(old.provenance.seen, until, keys))


def joined(operation: Operation, a: Version, b: Version, ledger: Ledger) -> Found:
    """The patients of ``a`` and ``b`` together, or of one without the other's, as they count by now."""
    return combined(operation, ledger.people.as_counted(a), ledger.people.as_counted(b), provenance(ledger))


def provenance(ledger: Ledger) -> Provenance:
    """Of what is found without the index."""
    return Provenance(
        seen=now(),
        ledger=ledger.identity,
        people=ledger.people.generation(),
        last_note=ledger.greatest_key(),
        program=version("aspectra"),
    )


def _asked_of(found: Members, earlier: Found | None) -> Ints:
    """Keys of the notes of whose state a version tells."""
    if earlier is None:
        return found.notes
    return np.unique(np.concatenate([found.notes, earlier.notes.key, earlier.past.key]))


def _identity(bundle: str) -> str:
    return read_manifest(bundle).identity if bundle else ""
