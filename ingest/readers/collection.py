"""Open a collection of notes, whatever its format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from ingest.readers import csv_reader, jsonl_reader, mtsamples, openi, text_reader
from ingest.readers.detect import bare_name, check_format, check_path, detect
from ingest.readers.fields import mapped_note, within
from ingest.readers.mapping import Mapping, bind, complete, shown
from ingest.readers.record import Record
from search_stack.errors import AspectraError
from search_stack.schema import Note
from search_stack.settings import NOTE_CHARACTERS

Read = Callable[[], Iterator[Record]]
Make = Callable[[dict[str, Any]], Note]
Bounded = Callable[[Make], Make]


@dataclass(frozen=True, slots=True)
class Collection:
    """Notes in a file or folder. Each iteration reads them anew, one at a time."""

    path: Path
    format: str
    name: str
    """What the notes carry as their collection."""
    total_bytes: int
    """Size of the files as stored; ``Record.bytes_read`` goes up to it."""
    _read: Read = field(repr=False)
    links: int = 0
    """Symbolic links in the folder that are left out."""

    def __iter__(self) -> Iterator[Record]:
        """
        Raises:
            AspectraError: a file cannot be read to its end.
        """
        return self._read()


def open_collection(
    path: Path,
    format: str = "auto",
    mapping: Mapping | None = None,
    collection: str | None = None,
    note_characters: int = NOTE_CHARACTERS,
    follow_links: bool = False,
) -> Collection:
    """Open the notes at ``path``: a csv, jsonl or text file, each also with gzip, or a folder of
    text files. ``mapping`` serves csv and jsonl; ``collection`` names the notes, where the
    file's name shall not. A note of more than ``note_characters`` is rejected. Symbolic links in a
    folder are left out, those to files unless ``follow_links``.

    Raises:
        AspectraError: the path, its format or its columns are not what can be read.
    """
    check_format(format)
    check_path(path, follow_links)
    form = detect(path, mapping is not None) if format == "auto" else format
    if form != "text" and path.is_dir():
        raise AspectraError(f"{path} is a folder, and {form} is read from a file.", "Name the file.")
    if mapping is not None and form not in ("csv", "jsonl"):
        raise AspectraError(f"{path}: format {form} takes no columns.", "Leave --column out, or give --format.")
    name = collection or (form if form in ("openi", "mtsamples") else _own_name(path))
    if form == "text":
        folder = text_reader.Folder(path, follow_links)
        make = partial(_bounded, limit=note_characters)(lambda row: text_reader.note(row, name))
        return Collection(path, form, name, folder.total_bytes(), partial(text_reader.read, folder, make), folder.links)
    openers: dict[str, Callable[[Path, Mapping, str, Bounded], Read]] = {
        "csv": _csv,
        "jsonl": _jsonl,
        "openi": _openi,
        "mtsamples": _mtsamples,
    }
    read = openers[form](path, mapping or Mapping(), name, partial(_bounded, limit=note_characters))
    return Collection(path, form, name, path.stat().st_size, read)


def _bounded(make: Make, limit: int) -> Make:
    """Every reader's notes pass here."""

    def bounded(row: dict[str, Any]) -> Note:
        return within(make(row), limit)

    return bounded


def _own_name(path: Path) -> str:
    """The file's name without its ending. "demo" is kept for the synthetic notes: a file that
    happens to be called so must not be taken for them."""
    name = bare_name(path)[0]
    return f"{name}-file" if name.casefold() == "demo" else name


def _csv(path: Path, mapping: Mapping, name: str, bounded: Bounded) -> Read:
    delimiter, names = csv_reader.sniff(path, mapping)
    columns = bind(mapping, names, str(path))

    def make(row: dict[str, str]) -> Note:
        return mapped_note(row, columns, name)

    return partial(csv_reader.read, path, delimiter, names, columns.note_id or "", bounded(make))


def _jsonl(path: Path, mapping: Mapping, name: str, bounded: Bounded) -> Read:
    keys = _keys(path)
    bound = bind(mapping, keys, str(path))

    @lru_cache(maxsize=256)
    def columns(present: tuple[str, ...]) -> Mapping:
        """Optional keys may first appear far down."""
        return complete(bound, present)

    def make(row: dict[str, Any]) -> Note:
        return mapped_note(row, columns(tuple(row)), name)

    return partial(jsonl_reader.read, path, bounded(make))


def _openi(path: Path, mapping: Mapping, name: str, bounded: Bounded) -> Read:
    delimiter, names = csv_reader.sniff(path)
    _need(openi.COLUMNS, names, path, "openi")
    return partial(csv_reader.read, path, delimiter, names, "uid", bounded(lambda row: openi.note(row, name)))


def _mtsamples(path: Path, mapping: Mapping, name: str, bounded: Bounded) -> Read:
    _need(mtsamples.NEEDED, _keys(path), path, "mtsamples")
    return partial(jsonl_reader.read, path, bounded(lambda row: mtsamples.note(row, name)))


def _keys(path: Path) -> list[str]:
    keys = jsonl_reader.head_keys(path)
    if not keys:
        raise AspectraError(
            f"{path}: its first lines hold no JSON object.", "Write one object per line, not an array or indented JSON."
        )
    return keys


def _need(wanted: Sequence[str], names: Sequence[str], path: Path, form: str) -> None:
    if missing := [c for c in wanted if c not in names]:
        raise AspectraError(
            f"{path}: format {form} needs {', '.join(missing)}. {shown(names)}", "Give another --format."
        )
