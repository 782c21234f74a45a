"""Tables: any CSV with a code and a name in each row."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

from ingest.vocab.entry import Entry, Left
from ingest.vocab.lines import wrong
from ingest.vocab.names import DATA
from search_stack.language.lexicon.concepts import KINDS

COLUMNS: dict[str, list[str]] = DATA["columns"]
DELIMITERS = ",;\t|"


def columns(header: str) -> tuple[str, dict[str, int]] | None:
    """Delimiter, and the place of each column that is known; None where it is no header of ours."""
    found = [(d, _places(_cells(header, d))) for d in DELIMITERS]
    fit = [(d, places) for d, places in found if {"id", "name"} <= places.keys()]
    return max(fit, key=lambda one: len(one[1]), default=None)


def _cells(line: str, delimiter: str) -> list[str]:
    return next(csv.reader([line], delimiter=delimiter), [])


def _places(cells: list[str]) -> dict[str, int]:
    lower = [cell.strip().lower() for cell in cells]
    return {column: lower.index(name) for column, names in COLUMNS.items() for name in [*names][::-1] if name in lower}


def read_table(path: Path, lines: Iterable[tuple[int, str]], left: Left) -> Iterator[Entry]:
    """A concept for each row; rows of one code add names to it. Nothing is counted in ``left``.

    Raises:
        AspectraError: there is no such header, or a row lacks its code, its name or a quote;
            file and line are named.
    """
    last = 0

    def texts() -> Iterator[str]:
        nonlocal last
        for last, text in lines:  # noqa: B007
            yield text + "\n"

    source = texts()
    found = columns(next(source, ""))
    if found is None:
        raise wrong(path, 1, "no column for a code and a name", "Name them id and name in the first line.")
    delimiter, places = found
    rows = csv.reader(source, delimiter=delimiter, strict=True)
    begin = 2
    try:
        for row in rows:
            if any(cell.strip() for cell in row):
                yield _entry(path, begin, row, places, delimiter)
            begin = last + 1
    except csv.Error:
        raise wrong(path, begin, "a quote is not closed, or stands inside a cell", "Mend the row.") from None


def _entry(path: Path, line: int, row: list[str], places: dict[str, int], delimiter: str) -> Entry:
    cells = {name: row[at].strip() if at < len(row) else "" for name, at in places.items()}
    for name in ("id", "name"):
        if not cells[name]:
            raise wrong(path, line, f"column {name}: is empty", "Each row needs both.")
    kind = cells.get("kind", "")
    if kind and kind not in KINDS:
        raise wrong(path, line, f"column kind: no such kind; there are {', '.join(KINDS)}", "Mend it.")
    names = (cells["name"], *_items(cells.get("synonyms", ""), delimiter))
    return Entry(cells["id"], names, line, tuple(_items(cells.get("parents", ""), delimiter)), kind)


def _items(cell: str, delimiter: str) -> list[str]:
    separator = "|" if "|" in cell and delimiter != "|" else ";"
    return [item.strip() for item in cell.split(separator) if item.strip()]
