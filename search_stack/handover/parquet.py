"""Evidence as a table in Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from search_stack.handover.cover import Cover, Told
from search_stack.handover.files import private_file
from search_stack.handover.row import COLUMNS, DECIMALS, MEANINGS, NUMBERS, Row

ROWS_AT_ONCE = 8192
"""Rows of a group."""


def _type(column: str) -> pa.DataType:
    if column in NUMBERS:
        return pa.int64()
    if column in DECIMALS:
        return pa.float64()
    return pa.date32() if column == "date" else pa.string()


SCHEMA = pa.schema([pa.field(name, _type(name), metadata={"meaning": MEANINGS[name]}) for name in COLUMNS])


def write_parquet(path: Path, rows: Iterable[Row], cover: Cover) -> Told:
    """The cover stands in the file's metadata, under "aspectra"."""
    number = 0
    schema = SCHEMA.with_metadata({"aspectra": json.dumps(cover.json())})
    with private_file(path) as file, pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for group in _groups(rows):
            number += len(group)
            writer.write_table(pa.table(_columns(group), schema=schema), row_group_size=ROWS_AT_ONCE)
    return Told({path.name: number}, {path.name: MEANINGS})


def _groups(rows: Iterable[Row]) -> Iterator[list[Row]]:
    left = iter(rows)
    while group := list(islice(left, ROWS_AT_ONCE)):
        yield group


def _columns(rows: Sequence[Row]) -> list[pa.Array]:
    columns = zip(*(row.values() for row in rows), strict=True)
    return [_array(field, values) for field, values in zip(SCHEMA, columns, strict=True)]


def _array(field: pa.Field, values: tuple[Any, ...]) -> pa.Array:
    if field.type == pa.date32():
        return pa.array(values, pa.string()).cast(pa.date32())
    return pa.array(values, field.type)
