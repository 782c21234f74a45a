"""Notes with the headings that a site printed in bold (the format of MTSamples)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.records import first, lines


@dataclass(frozen=True, slots=True)
class HeadedNote:
    """A note and the offsets at which its headings begin."""

    text: str
    gold: frozenset[int]


def load(file: Path, limit: int | None = None) -> list[HeadedNote]:
    """Notes that have headings, one JSON object a line with ``text`` and ``headings``.

    Raises:
        AspectraError: the file cannot be read, or a line is not of this shape.
    """
    notes = (_note(line, where) for where, line in lines(file, "notes"))
    return first((n for n in notes if n.gold), limit, f"{file}: no note has headings.", "notes with headings")


def _note(line: str, where: str) -> HeadedNote:
    remedy = 'Write each line as: {"text": "PLAN: Rest.", "headings": ["PLAN:"]}'
    try:
        row = json.loads(line)
        text, headings = row["text"], row["headings"]
    except (ValueError, KeyError, TypeError):
        raise AspectraError(f"{where}: not an object with text and headings.", remedy) from None
    if not isinstance(text, str) or not isinstance(headings, list) or not all(isinstance(h, str) for h in headings):
        raise AspectraError(f"{where}: text or headings has the wrong type.", remedy)
    gold, at = [], 0
    for heading in headings:
        found = text.find(heading, at)
        if found < 0:
            raise AspectraError(f"{where}: headings: one is not in the text after the one before it.", remedy)
        gold.append(found)
        at = found + len(heading)
    return HeadedNote(text, frozenset(gold))
