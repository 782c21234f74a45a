"""Rows of a table's Parquet file, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.readers.folder import Folder, size
from ingest.readers.omop.rows import TableRow, checked
from ingest.readers.omop.tables import NOTE, Table
from search_stack.core.errors import AspectraError

BATCH_ROWS = 2_000
BATCH_NOTES = 50
"""A note may have two million characters."""
BUFFER_BYTES = 2**20


def rows(folder: Folder, file: Path, table: Table) -> Iterator[TableRow]:
    """
    Raises:
        AspectraError: the file cannot be read to its end, or lacks a column.
    """
    try:
        with pq.ParquetFile(file, buffer_size=BUFFER_BYTES, pre_buffer=False) as parquet:
            yield from _rows(parquet, table, folder.name(file), size(file))
    except (pa.ArrowException, OSError, ValueError) as e:  # also names that are no UTF-8
        raise AspectraError(
            f"{file} is damaged, or no Parquet file: {type(e).__name__}.", "Copy or export the table again."
        ) from e


def _rows(parquet: pq.ParquetFile, table: Table, source: str, bytes: int) -> Iterator[TableRow]:
    stored = parquet.schema_arrow.names
    names = checked([name.strip().lower() for name in stored], table, source)
    wanted = {s: name for s, name in zip(stored, names, strict=True) if name in table.columns}
    batch_rows = BATCH_NOTES if table is NOTE else BATCH_ROWS
    total, number = max(1, parquet.metadata.num_rows), 0
    for batch in parquet.iter_batches(batch_rows, columns=list(wanted)):
        columns = {wanted[s]: _values(batch.column(s)) for s in batch.schema.names}
        for values in zip(*columns.values(), strict=True):
            number += 1
            row = dict(zip(columns, values, strict=True))
            yield TableRow(row, bytes * number // total, number, number)


def _values(column: pa.Array) -> list[Any]:
    """Python's values. Days and times as text, since Python has no name for some that a file may hold; bytes that are
    no UTF-8 as lone surrogates."""
    if pa.types.is_temporal(column.type):
        column = column.cast(pa.string())
    try:
        values: list[Any] = column.to_pylist()
        return values
    except UnicodeDecodeError:
        raw = column.cast(pa.large_binary()).to_pylist()
        return [None if v is None else v.decode("utf-8", "surrogateescape") for v in raw]
