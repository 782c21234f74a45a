"""Plain text: one note per .txt file, in a folder or alone."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ingest.readers.fields import as_string, identifier, note_text
from ingest.readers.record import FieldError, Record, Rejected
from ingest.readers.streams import RECORD_BYTES, RecordTooLongError, Source
from search_stack.errors import AspectraError
from search_stack.schema import Note

SUFFIXES = (".txt", ".txt.gz")


class Folder:
    """The text files at ``path``: a folder's, or the one file that it is.

    Names that start with a dot are left out, and so are symbolic links: one can lead to any file of
    the machine, and those to folders in circles. ``follow_links`` takes in links to files.
    """

    def __init__(self, path: Path, follow_links: bool = False) -> None:
        self.path = path
        self._follow = follow_links
        self._is_folder = path.is_dir()
        self.links = sum(entry.is_symlink() for entry in self._entries(path)) if self._is_folder else 0
        """Symbolic links that are left out."""
        if follow_links and self._is_folder:
            self.links -= sum(entry.is_symlink() for entry in self._texts())

    def files(self) -> Iterator[Path]:
        """The files, sorted within each folder.

        Raises:
            AspectraError: a folder cannot be listed.
        """
        return self._texts() if self._is_folder else iter((self.path,))

    def name(self, file: Path) -> str:
        """File name; within a folder, the path below it."""
        return file.relative_to(self.path).as_posix() if self._is_folder else file.name

    def open(self, file: Path) -> Source:
        return Source(file, follow_link=self._follow or not self._is_folder)

    def total_bytes(self) -> int:
        """Size of the files, as stored."""
        return sum(map(size, self.files()))

    def _texts(self) -> Iterator[Path]:
        for path in self._entries(self.path):
            if not path.name.lower().endswith(SUFFIXES) or (path.is_symlink() and not self._follow):
                continue
            if path.is_file():  # no pipe and no device, which have no end
                yield path

    def _entries(self, folder: Path) -> Iterator[Path]:
        """All that could be notes: links, files, and those of the folders below."""
        try:
            with os.scandir(folder) as entries:
                found = sorted((e.name, e.is_dir(follow_symlinks=False)) for e in entries if not e.name.startswith("."))
        except OSError as e:
            raise AspectraError(f"Folder {folder} cannot be listed: {e.strerror}.", "Check its permissions.") from e
        for name, is_folder in found:
            if is_folder:
                yield from self._entries(folder / name)
            else:
                yield folder / name


def read(folder: Folder, make: Callable[[dict[str, Any]], Note]) -> Iterator[Record]:
    """Yield a record for each text file; ``make`` builds the note from its name and text."""
    done = 0
    for file in folder.files():
        item = _item(folder, file, make)
        done += size(file)
        yield Record(item, done)


def note(row: dict[str, str], collection: str) -> Note:
    """Build a note from a file's name and text.

    Raises:
        FieldError: one of them cannot be taken.
    """
    note_id = identifier(_stem(as_string(row["name"], "note_id")), "note_id")
    return Note(note_id, note_text(row["text"]), note_id, collection=collection)


def size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0  # gone since it was listed: reading it says so


def _item(folder: Folder, file: Path, make: Callable[[dict[str, Any]], Note]) -> Note | Rejected:
    name = folder.name(file)
    try:
        return make({"name": name, "text": _text(folder, file)})
    except FieldError as e:
        return Rejected(os.fsencode(name).decode("utf-8", "replace"), 0, e.field, e.reason)


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
