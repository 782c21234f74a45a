"""Where a CSV file goes on after a row whose quotes do not match.

The lines after such a row may be the rest of a note, and a line of prose with the right
number of commas would pass for a row. So a row is trusted again only when its id looks like
the ids before the damage.
"""

from __future__ import annotations

import re

SHAPES = 64
"""Shapes remembered; a file with more has no shape of id, and any single word is taken."""


class IdShapes:
    def __init__(self) -> None:
        self._seen: set[str] = set()

    def add(self, note_id: str) -> None:
        if len(self._seen) < SHAPES:
            self._seen.add(shape(note_id))

    def fits(self, note_id: str) -> bool:
        if 0 < len(self._seen) < SHAPES:
            return shape(note_id) in self._seen
        return bool(note_id.strip()) and len(note_id.split()) == 1


def shape(note_id: str) -> str:
    """Runs of letters become ``a``, runs with a digit ``9``: "RAD-2019" and "CT-7" are alike."""
    with_digits = re.sub(r"[^\W_]*\d[^\W_]*", "9", note_id.strip())
    return re.sub(r"[^\W\d_]+", "a", with_digits)
