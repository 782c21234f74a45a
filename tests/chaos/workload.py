"""Notes whose every sentence says whose it is and of which edition, and what must be there in the end."""

from __future__ import annotations

import csv
import random
import re
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path

EVERYWHERE, ANCHOR = "kestrel", "bollard"
"""A word of every sentence, and one of the anchors alone; no lexicon knows them."""
ANCHORS = 12
"""The first so many notes never change: what a search must count whatever happens."""
PATIENTS = 9
MARK = re.compile(r"\bn(\d+)e(\d+)\b")
_THINGS = ("left lower lobe", "right hilum", "aortic arch", "third rib", "trachea", "costal margin", "left atrium")
_STATES = ("is clear", "is as before", "measures twelve units", "was not seen on this view", "has a smooth border")
Editions = Mapping[int, int]
"""By the number of a note, its edition: 1 when it is first written, one more with each change."""


def note_id(number: int) -> str:
    return f"n{number}"


def patient_id(number: int, edition: int) -> str:
    """A change may move a note to another patient."""
    return f"p{(number + edition // 2) % PATIENTS}"


def note_text(number: int, edition: int) -> str:
    """One to forty sentences, so that an edition may have more passages than the next, or fewer."""
    chance = random.Random(f"{number}.{edition}")
    anchor = f"{ANCHOR} " if number < ANCHORS else ""
    lines = [
        f"The {EVERYWHERE} {anchor}n{number}e{edition} line {i}: the {chance.choice(_THINGS)} {chance.choice(_STATES)}."
        for i in range(chance.choice((1, 2, 4, 8, 16, 40)))
    ]
    half = len(lines) // 2
    findings = f"FINDINGS: {' '.join(lines[:half])}\n\n" if half else ""  # a heading alone would be a passage
    return f"{findings}IMPRESSION: {' '.join(lines[half:])}"


def write_csv(path: Path, editions: Editions) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["note_id", "patient_id", "date", "type", "text"])
        for n, e in editions.items():
            out.writerow([note_id(n), patient_id(n, e), "2020-01-31", "report", note_text(n, e)])
    return path


class Model:
    """What was asked for, and what was acknowledged; both threads that write and those that search use it.

    The span of a note is the oldest and the newest edition that a search may show. What a
    command has acknowledged raises the one, what is about to be asked for raises the other.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: dict[int, int] = {}
        self._oldest: dict[int, int] = {}
        self._wanted: dict[int, int] = {}

    def offer(self, numbers: Iterable[int]) -> dict[int, int]:
        """New editions of ``numbers``, about to be ingested."""
        with self._lock:
            fresh = {n: self._newest.get(n, 0) + 1 for n in numbers}
            self._newest |= fresh
            self._wanted |= fresh
        return fresh

    def found(self, editions: Editions) -> None:
        """A command said that these can be found: older ones must not be any more."""
        with self._lock:
            self._oldest |= editions

    def leave(self, numbers: Iterable[int]) -> None:
        """They are about to be deleted."""
        with self._lock:
            for n in numbers:
                self._wanted.pop(n, None)

    def gone(self, numbers: Iterable[int]) -> None:
        """A command said that they are deleted: no edition of them must be found."""
        with self._lock:
            self._oldest |= {n: self._newest[n] + 1 for n in numbers}

    @property
    def wanted(self) -> dict[int, int]:
        with self._lock:
            return dict(self._wanted)

    def absent(self) -> list[int]:
        """Notes that are written and not wanted."""
        with self._lock:
            return [n for n in self._newest if n not in self._wanted]

    def oldest(self) -> dict[int, int]:
        with self._lock:
            return dict(self._oldest)

    def newest(self) -> dict[int, int]:
        with self._lock:
            return dict(self._newest)
