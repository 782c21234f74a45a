"""Lines of a CSV file seen as rows from wherever one may begin.

After a quote that does not match nobody knows where the next row begins. So for every line of a
block it is worked out, in one pass from the last line to the first, where a row that began there
would end: a line is read once as it stands and once as the middle of a quoted field.
"""

from __future__ import annotations

import csv
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

Line = str | None
"""None stands for a line beyond the limit, of which nothing was kept."""
BROKEN = -1
"""The quotes of a row that begins here do not match."""
OPEN = -2
"""The row goes on beyond the block."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a row of the file looks like."""

    delimiter: str
    width: int
    id_index: int


class Block:
    def __init__(self, first: int, lines: Sequence[Line], at_end: bool, shape: Shape, size: int) -> None:
        self.size = size
        """Bytes that were asked for."""
        self.first = first
        """Number of the block's first line in the file."""
        self.lines = lines
        self.at_end = at_end
        self.shape = shape
        n = len(lines)
        self._end = array("i", bytes(4 * n))
        self._columns = array("i", bytes(4 * n))
        self._clean = bytearray(n)
        self._start = array("i", [n]) * (n + 1)
        """For each line, itself or the first after it that is not blank."""
        self._work_out()
        self.tidy = any(self.is_row(n) for n in range(first, first + len(lines)))
        """Whether quotes stand only where the format wants them, so that others are damage."""

    def __contains__(self, number: int) -> bool:
        return self.first <= number < self.first + len(self.lines)

    def _work_out(self) -> None:
        end, columns, clean = (BROKEN if self.at_end else OPEN), 0, True  # of a quoted field that is open here
        for i in range(len(self.lines) - 1, -1, -1):
            line = self.lines[i]
            here = _step(line, self.shape.delimiter)
            self._start[i] = i
            if here is None:
                self._end[i] = BROKEN
            else:
                closed, count, tidy = here
                self._end[i] = i if closed else end
                self._columns[i] = count if closed else count + columns
                self._clean[i] = tidy and (closed or clean)
                if closed and not count:
                    self._start[i] = self._start[i + 1]
            if line is not None and '"' not in line:
                continue  # an open field stays as it is
            inside = _step(None if line is None else f'"{line}', self.shape.delimiter)
            if inside is None:
                end = BROKEN
            elif inside[0]:
                end, columns, clean = i, inside[1] - 1, inside[2]
            else:
                columns, clean = columns + inside[1] - 1, clean and inside[2]

    def line(self, number: int) -> Line:
        return self.lines[number - self.first]

    def end(self, number: int) -> int:
        """Last line of the row that begins at line ``number``, or BROKEN, or OPEN."""
        found = self._end[number - self.first]
        return found if found < 0 else found + self.first

    def start(self, number: int) -> int | None:
        """The first line from ``number`` on that is not blank; None where the block has none."""
        at = self._start[number - self.first]
        return at + self.first if at < len(self.lines) else None

    def columns(self, number: int) -> int:
        """Columns of the row that begins and ends in the block."""
        return self._columns[number - self.first]

    def is_clean(self, number: int) -> bool:
        return self._clean[number - self.first] == 1

    def is_row(self, number: int, tidy: bool = True) -> bool:
        """Whether a row of the header's width begins there and ends in the block."""
        fits = self.end(number) >= 0 and self.columns(number) == self.shape.width
        return fits and (not tidy or self.is_clean(number))

    def head_id(self, number: int) -> str | None:
        """The id as far as it stands on the line itself; None where the row's later lines hold it."""
        line = self.lines[number - self.first]
        row = next(csv.reader([line or ""], delimiter=self.shape.delimiter), [])
        at = self.shape.id_index
        if at < len(row) - 1 or (at < len(row) and self.end(number) == number):
            return row[at]
        return None if self.end(number) != number else ""

    def row_id(self, number: int) -> str:
        """The id of the row that begins there; it must be one."""
        on_line = self.head_id(number)
        if on_line is not None:
            return on_line
        lines = self.lines[number - self.first : self.end(number) - self.first + 1]
        return next(csv.reader(filter(None, lines), delimiter=self.shape.delimiter))[self.shape.id_index]

    def chain_ids(self) -> list[str]:
        """Ids of the later half of the longest chain of rows, in lines. A chain that comes out of
        the rest of a note joins the file's own rows sooner or later, so its later half is theirs."""
        reach: dict[int, int] = {}
        last = self.first + len(self.lines) - 1
        best, longest = None, 0
        for number in range(last, self.first - 1, -1):
            if self.is_row(number, self.tidy):
                end = self.end(number)
                after = self.start(end + 1) if end < last else None
                reach[number] = reach.get(after, end) if after is not None else end
                if reach[number] - number + 1 > longest:
                    best, longest = number, reach[number] - number + 1
        chain: list[int] = []
        while best is not None and best in reach:
            chain.append(best)
            best = self.start(self.end(best) + 1) if self.end(best) < last else None
        return [self.row_id(number) for number in chain[len(chain) // 2 :]]


def _step(line: Line, delimiter: str) -> tuple[bool, int, bool] | None:
    """Whether a row that begins with ``line`` ends with it, its columns so far, and whether its
    quotes stand where the format wants them; None where they do not match."""
    if line is None:
        return None
    if '"' not in line:
        body = line.rstrip("\r\n")
        return None if "\r" in body else (True, body.count(delimiter) + 1 if body else 0, True)
    closed = True
    if (row := _parsed(line, delimiter)) is None:
        closed = False
        row = _parsed(f'{line}"', delimiter)
    if row is None:
        return None
    return closed, len(row), is_clean(line, delimiter, closed)


def _parsed(text: str, delimiter: str) -> list[str] | None:
    try:
        return next(csv.reader([text], delimiter=delimiter, strict=True))
    except csv.Error:
        return None


def is_clean(text: str, delimiter: str, closed: bool = True) -> bool:
    """Whether every quote of the row opens or closes a field, or is doubled within one."""
    whole, tail = _patterns(delimiter)
    return (whole if closed else tail).fullmatch(text) is not None


@lru_cache(maxsize=8)
def _patterns(delimiter: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    d = re.escape(delimiter)
    # Not possessive, which Python before 3.11.5 gets wrong; each character can be matched in one way only.
    inside = r'"[^"]*(?:""[^"]*)*'
    field = rf'(?:{inside}"|[^"{d}\r\n]*)'
    return re.compile(rf"{field}(?:{d}{field})*[\r\n]*"), re.compile(rf"(?:{field}{d})*{inside}")
