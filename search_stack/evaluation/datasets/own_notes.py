"""A site's own notes as JSON lines."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.records import lines

SHAPE = 'Write each line as: {"id": "n1", "text": "No pneumothorax."}'


@dataclass(frozen=True, slots=True)
class OwnNote:
    id: str
    text: str
    type: str = ""
    """What kind of note it is, where the line tells it."""


def load(file: Path) -> dict[str, OwnNote]:
    """The notes by id, in the order of the file.

    Raises:
        AspectraError: the file cannot be read, holds no note, or a line is none; the message names line and field,
            and nothing that stands there.
    """
    found: dict[str, OwnNote] = {}
    for where, line in lines(file, "notes"):
        note = _note(line, where)
        if note.id in found:
            raise AspectraError(f"{where}: id: an earlier note has it.", "Give each note an id of its own.")
        found[note.id] = note
    if not found:
        raise AspectraError(f"{file}: holds no note.", SHAPE)
    return found


def _note(line: str, where: str) -> OwnNote:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise AspectraError(f"{where}: not JSON.", SHAPE) from None
    if not isinstance(row, dict):
        raise AspectraError(f"{where}: not a JSON object.", SHAPE)
    name, text, kind = row.get("id"), row.get("text"), row.get("type", "")
    if isinstance(name, bool) or not isinstance(name, str | int) or not str(name):
        raise AspectraError(f"{where}: id is missing, or neither text nor a number.", SHAPE)
    if not str(name).isprintable():
        raise AspectraError(
            f"{where}: id: no table can hold its characters.", "Leave out tabs, line ends and controls."
        )
    if not isinstance(text, str):
        raise AspectraError(f"{where}: text is missing or not text.", SHAPE)
    if not isinstance(kind, str):
        raise AspectraError(f"{where}: type is not text.", "Leave it out, or give it as text.")
    return OwnNote(str(name), text, kind)
