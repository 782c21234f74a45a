"""Rows of a CSV file, and where it goes on after a row whose quotes do not match.

A quote that is missing or too many pairs with quotes of later rows: the row ends at the end of the
file, or where a letter follows a quote, or with too many columns, or, seldom, as if nothing were
wrong. In each case the reader goes back to the line after the row's first and looks for the next
row that can be trusted: its quotes match, it has the header's width, its id looks like the ids of
other rows, and what follows it begins like a row too. Only the lines before it are left out. A row
whose quotes match and whose width is right stays whole, whatever its text looks like, unless a row
that can be trusted begins within it and ends beyond it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass

from ingest.readers.csv_block import OPEN, Block, Shape, is_clean
from ingest.readers.csv_lines import LineBuffer
from ingest.readers.resync import IdShapes, is_word
from ingest.readers.streams import RECORD_BYTES, Lines, RecordTooLongError

LOOK_AHEAD = 2**20
"""Bytes looked at after a damage at first; more where rows are longer."""
MISMATCH = "quotes or line ends do not match"


@dataclass(slots=True)
class Row:
    line: int
    last: int
    """Its first and its last line."""
    values: list[str]
    """Empty where it has not the header's width."""
    columns: int
    reason: str = ""
    """Why it is no row; empty where its quotes match."""
    clean: bool = True
    """Whether every quote in it stands where the format wants one."""
    quoted: bool = False
    """Whether it holds a quote, which may be one too many."""


@dataclass(slots=True)
class Damage:
    """Lines that are left out."""

    line: int
    last: int
    reason: str
    whole: bool = False
    """Whether all that is wrong is the width of this one row."""
    cut: bool = False
    """Whether the file ends in it, inside a quote or a line: it may have been cut off."""
    quotes: int = 0


