"""Sentences of a note and the passages that they are packed into."""

from ingest.passages.sentences import sentences
from ingest.passages.splitter import CountTokens, passages

__all__ = ["CountTokens", "passages", "sentences"]
