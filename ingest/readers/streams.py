"""Bytes and lines of a file, plain or gzip, in bounded memory."""

from __future__ import annotations

import codecs
import gzip
import os
import stat
import zlib
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from types import TracebackType

from search_stack.core.errors import AspectraError

RECORD_BYTES = 32 * 2**20
"""Longest record: a 5 MB note fits even with every character escaped as JSON."""

GZIP_MAGIC = b"\x1f\x8b"
UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class RecordTooLongError(ValueError):
    """The record is longer than the limit; its line has been skipped to the end."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"longer than {limit // 2**20} MiB")


class InputFile:
    """One open file. Gzip is known by its first bytes, whatever the file's name.

    A pipe or a device is refused, since it may have no end and no beginning; a symbolic link too,
    unless ``follow_link``.
    """

    def __init__(self, path: Path, follow_link: bool = True) -> None:
        self.path = path
        try:
            # Without waiting: to open a pipe that nobody writes to would take for ever.
            flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow_link else os.O_NOFOLLOW)
            self._raw = open(os.open(path, flags), "rb")  # noqa: SIM115, PTH123 - closed by __exit__
            if not stat.S_ISREG(os.fstat(self._raw.fileno()).st_mode):
                self._raw.close()
                raise AspectraError(f"{path} is no regular file.", "Write the notes to a file first.")
            compressed = self._raw.peek(2)[:2] == GZIP_MAGIC
        except OSError as e:
            raise _unreadable(path, e) from e
        self._stream: gzip.GzipFile | BufferedReader = gzip.GzipFile(fileobj=self._raw) if compressed else self._raw

    def __enter__(self) -> InputFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, tb: TracebackType | None) -> None:
        self._stream.close()
        self._raw.close()

    @property
    def position(self) -> int:
        """Bytes of the file consumed so far, as stored."""
        return self._raw.tell()

    def read(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except (OSError, EOFError, zlib.error) as e:
            raise _unreadable(self.path, e) from e

    def readline(self, size: int) -> bytes:
        try:
            return self._stream.readline(size)
        except (OSError, EOFError, zlib.error) as e:
            raise _unreadable(self.path, e) from e


def _unreadable(path: Path, e: Exception) -> AspectraError:
    if isinstance(e, (EOFError, zlib.error, gzip.BadGzipFile)):
        return AspectraError(
            f"{path} is damaged or cut off: its gzip data cannot be unpacked to the end.",
            "Copy the file again; the notes before the damage were read.",
        )
    why = e.strerror if isinstance(e, OSError) and e.strerror else type(e).__name__
    return AspectraError(f"{path} cannot be read: {why}.", "Check the path and its permissions.")


class Lines(Iterator[bytes]):
    """Lines with their ends, cut at LF alone. A record may take several of them, and no more
    than ``limit`` bytes in all; iteration may go on after RecordTooLongError."""

    def __init__(self, file: InputFile, limit: int = RECORD_BYTES) -> None:
        self.number = 0
        """Number of the last line read."""
        self._file = file
        self._limit = limit
        self._used = 0

    def begin_record(self) -> None:
        self._used = 0

    def __next__(self) -> bytes:
        line = self._file.readline(self._limit - self._used + 1)
        if not line:
            raise StopIteration
        self.number += 1
        self._used += len(line)
        if self._used > self._limit:
            while line and not line.endswith(b"\n"):
                line = self._file.readline(2**16)
            raise RecordTooLongError(self._limit)
        return self._without_mark(line) if self.number == 1 else line

    def _without_mark(self, line: bytes) -> bytes:
        if line.startswith(UTF16_MARKS):
            raise AspectraError(
                f"{self._file.path} is UTF-16 text.", "Save it as UTF-8 (in Excel: CSV UTF-8) and read it again."
            )
        return line.removeprefix(codecs.BOM_UTF8)