class Rows:
    """Iterate once: rows of the header's width, and damages, in the order of the file.

    Raises (the iteration):
        AspectraError: the file cannot be read to its end; the rows before were yielded.
    """

    def __init__(self, lines: Lines, delimiter: str, width: int, id_index: int) -> None:
        self._buffer = LineBuffer(lines)
        self._shape = Shape(delimiter, width, id_index)
        self._shapes = IdShapes()
        self._reader = csv.reader(self._buffer, delimiter=delimiter, strict=True)
        self._block: Block | None = None
        self._looked_until = 0

    def __iter__(self) -> Iterator[Row | Damage]:
        self._parse()  # the header
        held: Row | None = None
        while row := self._parse():
            if held and self._is_doubtful(row) and self._has_swallowed(held):
                yield from self._recover(held, None)
                held = None
            elif not row.values or (not row.clean and self._has_swallowed(row)) or (held and self._is_rest(row)):
                yield from self._recover(row, held)
                held = None
            else:
                if held:
                    yield self._taken(held)
                held = row if row.quoted else None
                if not held:
                    yield self._taken(row)
            self._buffer.forget(held.line if held else self._buffer.next)
        if held:
            yield self._taken(held)
        if self._buffer.damage:
            raise self._buffer.damage

    def _taken(self, row: Row) -> Row:
        self._shapes.add(row.values[self._shape.id_index])
        return row

    def _parse(self) -> Row | None:
        """The next row that is not blank."""
        while True:
            self._buffer.begin_record()
            first = self._buffer.next
            if known := self._known_to_be_none(first):
                return known
            try:
                values = next(self._reader)
            except StopIteration:
                return None
            except (RecordTooLongError, csv.Error) as e:
                reason = str(e) if isinstance(e, RecordTooLongError) else MISMATCH
                return Row(first, self._buffer.next - 1, [], 0, reason)
            if values:
                return self._row(first, values)

    def _row(self, first: int, values: list[str]) -> Row:
        last = self._buffer.next - 1
        row = Row(first, last, values if len(values) == self._shape.width else [], len(values))
        if last > first:
            text = "".join(line or "" for line in self._buffer.since(first))
            row.clean = is_clean(text, self._shape.delimiter)
        row.quoted = last > first or '"' in (self._buffer.since(last)[0] or "")
        return row

    def _known_to_be_none(self, number: int) -> Row | None:
        """What begins there, where the block knows that it is no row of the header's width: to parse
        it could take as long as the rest of the file, for every line anew."""
        if not self._block or number not in self._block:
            return None
        block = self._settled(number)
        end = block.end(number)
        if end < 0:
            return Row(number, number, [], 0, MISMATCH)
        if block.columns(number) in (0, self._shape.width):
            return None
        self._buffer.next = end + 1
        return Row(number, end, [], block.columns(number), clean=block.is_clean(number))

    def _is_doubtful(self, row: Row) -> bool:
        return not row.values or not self._shapes.fits(row.values[self._shape.id_index])

    def _has_swallowed(self, row: Row) -> bool:
        """Whether a row that can be trusted begins within ``row`` and ends beyond it, or, where a
        quote in ``row`` stands where none belongs, with it."""
        for number in range(row.line + 1, row.last + 1):
            end = self._trusted(number)
            if end > row.last or (end == row.last and not row.clean):
                return True
        return False

    def _is_rest(self, row: Row) -> bool:
        """Whether ``row`` is prose of the row before, which a quote too many ended too soon: no id, and
        before the next row that can be trusted a quote closes that none has opened."""
        if not self._is_doubtful(row) or row.line < self._looked_until:
            return False
        number = row.line
        block, quotes = self._block_at(number), 0
        while number in block and not self._trusted(number):
            quotes += (block.line(number) or "").count('"')
            number += 1
        self._looked_until = number
        return quotes % 2 == 1

    def _recover(self, row: Row, held: Row | None) -> Iterator[Row | Damage]:
        """Leave out what begins with ``row`` and go on at the next row that can be trusted.
        ``held`` is the row before it, which goes with it where a quote in it was one too many."""
        damage = self._damage_of(row)
        if held and self._is_row_of_its_own(row.line):
            yield self._taken(held)
            held = None
        number = damage.last + 1
        while number in (block := self._block_at(number)) and not self._trusted(number):
            block = self._block_at(number)
            if self._is_of_another_width(block, number):
                yield from self._told(damage, held)
                damage, held = self._of_width(number, number, block.columns(number)), None
            elif block.start(number) == number:
                damage.last, damage.whole = number, False
            damage.quotes += (block.line(number) or "").count('"')
            number += 1
            self._buffer.forget(held.line if held else number - 1)
        if number not in block:
            last = self._buffer.ahead(number - 1, 1)[0][0]
            unfinished = last is not None and not last.endswith("\n")
            damage.cut = damage.quotes % 2 == 1 or unfinished
        yield from self._told(damage, held)
        self._buffer.next = number
        self._reader = csv.reader(self._buffer, delimiter=self._shape.delimiter, strict=True)

    def _is_row_of_its_own(self, number: int) -> bool:
        """Whether what begins there is no rest of the row before: it has an id, with whatever quotes."""
        block = self._block_at(number)
        first = (block.line(number) or "").rstrip("\r\n").split(self._shape.delimiter)
        bare = first[self._shape.id_index].replace('"', "") if len(first) > self._shape.id_index else ""
        return self._shapes.fits(bare)

    def _told(self, damage: Damage, held: Row | None) -> Iterator[Row | Damage]:
        if held and damage.quotes % 2 == 1:
            # The lines that follow it are no rows, and close a quote: its own, which ended too soon.
            damage.line, damage.reason, damage.whole = held.line, MISMATCH, False
        elif held:
            yield self._taken(held)
        yield damage

    def _damage_of(self, row: Row) -> Damage:
        if row.reason or row.values:
            damage = Damage(row.line, row.line, row.reason or MISMATCH)
        else:
            whole = row.clean and not self._has_swallowed(row) and self._goes_on(row.last + 1)
            damage = self._of_width(row.line, row.last if whole else row.line, row.columns)
            damage.whole = damage.last == row.last
        for number in range(damage.line, damage.last + 1):
            lines, _ = self._buffer.ahead(number, 1)
            damage.quotes += (lines[0] or "").count('"')
        return damage

    def _of_width(self, line: int, last: int, columns: int) -> Damage:
        there = "1 column" if columns == 1 else f"{columns} columns"
        return Damage(line, last, f"{there} where the header has {self._shape.width}", whole=True)

    def _is_of_another_width(self, block: Block, number: int) -> bool:
        """Whether the line is a row of its own, with its id, and of another width than the header."""
        if block.end(number) != number or block.columns(number) in (0, self._shape.width):
            return False
        return self._shapes.fits(block.head_id(number) or "")

    def _trusted(self, number: int) -> int:
        """Last line of the row that begins there, 0 where none does that can be trusted."""
        block = self._block_at(number)
        if number not in block:
            return 0
        if block.end(number) == OPEN:
            head = block.head_id(number)
            if head is not None and not self._shapes.fits(head):
                return 0
            block = self._settled(number)
        if not block.is_row(number, block.tidy) or not self._shapes.fits(block.row_id(number)):
            return 0
        end = block.end(number)
        return end if self._goes_on(end + 1) else 0

    def _goes_on(self, number: int) -> bool:
        """Whether at ``number`` a row begins, a damaged one perhaps, or the file has ended."""
        block = self._block_at(number)
        start = block.start(number) if number in block else None
        return start is None or self._begins_like_a_row(start)

    def _begins_like_a_row(self, number: int) -> bool:
        block = self._block_at(number)
        if number not in block:
            return False
        head = block.head_id(number)
        if head is not None and self._shapes.fits(head):
            return True
        return block.is_row(number, block.tidy) and is_word(block.row_id(number))

    def _block_at(self, number: int) -> Block:
        """A block that begins at ``number`` or not long before it. One serves until its first half
        is passed, so that each line is looked at a few times, however many damages there are."""
        block = self._block
        if block and block.first <= number and (block.at_end or number < block.first + len(block.lines) / 2):
            return block
        return self._build(number, LOOK_AHEAD)

    def _settled(self, number: int) -> Block:
        """A block that holds the whole of what begins at ``number``, unless it is beyond the limit."""
        block = self._block_at(number)
        while number in block and block.end(number) == OPEN and block.size < RECORD_BYTES:
            block = self._build(number, 2 * block.size)
        return block

    def _build(self, number: int, size: int) -> Block:
        lines, at_end = self._buffer.ahead(number, size)
        self._block = Block(number, lines, at_end, self._shape, size)
        if self._shapes.unsure:
            self._shapes.learn(self._block.chain_ids())
        return self._block
