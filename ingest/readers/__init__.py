"""Readers of collections: files, folders or addresses in, notes or reasons out.

A reader is one module with a `Format`, and a line in `ingest.readers.registry.FORMATS`.
"""

from __future__ import annotations

from ingest.readers.columns import Columns, columns_of, load_columns
from ingest.readers.record import FactRecord, Record, Rejected, Skipped, Withdrawn
from ingest.readers.registry import AUTO, CHOICES, open_source
from ingest.readers.source import Opened, Source, Work

__all__ = [
    "AUTO",
    "CHOICES",
    "Columns",
    "FactRecord",
    "Opened",
    "Record",
    "Rejected",
    "Skipped",
    "Source",
    "Withdrawn",
    "Work",
    "columns_of",
    "load_columns",
    "open_source",
]
