"""Readers of note collections: files in, notes or reasons out."""

from __future__ import annotations

from ingest.readers.collection import Collection, open_collection
from ingest.readers.detect import FORMATS
from ingest.readers.mapping import Mapping, load_mapping, mapping_of
from ingest.readers.record import Record, Rejected

__all__ = ["FORMATS", "Collection", "Mapping", "Record", "Rejected", "load_mapping", "mapping_of", "open_collection"]
