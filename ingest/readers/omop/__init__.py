"""OMOP CDM 5.4: a folder of its tables, as CSV or Parquet."""

from ingest.readers.omop.reader import FORMAT

__all__ = ["FORMAT"]
