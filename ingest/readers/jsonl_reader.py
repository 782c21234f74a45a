"""JSON Lines: one object per line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ingest.readers.record import FieldError, Record, Rejected
from ingest.readers.streams import RECORD_BYTES, Lines, RecordTooLongError, Source
from search_stack.schema import Note

HEAD_OBJECTS = 100
HEAD_BYTES = 4 * 2**20

MakeNote = Callable[[dict[str, Any]], Note]


def head_keys(path: Path) -> list[str]:
    """The keys of the first objects, in the order in which they appear; none where the
    file's head holds no object."""
    keys: dict[str, None] = {}
    objects = size = 0
    for _, line, _ in _lines(path):
        size += len(line or b"")
        try:
            keys.update(dict.fromkeys(_object(line)))
            objects += 1
        except FieldError:
            pass
        if objects >= HEAD_OBJECTS or size >= HEAD_BYTES:
            break
    return list(keys)


def read(path: Path, make: MakeNote) -> Iterator[Record]:
    """Yield a record for each line of ``path`` that is not blank.

    ``make`` builds the note from an object, or raises FieldError.
    """
    for number, line, position in _lines(path):
        item: Note | Rejected
        try:
            item = make(_object(line))
        except FieldError as e:
            item = Rejected(path.name, number, e.field, e.reason)
        yield Record(item, position)


def _lines(path: Path) -> Iterator[tuple[int, bytes | None, int]]:
    """Number, content and end of each line that is not blank; None for one beyond the limit."""
    with Source(path) as source:
        lines = Lines(source)
        while True:
            lines.begin_record()
            try:
                line = next(lines).strip()
            except StopIteration:
                return
            except RecordTooLongError:
                yield lines.number, None, source.position
            else:
                if line:
                    yield lines.number, line, source.position


def _object(line: bytes | None) -> dict[str, Any]:
    """Parse one line. Reasons name the column, never what stands there."""
    if line is None:
        raise FieldError("", str(RecordTooLongError(RECORD_BYTES)))
    try:
        value = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise FieldError("", "not valid UTF-8") from None
    except json.JSONDecodeError as e:
        # what follows a colon in these messages may quote the line
        raise FieldError("", f"not valid JSON: {e.msg.partition(':')[0]} (column {e.colno})") from None
    except RecursionError:
        raise FieldError("", "not valid JSON: nested too deeply") from None
    except ValueError:
        raise FieldError("", "not valid JSON: a number is too long") from None
    if not isinstance(value, dict):
        raise FieldError("", "not a JSON object")
    return value
