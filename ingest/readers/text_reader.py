"""Plain text: one note per .txt file, in a folder or alone."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from pathlib import Path

from ingest.readers.fields import as_string, identifier, note_text
from ingest.readers.record import FieldError, Record, Rejected
from ingest.readers.streams import RECORD_BYTES, RecordTooLongError, Source
from search_stack.errors import AspectraError
from search_stack.schema import Note

SUFFIXES = (".txt", ".txt.gz")


def walk(folder: Path) -> Iterator[Path]:
    """The text files below ``folder``, sorted within each folder. Names that start with a dot
    are left out, and links to folders are not followed, since they may lead in circles.

    Raises:
        AspectraError: a folder cannot be listed.
    """
    try:
        with os.scandir(folder) as entries:
            found = sorted((e.name, e.is_dir(follow_symlinks=False)) for e in entries if not e.name.startswith("."))
    except OSError as e:
        raise AspectraError(f"Folder {folder} cannot be listed: {e.strerror}.", "Check its permissions.") from e
    for name, is_folder in found:
        if is_folder:
            yield from walk(folder / name)
        elif name.lower().endswith(SUFFIXES) and (folder / name).is_file():
            yield folder / name


def read(path: Path, collection: str) -> Iterator[Record]:
    """Yield a record for each text file of a folder, or for the one file ``path``."""
    done = 0
    is_folder = path.is_dir()
    for file in walk(path) if is_folder else (path,):
        name = file.relative_to(path).as_posix() if is_folder else file.name
        item = _item(file, name, collection)
        done += _size(file)
        yield Record(item, done)


def total_bytes(path: Path) -> int:
    """Size in bytes of the files that ``read`` would read, as stored."""
    return sum(map(_size, walk(path))) if path.is_dir() else _size(path)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0  # gone since it was listed: reading it says so


def _item(file: Path, name: str, collection: str) -> Note | Rejected:
    try:
        note_id = identifier(_stem(as_string(name, "note_id")), "note_id")
        return Note(note_id, note_text(_text(file)), note_id, collection=collection)
    except FieldError as e:
        return Rejected(os.fsencode(name).decode("utf-8", "replace"), 0, e.field, e.reason)


def _stem(name: str) -> str:
    """The name without .txt and .gz, whatever their case; other endings are part of it."""
    for suffix in (".gz", ".txt"):
        if name.lower().endswith(suffix):
            name = name[: -len(suffix)]
    return name


def _text(file: Path) -> str:
    """One bad file of many is rejected, not the whole folder."""
    try:
        with Source(file) as source:
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
