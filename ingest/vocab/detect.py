"""Which vocabulary a file holds, by what stands in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from ingest.vocab import mrconso, table
from ingest.vocab.entry import Entry, Left
from ingest.vocab.lines import numbered
from ingest.vocab.mrconso import read_mrconso
from ingest.vocab.obo import read_obo
from ingest.vocab.table import read_table
from search_stack.core.errors import AspectraError
from search_stack.language.lexicon.files import COLUMNS, REQUIRED

OWN = "lexicon"
READERS = {"obo": read_obo, "mrconso": read_mrconso, "table": read_table}
_HEAD = 200


def form(path: Path) -> str:
    """ "obo", "mrconso", "table", or `OWN` for a lexicon file.

    Raises:
        AspectraError: it is none of them, or cannot be read.
    """
    if path.is_dir():
        raise AspectraError(f"{path} is a folder.", "Name the vocabulary's file.")
    head = [text.strip() for _, text in islice(numbered(path, lambda _: None), _HEAD)]
    lines = [text for text in head if text]
    if not lines:
        raise AspectraError(f"{path} is empty.", "Check that it was copied whole.")
    if lines[0].startswith("format-version:") or "[Term]" in lines:
        return "obo"
    if mrconso.looks_like(lines[0]):
        return "mrconso"
    header = {cell.strip().strip('"').lower() for cell in lines[0].split(",")} - {""}
    if set(REQUIRED) <= header <= set(COLUMNS):
        return OWN
    if table.columns(lines[0]):
        return "table"
    raise AspectraError(
        f"{path}:1: neither OBO, nor rows of MRCONSO, nor a CSV header with a code and a name.",
        "Name the columns id and name; docs/lexicon.md describes what can be imported.",
    )


def open_vocabulary(path: Path, kind: str, left: Left, tick: Callable[[int], None]) -> Iterator[Entry]:
    """The entries of a file of the ``kind`` that `form` found; ``tick`` gets the bytes read."""
    return partial(READERS[kind], path)(numbered(path, tick), left)
