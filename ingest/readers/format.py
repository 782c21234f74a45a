"""What a format is: how it is known, what it can be read from, and how it is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from pathlib import Path
from typing import Any, Literal

from ingest.readers.columns import Columns
from ingest.readers.fields import within
from ingest.readers.plausible import plausible
from ingest.readers.record import Item, Record
from ingest.readers.source import Opened, Source, Work
from search_stack.core.schema import Note

Kind = Literal["file", "folder", "address"]
Make = Callable[[dict[str, Any]], Item]


class Rank(IntEnum):
    """How sure it is that something is of a format; the surest wins."""

    NO = 0
    NAME = 1
    """Its name says so, or that it is a folder."""
    CONTENT = 2
    """What stands in it says so."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be read, and how."""

    where: str
    """A path, spelt so that it can be kept and shown, or an address with "://" in it, which may hold a password: errors
    name `shown`."""
    path: Path
    """As the system spells it, to be opened."""
    kind: Kind
    bare: str
    """Its name without the ending of a format, and without .gz."""
    ending: str
    """That ending, in small letters; empty where no format has it."""
    columns: Columns | None
    """None: the person named none."""
    collection: str | None
    note_characters: int
    follow_links: bool
    latest_day: date
    """Of notes and births."""
    names: str | None = None
    """What the path of each file says of its note: "{patient_id}/{date} {type}"."""

    @property
    def shown(self) -> str:
        return f"{self.where.partition('://')[0]}://…" if self.kind == "address" else self.where

    def collection_name(self, fixed: str = "") -> str:
        """What was asked for, else ``fixed``, else the thing's own name. "demo" is kept for the synthetic
        notes: a file that happens to be called so must not be taken for them."""
        own = f"{self.bare}-file" if self.bare.casefold() == "demo" else self.bare
        return self.collection or fixed or own

    def bounded(self, make: Make) -> Make:
        """``make``, with limits to the note's length and to days."""
        return lambda row: self.within(make(row))

    def within(self, item: Item) -> Item:
        """The item, as `plausible` takes it.

        Raises:
            FieldError: it is a note that is too long, or has a day that cannot be meant.
        """
        item = plausible(item, self.latest_day)
        return within(item, self.note_characters) if isinstance(item, Note) else item

    def file(self, format: str, collection: str, read: Callable[[], Iterator[Record]]) -> Source:
        """A source that is this one file."""
        work = Work(self.path.stat().st_size, "bytes")
        return Opened(self.path.name, self.where, format, collection, work, read)


def _nothing(request: Request) -> Rank:
    return Rank.NO


@dataclass(frozen=True, slots=True)
class Format:
    """One way in which notes are kept."""

    name: str
    open: Callable[[Request], Source]
    """Raises AspectraError where what is there is not of the format. Notes and patients of every reader pass
    `Request.within`."""
    endings: tuple[str, ...] = ()
    """Of its files' names, without .gz."""
    recognise: Callable[[Request], Rank] = _nothing
    """How sure it is besides the ending."""
    holds: tuple[Kind, ...] = ("file",)
    """What it is read from."""
    takes_columns: bool = False
    """Whether a person may say which column is which field."""
    takes_names: bool = False
    """Whether a person may say what the names of its files tell."""

    def rank(self, request: Request) -> Rank:
        by_name = request.kind == "file" and request.ending in self.endings
        return max(Rank.NAME if by_name else Rank.NO, self.recognise(request))
