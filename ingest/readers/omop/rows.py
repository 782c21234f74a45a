"""A row of a table, whatever its file is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ingest.readers.columns import each, shown
from ingest.readers.omop.tables import Table
from ingest.readers.omop.values import Row
from ingest.readers.record import Rejected
from search_stack.core.errors import AspectraError


@dataclass(frozen=True, slots=True)
class TableRow:
    row: Row | Rejected
    position: int
    """How many bytes of the file are read with it."""
    line: int
    last: int
    """Its first and its last line in the file; of Parquet, the number of the row."""


def checked(names: list[str], table: Table, source: str) -> list[str]:
    """
    Raises:
        AspectraError: a column that is needed is not among ``names``, or one that is read is there twice.
    """
    remedy = "Export the table anew, with the columns of CDM 5.4."
    if missing := [column for column in table.needed if column not in names]:
        found = shown(names, each(table.columns))
        raise AspectraError(f"{source}: the table {table.name} needs {', '.join(missing)}. {found}", remedy)
    if twice := _twice([name for name in names if name in table.columns]):
        raise AspectraError(f"{source}: column {twice} is there more than once.", remedy)
    return names


def _twice(names: Sequence[str]) -> str:
    return next((name for name in names if names.count(name) > 1), "")
