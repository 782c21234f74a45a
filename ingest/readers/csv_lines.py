"""The lines of a CSV file as text, which can be read again after a row has failed."""

from __future__ import annotations

from collections.abc import Iterator

from ingest.readers.csv_block import Line
from ingest.readers.streams import RECORD_BYTES, Lines, RecordTooLongError
from search_stack.core.errors import AspectraError

LINE_COST = 64
"""Bytes that a line takes in memory besides its text: a record of a million line ends is long, too."""


class LineBuffer(Iterator[str]):
    """Lines for csv.reader, kept until they are forgotten. One record takes at most RECORD_BYTES."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._kept: list[Line] = []
        self._first = 1
        self._used = 0
        self._ended = False
        self.damage: AspectraError | None = None
        """What keeps the file from being read to its end; the lines end there. Whoever reads them raises it once those
        before it are looked at, for lines are read far ahead of the row that is being judged."""
        self.next = 1
        """Number of the line that is read next; may be set back to any line that is kept."""

    def begin_record(self) -> None:
        self._used = 0

    def forget(self, before: int) -> None:
        """Lines below ``before`` are not asked for again; they go in bulk, which takes linear time."""
        if before - self._first > 64 + len(self._kept) // 2:
            del self._kept[: before - self._first]
            self._first = before

    def __next__(self) -> str:
        at = self.next - self._first
        if at == len(self._kept) and not self._read():
            raise StopIteration
        line = self._kept[at]
        self.next += 1
        self._used += LINE_COST + len(line or "")
        if line is None or self._used > RECORD_BYTES:
            raise RecordTooLongError(RECORD_BYTES)
        return line

    def _read(self) -> bool:
        if self._ended:
            return False
        self._lines.begin_record()
        try:
            # Bytes that are not UTF-8 come as lone surrogates.
            self._kept.append(next(self._lines).decode("utf-8", "surrogateescape"))
        except RecordTooLongError:
            self._kept.append(None)
        except AspectraError as e:
            self.damage, self._ended = e, True
            return False
        except StopIteration:
            self._ended = True
            return False
        return True

    def since(self, number: int) -> list[Line]:
        """The lines from ``number`` up to the one that is read next."""
        return self._kept[number - self._first : self.next - self._first]

    def ahead(self, number: int, size: int) -> tuple[list[Line], bool]:
        """Lines from ``number`` on, of ``size`` bytes in all, and whether the file ends with them."""
        at, used = number - self._first, 0
        while used < size and (at < len(self._kept) or self._read()):
            used += LINE_COST + len(self._kept[at] or "")
            at += 1
        return self._kept[number - self._first : at], at == len(self._kept) and not self._read()
