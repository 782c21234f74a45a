"""JSON Lines: one object per line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from ingest.readers.columns import Columns, bind, complete
from ingest.readers.fields import mapped_note
from ingest.readers.format import Format, Make, Request
from ingest.readers.record import FieldError, Item, Record, Rejected
from ingest.readers.source import Source
from ingest.readers.streams import RECORD_BYTES, InputFile, Lines, RecordTooLongError
from search_stack.core.errors import AspectraError

HEAD_OBJECTS = 100
HEAD_BYTES = 4 * 2**20


def head_keys(path: Path) -> list[str]:
    """The keys of the first objects, in the order in which they appear; none where the
    file's head holds no object."""
    keys: dict[str, None] = {}
    count = size = 0
    with InputFile(path) as source:
        for _, line, _ in _lines(source):
            size += len(line or b"")
            try:
                keys.update(dict.fromkeys(_object(line)))
                count += 1
            except FieldError:
                pass
            if count >= HEAD_OBJECTS or size >= HEAD_BYTES:
                break
    return list(keys)


def columns(path: Path) -> list[str]:
    """
    Raises:
        AspectraError: the file's head holds no object.
    """
    if keys := head_keys(path):
        return keys
    raise AspectraError(
        f"{path}: its first lines hold no JSON object.", "Write one object per line, not an array or indented JSON."
    )


def read(path: Path, make: Make) -> Iterator[Record]:
    """Yield a record for each line of ``path`` that is not blank.

    ``make`` builds the note from an object, or raises FieldError.
    """
    with InputFile(path) as source:
        for number, value, position in objects(source):
            item: Item | Rejected
            try:
                item = make(value())
            except FieldError as e:
                item = Rejected(path.name, number, e.field, e.reason, cut=e.cut)
            yield Record(item, position)


def objects(source: InputFile, having: bytes = b"") -> Iterator[tuple[int, Callable[[], dict[str, Any]], int]]:
    """Each line of ``source`` that is not blank and in which ``having`` stands: its number, its object, and where it
    ends in the file.

    Raises (the call for the object):
        FieldError: the line holds none.
    """
    for number, line, position in _lines(source):
        if having in (line or b""):
            yield number, partial(_object, line), position


def _lines(source: InputFile) -> Iterator[tuple[int, bytes | None, int]]:
    """Number, content and end of each line that is not blank; None for one beyond the limit. Only the last line of a
    file may come without the LF that ends it."""
    lines = Lines(source)
    while True:
        lines.begin_record()
        try:
            line = next(lines)
        except StopIteration:
            return
        except RecordTooLongError:
            yield lines.number, None, source.position
        else:
            if line.strip():
                yield lines.number, line, source.position


def _object(line: bytes | None) -> dict[str, Any]:
    """Parse one line. Reasons name the column, never what stands there. A last line that does not parse and has no end
    tells of a file that was cut off while it was written or copied."""
    if line is None:
        raise FieldError("", str(RecordTooLongError(RECORD_BYTES)))
    cut = not line.endswith(b"\n")
    try:
        value = json.loads(line.strip().decode("utf-8"))
    except UnicodeDecodeError:
        raise FieldError("", "not valid UTF-8", cut) from None
    except json.JSONDecodeError as e:
        # what follows a colon in these messages may quote the line
        raise FieldError("", f"not valid JSON: {e.msg.partition(':')[0]} (column {e.colno})", cut) from None
    except RecursionError:
        raise FieldError("", "not valid JSON: nested too deeply") from None
    except ValueError:
        raise FieldError("", "not valid JSON: a number is too long") from None
    if not isinstance(value, dict):
        raise FieldError("", "not a JSON object")
    return value


def _open(request: Request) -> Source:
    bound = bind(request.columns or Columns(), columns(request.path), request.shown)
    collection = request.collection_name()

    @lru_cache(maxsize=256)
    def completed(present: tuple[str, ...]) -> Columns:
        """Optional keys may first appear far down."""
        return complete(bound, present, request.shown)

    make = request.bounded(lambda row: mapped_note(row, completed(tuple(row)), collection))
    return request.file("jsonl", collection, partial(read, request.path, make))


FORMAT = Format("jsonl", _open, endings=(".jsonl", ".ndjson", ".json"), takes_columns=True)
