"""Sentences of a note and the passages that they are packed into."""

from ingest.passages.sentences import is_item, sentences
from ingest.passages.splitter import CountTokens, passages

__all__ = ["CountTokens", "is_item", "passages", "sentences"]
