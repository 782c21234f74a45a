"""Vocabularies of others, made into lexicon files: OBO, CSV and UMLS MRCONSO."""

from ingest.vocab.convert import Converted, convert
from ingest.vocab.detect import open_vocabulary
from ingest.vocab.install import install

__all__ = ["Converted", "convert", "install", "open_vocabulary"]
