"""Plain text: one note per .txt file, in a folder or alone."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from ingest.readers.columns import Columns
from ingest.readers.fields import as_string, identifier, mapped_note, spelt
from ingest.readers.folder import Folder, size
from ingest.readers.format import Format, Make, Rank, Request
from ingest.readers.names import Names
from ingest.readers.record import FieldError, Item, Record, Rejected
from ingest.readers.source import Opened, Source, Work
from ingest.readers.streams import RECORD_BYTES, RecordTooLongError
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note

SUFFIXES = (".txt", ".txt.gz")
EACH_ITS_OWN = "Each file counts as a patient of its own, without a day: --names reads them from the files' names."


def read(folder: Folder, make: Make) -> Iterator[Record]:
    """Yield a record for each text file; ``make`` builds the note from its name and text."""
    done = 0
    for file in folder.files():
        item = _item(folder, file, make)
        done += size(file)
        yield Record(item, done)


def note(row: dict[str, str], collection: str, names: Names | None = None) -> Note:
    """Build a note from a file's name and text.

    Raises:
        FieldError: one of them cannot be taken, or the name is not as ``names`` has it.
    """
    note_id = identifier(_stem(as_string(row["name"], "note_id")), "note_id")
    told = names.read(note_id) if names else {}
    columns = Columns(note_id="note_id", text=("text",), **{field: field for field in told})
    return mapped_note({**told, "note_id": note_id, "text": row["text"]}, columns, collection)


def _item(folder: Folder, file: Path, make: Make) -> Item | Rejected:
    name = folder.name(file)
    try:
        return make({"name": name, "text": _text(folder, file)})
    except FieldError as e:
        return Rejected(spelt(name), 0, e.field, e.reason)


def _stem(name: str) -> str:
    """The name without .txt and .gz, whatever their case; other endings are part of it."""
    for suffix in (".gz", ".txt"):
        if name.lower().endswith(suffix):
            name = name[: -len(suffix)]
    return name


def _text(folder: Folder, file: Path) -> str:
    """One bad file of many is rejected, not the whole folder."""
    try:
        with folder.open(file) as source:
            content = source.read(RECORD_BYTES + 1)
        if len(content) > RECORD_BYTES:
            raise RecordTooLongError(RECORD_BYTES)
        return content.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except AspectraError as e:
        raise FieldError("text", "the file cannot be read, or is damaged") from e
    except UnicodeDecodeError:
        raise FieldError("text", "not valid UTF-8") from None
    except RecordTooLongError as e:
        raise FieldError("text", str(e)) from None


def _open(request: Request) -> Source:
    folder = Folder(request.path, SUFFIXES, request.follow_links)
    if next(folder.files(), None) is None:
        linked = " but symbolic links" if folder.links else ""
        raise AspectraError(
            f"Folder {request.path} holds no .txt file{linked}.",
            "Name a folder of .txt files, or a single csv or jsonl file; --follow-links reads links to files.",
        )
    collection = request.collection_name()
    names = Names(request.names) if request.names is not None else None
    make = request.bounded(lambda row: note(row, collection, names))
    return Opened(
        request.path.name,
        request.where,
        "text",
        collection,
        Work(folder.total_bytes(), "bytes"),
        partial(read, folder, make),
        [*folder.remarks, *([EACH_ITS_OWN] if names is None and request.kind == "folder" else [])],
    )


def _recognise(request: Request) -> Rank:
    return Rank.NAME if request.kind == "folder" else Rank.NO


FORMAT = Format("text", _open, endings=(".txt",), recognise=_recognise, holds=("file", "folder"), takes_names=True)
