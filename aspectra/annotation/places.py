"""Which mentions are judged, in which order."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.gold import RANDOM, GoldMention
from search_stack.evaluation.datasets.own_notes import OwnNote
from search_stack.evaluation.datasets.records import offsets, rows
from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.kinds import guessed_kind

GIVEN = "given"
"""How a mention was drawn that a file named."""
COLUMNS = ("note", "begin", "end", "concept")


@dataclass(frozen=True, slots=True)
class Place:
    """What is judged: a stretch of a note, and the concept that it may mean."""

    note: str
    begin: int
    end: int
    concept: str
    drawn: str

    @property
    def key(self) -> tuple[str, int, int, str]:
        """As `GoldMention.place` has it."""
        return self.note, self.begin, self.end, self.concept


def found(notes: Mapping[str, OwnNote], labeller: Labeller, progress: Callable[[str, int, int], None]) -> list[Place]:
    """Every mention that the labels find, as drawn at random from them."""
    places = []
    for done, note in enumerate(notes.values(), 1):
        for f in labeller.label(note.text).findings:
            name = " ".join(labeller.lexicon.name_of(f.concept).split())
            places.append(Place(note.id, f.begin, f.end, name, RANDOM))
        progress("notes read", done, len(notes))
    return places


def given(file: Path, notes: Mapping[str, OwnNote]) -> list[Place]:
    """The places that ``file`` names, tab-separated.

    Raises:
        AspectraError: the file cannot be read, or a row is no place in ``notes``; the message names line and field.
    """
    places = []
    for where, row in rows(file, "mentions to judge", COLUMNS, tabs=True):
        begin, end = offsets(row, where)
        if row["note"] not in notes:
            raise AspectraError(f"{where}: note: there is none of that id.", "Name the file that has it.")
        if end > len(notes[row["note"]].text):
            raise AspectraError(f"{where}: end: behind the end of the note.", "Count characters, not bytes.")
        if not row["concept"]:
            raise AspectraError(f"{where}: concept: empty.", "Say what the place may mean.")
        places.append(Place(row["note"], begin, end, row["concept"], GIVEN))
    return places


def place_of(mention: GoldMention) -> Place:
    return Place(*mention.place, mention.drawn)


def to_judge(places: Iterable[Place], done: Iterable[GoldMention], number: int | None, seed: int) -> list[Place]:
    """Places that are not ``done``: ``number`` of them at random, or each where it is None.

    Each place has its own lot, by seed and place alone. So the order stays when notes or concepts are added, a
    larger number goes on from a smaller one, and any stop leaves a sample that is random.
    """
    judged = {m.place for m in done}
    left = {p.key: p for p in places if p.key not in judged}
    order = sorted(left.values(), key=lambda p: hashlib.sha256(repr((seed, *p.key)).encode()).digest())
    return order[:number]


def kind_of(place: Place, text: str, labeller: Labeller) -> str:
    """Kind of its concept; a guess by the words where no lexicon knows it."""
    concept = labeller.lexicon.find(place.concept)
    return concept.kind if concept else guessed_kind(place.concept) or guessed_kind(text[place.begin : place.end])
