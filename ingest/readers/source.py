"""What an ingest reads from: a file, a folder, a database, or notes that are made up on the spot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from ingest.readers.record import Record


@dataclass(frozen=True, slots=True)
class Work:
    """How much there is to read."""

    total: int
    unit: Literal["bytes", "records"]


class Source(Protocol):
    """The records of one collection. Each iteration reads them anew, one at a time.

    Raises (an iteration):
        AspectraError: it cannot be read to its end.
    """

    @property
    def name(self) -> str:
        """What a person knows it by, such as a file's name."""

    @property
    def origin(self) -> str:
        """Where it is, as the ledger keeps it: a path, or an address without its password."""

    @property
    def format(self) -> str: ...

    @property
    def collection(self) -> str:
        """What its notes carry as their collection."""

    @property
    def work(self) -> Work | None:
        """``Record.done`` goes up to its total, in its unit; None where nobody knows."""

    @property
    def remarks(self) -> Sequence[str]:
        """Sentences on what is left out of it before anything is read."""

    def __iter__(self) -> Iterator[Record]: ...


@dataclass(frozen=True, slots=True)
class Opened:
    """A source whose records come from a function."""

    name: str
    origin: str
    format: str
    collection: str
    work: Work | None
    read: Callable[[], Iterator[Record]] = field(repr=False)
    remarks: Sequence[str] = ()

    def __iter__(self) -> Iterator[Record]:
        return self.read()
