"""A cohort as it was found once: who, by what evidence, from what. Nothing in it ever changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, Literal, TypeAlias, TypeVar, cast, get_args

import numpy as np
from pyroaring import BitMap

from search_stack.cohorts.rows import NONE, Ints, Rows, Unit, among
from search_stack.query.nodes import Node
from search_stack.query.tree_json import from_json

GONE = 0
"""The version of a note that the index does not hold."""
UNLABELLED = -1
Operation = Literal["union", "intersection", "difference"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)
_EMPTY = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class NoteStates:
    """(N,) each, in order of key: what index and ledger held of notes."""

    key: Ints
    version: Ints
    """That brought the text which the index had; `GONE` where it held no passage of the note."""
    labels: Ints
    """Which of `Provenance.labels` its passages carry; `UNLABELLED` where none."""
    updated: Ints
    """When the ledger last noted a change of its state, in microseconds since 1970; 0 where it does not know it."""

    def __len__(self) -> int:
        return len(self.key)

    def of(self, keys: Ints) -> NoteStates:
        """Those of ``keys``, which are sorted."""
        keep = among(self.key, keys)
        return NoteStates(*(column[keep] for column in self.columns))

    @property
    def columns(self) -> tuple[Ints, Ints, Ints, Ints]:
        return self.key, self.version, self.labels, self.updated


_DAWN = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(at: datetime) -> int:
    """Since 1970, as `NoteStates.updated` counts."""
    return (at - _DAWN) // timedelta(microseconds=1)


NO_NOTES = NoteStates(_EMPTY, _EMPTY, _EMPTY, _EMPTY)


@dataclass(frozen=True, slots=True)
class Asked:
    """It came of a query."""

    tree: Mapping[str, Any]
    """In JSON."""
    line: str = ""
    """As typed; empty where the tree itself was given."""

    @property
    def node(self) -> Node:
        """
        Raises:
            QueryError: the tree holds what is no query any more.
        """
        return from_json(self.tree)

    def json(self) -> dict[str, Any]:
        return {"query": dict(self.tree), "line": self.line}


@dataclass(frozen=True, slots=True)
class Operand:
    """A version that another was made of. ``id`` is never given again, whatever becomes of its name."""

    cohort: str
    number: int
    id: int

    @property
    def name(self) -> str:
        return f"{self.cohort}@{self.number}"


@dataclass(frozen=True, slots=True)
class Combined:
    """It was made of other versions."""

    operation: Operation
    operands: tuple[Operand, ...]

    def json(self) -> dict[str, Any]:
        of = [{"cohort": o.cohort, "number": o.number, "id": o.id} for o in self.operands]
        return {"combine": self.operation, "of": of}


@dataclass(frozen=True, slots=True)
class Imported:
    """It is a list that was given. The file's name, which may be a patient's, is left out."""

    ids: int
    """Lines, rows or items with an id."""
    unknown: int
    """Of which the ledger knows no patient."""
    duplicate: int
    """Ids that an earlier one had."""
    sha256: str
    """Of the file, or of the request that brought it."""

    def json(self) -> dict[str, Any]:
        counts = {"ids": self.ids, "unknown": self.unknown, "duplicate": self.duplicate}
        return {"import": {**counts, "sha256": self.sha256}}


Origin: TypeAlias = Asked | Combined | Imported


def origin_of(data: Mapping[str, Any]) -> Origin:
    """What ``json()`` of an origin gave."""
    if "combine" in data:
        operands = tuple(Operand(o["cohort"], int(o["number"]), int(o["id"])) for o in data["of"])
        return Combined(cast(Operation, data["combine"]), operands)
    if "import" in data:
        return Imported(**data["import"])
    return Asked(data["query"], str(data.get("line", "")))


@dataclass(frozen=True, slots=True)
class Left:
    """What was left after a criterion and all before it."""

    step: str
    """The criterion in words."""
    patients: int
    notes: int


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a version was found in and by."""

    seen: datetime
    """When index and ledger were looked at; of a combined version, the earliest of its operands."""
    ledger: str
    """Identity."""
    people: int
    """Counts the changes of what the ledger knew of patients."""
    last_note: int
    """The greatest key of a note then."""
    generation: str = ""
    """Of the index; empty where it was not asked."""
    labels: tuple[str, ...] = ()
    """Versions of the labels that the passages of the index carried."""
    lexicon: str = ""
    """Digest of the lexicon that the query was understood by."""
    rules: str = ""
    """Digest of rules and code of the language."""
    encoder: str = ""
    reranker: str = ""
    """Bundles that served: name and weights."""
    cohorts: tuple[str, ...] = ()
    """Versions of the kept cohorts that the query names: NAME@3."""
    program: str = ""
    """Version of Aspectra."""

    def json(self) -> dict[str, Any]:
        lists = {"labels": list(self.labels), "cohorts": list(self.cohorts)}
        return {**asdict(self), "seen": self.seen.isoformat(), **lists}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Provenance:
        """What `json` gave."""
        tuples = {name: tuple(data[name]) for name in ("labels", "cohorts")}
        return cls(**{**data, "seen": datetime.fromisoformat(data["seen"]), **tuples})


