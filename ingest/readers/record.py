"""What a reader yields: a note, a patient or a fact, or the place and the reason where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from search_stack.core.schema import CodeParent, Merge, Note, Patient, StructuredFact


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A note that its source takes back, so that nobody should read it any more; it may never have come in."""

    note_id: str
    collection: str


@dataclass(frozen=True, slots=True)
class FactRecord:
    """All the facts of one record that has an id: they take the place of what it said before."""

    source_id: str
    collection: str
    facts: tuple[StructuredFact, ...] = ()
    reason: str = ""
    """Why there is none: as of `Skipped`."""


Item: TypeAlias = Note | Patient | Merge | StructuredFact | FactRecord | CodeParent | Withdrawn
"""What a record may bring. Other kinds join by ``|``, for one source may hold several; whoever takes
items in says for each kind what becomes of it."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A record that is no note. It never holds text or values of the record."""

    source: str
    """File name; within a folder, the path below it."""
    line: int
    """Line where the record starts, from 1; 0 where the file as a whole is meant."""
    field: str
    """Field of the note, or column of the file; empty where the record as a whole is meant."""
    reason: str
    lines: int = 1
    """Lines of the file that are left out with it."""
    cut: bool = False
    """Whether the file ends in it, inside a quote or a line: it may have been cut off."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that is sound and brings nothing, such as a diagnosis that was refuted."""

    reason: str
    """One of a few that the reader knows: they are counted. No value of the record."""


@dataclass(frozen=True, slots=True)
class Record:
    item: Item | Rejected | Skipped
    done: int
    """How much of the source's work is done with it: bytes of its files as stored (compressed where they
    are), or records."""
    last_line: int = 0
    """The last line of the file that it takes; 0 where lines are not counted."""
    place: tuple[str, int] | None = None
    """File and first line, as of `Rejected`, where they are not those of the source and `last_line`."""


class FieldError(ValueError):
    """One field of a record cannot be taken; ``reason`` never quotes the value. ``cut``: as of `Rejected`."""

    def __init__(self, field: str, reason: str, cut: bool = False) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason
        self.cut = cut


class SkippedError(ValueError):
    """A record brings nothing; ``reason`` is that of `Skipped`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def outcomes(
    make: Callable[[], Iterable[Item | FieldError]], source: str, line: int, lines: int = 1
) -> list[Item | Rejected | Skipped]:
    """What ``make`` finds in one record of ``source``, which may be several items; at least one outcome."""
    try:
        found = list(make())
    except FieldError as e:
        found = [e]
    except SkippedError as e:
        return [Skipped(e.reason)]
    return [Rejected(source, line, f.field, f.reason, lines, f.cut) if isinstance(f, FieldError) else f for f in found]
