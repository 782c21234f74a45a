"""What reviewers say of each piece of evidence: whether it is read rightly."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from typing import Literal, TypeAlias, get_args

Reading = Literal["right", "wrong"]
READINGS: tuple[Reading, ...] = get_args(Reading)
DIGITS = 32
"""Of an item's id, in hexadecimal."""


@dataclass(frozen=True, slots=True)
class Item:
    """A mention in a note, a passage or a structured fact that shows a criterion: what can be right or wrong."""

    criterion: str
    """In words."""
    concept: str = ""
    """Id of a mention's concept; of a fact, its system and code; empty of words."""
    name: str = ""
    assertion: str = ""
    """Of a mention; empty of words and facts."""
    note: int | None = None
    """By key; None of a fact."""
    version: int = 0
    begin: int = 0
    end: int = 0
    """Offsets in the note; of a fact its key."""

    @property
    def id(self) -> str:
        """The same for whoever looks at it, as long as the note stays as it is."""
        return hashlib.sha256(json.dumps(astuple(self)).encode()).hexdigest()[:DIGITS]

    @property
    def place(self) -> str:
        """Without a blank, as TREC's files want it."""
        return f"fact:{self.end}" if self.note is None else f"{self.note}:{self.begin}-{self.end}"


@dataclass(frozen=True, slots=True)
class Mark:
    """A row as it is kept."""

    reviewer: str
    patient: int
    item: Item
    reading: Reading | None
    """None takes back what was said before."""


Marked: TypeAlias = Mapping[str, Mapping[Item, Mark]]


def marked(rows: Iterable[Mark]) -> Marked:
    """By reviewer and item, what was said of it last.

    Args:
        rows: in the order in which they were kept.
    """
    out: dict[str, dict[Item, Mark]] = {}
    for row in rows:
        own = out.setdefault(row.reviewer, {})
        if row.reading:
            own[row.item] = row
        else:
            own.pop(row.item, None)
    return out
