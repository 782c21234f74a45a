"""What a reader yields: a note, or the place and the reason where there is none."""

from __future__ import annotations

from dataclasses import dataclass

from search_stack.schema import Note


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
class Record:
    item: Note | Rejected
    bytes_read: int
    """Bytes of the collection's files consumed so far, as stored (compressed where they are)."""
    last_line: int = 0
    """The last line of the file that it takes; 0 where lines are not counted."""


class FieldError(ValueError):
    """One field of a record cannot be taken; ``reason`` never quotes the value."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason
