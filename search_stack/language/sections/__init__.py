"""Sections of a note: where they begin, and what each is about."""

from search_stack.language.sections.aspects import aspect_of, tidy
from search_stack.language.sections.sectioner import sections

__all__ = ["aspect_of", "sections", "tidy"]
