"""Lines and rows of a data set's file, each with the place that an error in it names."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, TextIO, TypeVar

from search_stack.core.errors import AspectraError

T = TypeVar("T")
TABS: dict[str, Any] = {"delimiter": "\t", "quoting": csv.QUOTE_NONE}


def lines(file: Path, of: str) -> Iterator[tuple[str, str]]:
    """Every line that is not blank, and where it is; ``of`` says what the file should hold.

    Raises:
        AspectraError: the file cannot be read.
    """
    with _opened(file, of, "JSON lines") as text:
        for number, line in enumerate(text, 1):
            if line.strip():
                yield f"{file}:{number}", line


def rows(
    file: Path, of: str, columns: Sequence[str], tabs: bool = False, besides: Sequence[str] = ()
) -> Iterator[tuple[str, dict[str, str]]]:
    """The cells of ``columns`` in every row, and where it is; of ``besides`` too, which are empty where it has none.

    Raises:
        AspectraError: the file cannot be read, or lacks a column.
    """
    with _opened(file, of, "tab-separated text" if tabs else "CSV") as text:
        table = csv.DictReader(text, **(TABS if tabs else {}))
        if missing := [c for c in columns if c not in (table.fieldnames or ())]:
            raise AspectraError(
                f"{file}:1: there is no column {missing[0]}.", f"It needs the columns {', '.join(columns)}."
            )
        for row in table:
            yield f"{file}:{table.line_num}", {c: row.get(c) or "" for c in (*columns, *besides)}


def cells(file: Path, of: str) -> Iterator[tuple[str, list[str]]]:
    """The cells of every row that has any, and where it is: tab-separated where the first line has a tab, else CSV.

    Raises:
        AspectraError: the file cannot be read.
    """
    with _opened(file, of, "tab-separated text or CSV") as text:
        tabs = "\t" in text.readline()
        text.seek(0)
        table = csv.reader(text, **(TABS if tabs else {}))
        yield from ((f"{file}:{table.line_num}", row) for row in table if any(map(str.strip, row)))


def first(found: Iterable[T], limit: int | None, nothing: str, of: str) -> list[T]:
    """The first ``limit`` of what was found, all where it is None.

    Raises:
        AspectraError: ``nothing``, where there is none.
    """
    out = list(islice(found, limit))
    if not out:
        raise AspectraError(nothing, f"Name a file of {of}.")
    return out


def offsets(row: Mapping[str, str], where: str, empty: bool = False) -> tuple[int, int]:
    """The columns ``begin`` and ``end``; the two may be the same where ``empty``.

    Raises:
        AspectraError: they are none.
    """
    begin, end = row["begin"], row["end"]
    if not (begin.isdecimal() and end.isdecimal() and int(begin) < int(end) + empty):
        raise AspectraError(f"{where}: begin, end: these are no offsets.", "Give two numbers, the second greater.")
    return int(begin), int(end)


def known(row: Mapping[str, str], where: str, values: Mapping[str, Sequence[str]]) -> None:
    """Check that each column of ``values`` holds one of its values.

    Raises:
        AspectraError: one does not; the message names line and column, not what stands there.
    """
    for name, allowed in values.items():
        if row[name] not in allowed:
            told = ", ".join(a or "nothing" for a in allowed)
            raise AspectraError(f"{where}: {name}: unknown value.", f"It is one of: {told}.")


@contextmanager
def _opened(file: Path, of: str, kind: str) -> Iterator[TextIO]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as text:
            yield text
    except OSError as e:
        raise AspectraError(f"{file}: cannot be read ({e.strerror}).", f"Name a file of {of}.") from e
    except (UnicodeDecodeError, csv.Error) as e:
        told = (
            f"{file}:{_undecodable(file)}: not UTF-8."
            if isinstance(e, UnicodeDecodeError)
            else f"{file}: not a UTF-8 {kind} file ({type(e).__name__})."
        )
        raise AspectraError(told, f"Save it as {kind} in UTF-8.") from e


def _undecodable(file: Path) -> int:
    """Number of the first line that is not UTF-8; the decoder tells only where in its buffer."""
    with file.open("rb") as text:
        for number, line in enumerate(text, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return number
    return 1