@dataclass(frozen=True, eq=False)
class Found:
    """A cohort that was found and is not kept, or not yet."""

    unit: Unit
    origin: Origin
    patients: BitMap
    """Their numbers, which no other patient is ever given."""
    provenance: Provenance
    rows: Rows = NONE
    """The evidence; none of an imported list."""
    notes: NoteStates = NO_NOTES
    """Of the notes in the evidence."""
    past: NoteStates = NO_NOTES
    """Of notes that were in the evidence of an earlier version and are not in this one's."""
    steps: tuple[Left, ...] = ()
    undated: int = 0

    @cached_property
    def note_count(self) -> int:
        return len(self.rows.notes())

    @property
    def numbers(self) -> Ints:
        """Of its patients, sorted."""
        return np.asarray(self.patients.to_array(), dtype=np.int64)


@dataclass(frozen=True, eq=False, kw_only=True)
class Version(Found):
    """A cohort as it was saved."""

    cohort: str
    cohort_id: int
    """Never given again; a name may be."""
    number: int
    id: int
    made: datetime
    by: str
    """The account that saved it, as the system calls it."""
    scheduled: bool
    digest: str
    """SHA-256 of all that it holds."""

    @property
    def name(self) -> str:
        return f"{self.cohort}@{self.number}"

    @property
    def operand(self) -> Operand:
        return Operand(self.cohort, self.number, self.id)


_Found = TypeVar("_Found", bound=Found)


def as_counted(found: _Found, heirs: Mapping[int, int]) -> _Found:
    """``found`` with its patients as they count by now: several ids of one person are one of them.

    Args:
        heirs: of those who count as another patient, the number of that one.
    """
    others = found.patients & BitMap(heirs)
    if not others:
        return found
    patients = (found.patients - others) | BitMap(heirs[no] for no in others)
    stay = np.array([heirs.get(no, no) for no in found.rows.patients().tolist()], dtype=np.int64)
    own = stay[np.searchsorted(found.rows.patients(), found.rows.patient)]
    return replace(found, patients=patients, rows=Rows.of(own, found.rows.day, found.rows.note))


def merged(several: Sequence[NoteStates]) -> NoteStates:
    """Each note once; of several states the one that stands later in ``several``."""
    if not several:
        return NO_NOTES
    columns = [np.concatenate(parts) for parts in zip(*(s.columns for s in several), strict=True)]
    order = np.argsort(columns[0], kind="stable")
    key = columns[0][order]
    last = np.ones(len(key), dtype=bool)
    last[:-1] = key[1:] != key[:-1]
    return NoteStates(*(column[order][last] for column in columns))


def relabelled(states: NoteStates, old: Sequence[str], new: Sequence[str]) -> NoteStates:
    """``states`` with the versions of labels in ``old`` told by their places in ``new``, which holds them all."""
    places = np.array([*(new.index(name) for name in old), UNLABELLED], dtype=np.int64)
    return replace(states, labels=places[states.labels])
