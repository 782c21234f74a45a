"""FHIR R4 as bulk exports give it: one resource on each line, in one file or in several of a folder."""

from ingest.readers.fhir.reader import FORMAT

__all__ = ["FORMAT"]
