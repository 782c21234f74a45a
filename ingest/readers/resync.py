"""What ids look like, so that a line of prose is not taken for a row.

The lines after a row whose quotes do not match may be the rest of a note, and a line of prose with
the right number of commas would pass for a row. So a row is trusted again only when its id looks
like the ids of the file's other rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

SHAPES = 64
"""Shapes remembered; a file with more has no shape of id, and any single word is taken."""
FEW = 64
"""Rows taken in below which the rows that follow the damage say, too, what an id looks like."""


ENOUGH = 4
"""Rows in a chain that may change what is known already."""
DISTINCT = 0.9
"""Share of different ones among what can be ids."""


class IdShapes:
    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._rows = 0

    def add(self, note_id: str) -> None:
        self._rows += 1
        if len(self._seen) < SHAPES:
            self._seen.add(shape(note_id))

    @property
    def unsure(self) -> bool:
        return self._rows < FEW

    def learn(self, note_ids: Sequence[str]) -> None:
        """Shapes of rows that are not taken in yet; ids that come again and again are none."""
        if self._rows and len(note_ids) < ENOUGH:
            return
        if len(set(note_ids)) < DISTINCT * len(note_ids):
            return
        found = {shape(note_id) for note_id in note_ids if note_id.strip()}
        if len(self._seen | found) < SHAPES:
            self._seen |= found

    def fits(self, note_id: str) -> bool:
        if "\n" in note_id:
            return False  # what ends a note and what begins a row, between two quotes
        if 0 < len(self._seen) < SHAPES:
            return shape(note_id) in self._seen
        return is_word(note_id)


def is_word(note_id: str) -> bool:
    return len(note_id.split()) == 1


def shape(note_id: str) -> str:
    """Runs of letters become ``a``, runs with a digit ``9``: "RAD-2019" and "CT-7" are alike."""
    with_digits = re.sub(r"[^\W_]*\d[^\W_]*", "9", note_id.strip())
    return re.sub(r"[^\W\d_]+", "a", with_digits)
