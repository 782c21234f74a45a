"""One concept as its vocabulary has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Left = Counter[str]
"""How many of what were left out, by why."""
OBSOLETE, OTHER_LANGUAGE, SUPPRESSED, BROADER = "obsolete", "in other languages", "suppressed", "broader or related"


@dataclass(frozen=True, slots=True)
class Entry:
    """``names`` as written, the preferred one first; ``line`` is where it begins in the file."""

    id: str
    names: tuple[str, ...]
    line: int
    parents: tuple[str, ...] = ()
    kind: str = ""
    codes: tuple[str, ...] = ()
    """What others call it: "MESH:D011014"."""


Reader = Callable[[Left], Iterator[Entry]]
"""Reads a file that is open, and counts what it leaves out."""
