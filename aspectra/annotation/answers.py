"""The file that answers go into as they are given."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from search_stack.core.errors import AspectraError
from search_stack.core.files import disk_errors


class Read(Protocol):
    """An answer of the first or the second reader."""

    @property
    def reading(self) -> int: ...


T = TypeVar("T", bound=Read)


@dataclass(frozen=True, slots=True)
class Book(Generic[T]):
    """A kind of file, with an answer in a row."""

    of: str
    """What it holds: "judged mentions"."""
    columns: tuple[str, ...]
    read: Callable[[Path], list[T]]
    row_of: Callable[[T], str]

    @property
    def header(self) -> str:
        return "\t".join(self.columns) + "\n"


class Answers(Generic[T]):
    """A file of answers that is open to one person at a time; made by `answers`."""

    def __init__(self, path: Path, book: Book[T], file: int) -> None:
        self.path = path
        self.given = book.read(path)
        self._book = book
        self._file = file

    def of(self, reading: int) -> list[T]:
        return [a for a in self.given if a.reading == reading]

    def add(self, *answers: T) -> None:
        """Write them down; they are on the disk when this returns.

        Raises:
            AspectraError: they cannot be written; the file is as it was.
        """
        _append(self.path, self._file, self._rows(answers))
        self.given += answers

    def take_back(self, reading: int, number: int = 1) -> list[T]:
        """Take the last ``number`` answers out of the file; none where they are not all of ``reading``, written as we
        write.

        Raises:
            AspectraError: the file cannot be written.
        """
        last = self.given[-number:]
        if len(last) < number or any(a.reading != reading for a in last):
            return []
        rows = self._rows(last).encode()
        with disk_errors(self.path):
            begin = os.fstat(self._file).st_size - len(rows)
            if begin < 0 or os.pread(self._file, len(rows), begin) != rows:
                return []
            os.ftruncate(self._file, begin)
        del self.given[-number:]
        return last

    def _rows(self, answers: Iterable[T]) -> str:
        return "".join(f"{self._book.row_of(a)}\n" for a in answers)


@contextmanager
def answers(path: Path, book: Book[T]) -> Iterator[Answers[T]]:
    """The file of answers at ``path``, made where there is none; only its owner may read it.

    Raises:
        AspectraError: it cannot be opened or is another's now, or it holds something else.
    """
    with disk_errors(path):
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AspectraError(
                f"{path}: somebody is judging into it.", "Wait, or name another file with --out."
            ) from None
        size, header = os.fstat(file).st_size, book.header
        if not size:
            _append(path, file, header)
        elif os.pread(file, len(header), 0) != header.encode():
            raise AspectraError(f"{path}: holds something else than {book.of}.", "Name another file with --out.")
        elif os.pread(file, 1, size - 1) != b"\n":
            _append(path, file, "\n")
        yield Answers(path, book, file)
    finally:
        os.close(file)


def _append(path: Path, file: int, text: str) -> None:
    """Append all of it or nothing."""
    with disk_errors(path):
        before = os.fstat(file).st_size
        left = text.encode()
        try:
            while left:
                left = left[os.write(file, left) :]
            os.fsync(file)
        except OSError:
            with suppress(OSError):
                os.ftruncate(file, before)
            raise
