"""Sections of a note: where they begin, and what each is about."""

from ingest.sections.aspects import aspect_of, tidy
from ingest.sections.sectioner import sections

__all__ = ["aspect_of", "sections", "tidy"]
