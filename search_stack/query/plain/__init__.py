"""Plain language: a stretch of a line read as a note's sentence would be, by the same matcher and assertion."""

from search_stack.query.plain.reader import PlainReader

__all__ = ["PlainReader"]
