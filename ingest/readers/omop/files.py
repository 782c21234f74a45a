"""Which files of a folder are which table: PERSON.csv, person.tsv.gz, person.parquet, or a folder of part files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ingest.readers.folder import Folder
from ingest.readers.omop.tables import TABLES, UNREAD
from search_stack.core.errors import AspectraError

PARQUET = (".parquet", ".parq")
CSV = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
LOG = "_delta_log"
"""What marks a Delta table, whose part files are not all of its last version."""


@dataclass(frozen=True, slots=True)
class Found:
    tables: Mapping[str, list[Path]]
    """Files of each table that is there and is read, in the order in which they are read."""
    unread: list[str]
    """Tables with clinical events that are there and are not read."""


def is_parquet(file: Path) -> bool:
    return file.name.lower().endswith(PARQUET)


Places = Mapping[str, Mapping[str, list[Path]]]
"""By table, and by what holds it in the folder, a file or a folder of its own: the files."""


def places(folder: Folder) -> Places:
    """Whatever could be a table.

    Raises:
        AspectraError: a folder cannot be listed.
    """
    found: dict[str, dict[str, list[Path]]] = {}
    for file in folder.files():
        top = file.relative_to(folder.path).parts[0]
        found.setdefault(_table(top), {}).setdefault(top, []).append(file)
    return found


def find(folder: Folder) -> Found:
    """
    Raises:
        AspectraError: a table is there twice, or only with a log that says which of its files count.
    """
    there = places(folder)
    for table in TABLES.keys() & there.keys():
        _check(folder.path, table, list(there[table]))
    tables = {name: next(iter(there[name].values())) for name in TABLES if name in there}
    return Found(tables, [name for name in UNREAD if name in there])


def _table(top: str) -> str:
    name = top.lower()
    for ending in sorted((*PARQUET, *CSV), key=len, reverse=True):
        name = name.removesuffix(ending)
    return name


def _check(folder: Path, table: str, tops: list[str]) -> None:
    if len(tops) > 1:
        raise AspectraError(
            f"{folder}: table {table} is there twice, as {tops[0]} and {tops[1]}.",
            "Move one of them out of the folder.",
        )
    if (folder / tops[0] / LOG).exists():
        raise AspectraError(
            f"{folder}: {tops[0]} is a Delta table, of whose files not all count.", "Export it as plain Parquet or CSV."
        )
