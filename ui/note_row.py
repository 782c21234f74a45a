"""A note of a record in a list, with the passages that show the search."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from markupsafe import Markup

from ingest.ledger.listing import ListedNote
from ingest.ledger.tables import INDEXED
from search_stack.retrieval.evidence import Criterion, Shown, Sought, Spot
from search_stack.retrieval.nearness import PassageNear
from ui.heat import COLD, Heat, heat
from ui.hues import HUES, lit
from ui.near_copies import Like, copies_said, likes
from ui.note_name import note_name
from ui.place import Place
from ui.record import Outline

SNIPPETS = 3
"""Passages of a note that stand open; more are folded."""
NO_PARTS: Mapping[int, str] = {}
NO_OUTLINES: Mapping[int, Outline] = {}


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage that shows the search."""

    id: str
    number: int
    """Among all of the list, from 1."""
    text: Markup
    section: str
    url: str
    similar: str
    """Address of the passages that are like it."""
    like: Like | None = None
    """None where it is no near-copy."""


@dataclass(frozen=True, slots=True)
class NoteRow:
    key: int
    day: str
    name: str
    url: str
    state: str
    """Empty where it can be found."""
    hues: tuple[tuple[int, str], ...] = ()
    passages: int = 0
    """That show the search."""
    snippets: tuple[Snippet, ...] = ()
    """These passages; none where they are not read yet."""
    part: str = ""
    """Address from which they come, where they are not read yet."""
    sections: tuple[tuple[str, str], ...] = ()
    """Name and address of each, where the note has several and they are read."""
    heat: Heat = COLD

    @property
    def open(self) -> tuple[Snippet, ...]:
        return self._anew[:SNIPPETS]

    @property
    def folded(self) -> tuple[Snippet, ...]:
        return self._anew[SNIPPETS:]

    @property
    def copied(self) -> tuple[Snippet, ...]:
        """Near-copies of passages above, folded."""
        return tuple(one for one in self.snippets if one.like)

    @property
    def copies(self) -> tuple[Like, ...]:
        return tuple(one.like for one in self.snippets if one.like)

    @property
    def copied_said(self) -> str:
        return copies_said(self.copies)

    @property
    def repeats(self) -> bool:
        """Whether all that it shows stands above already."""
        return bool(self.snippets) and not self._anew

    @property
    def _anew(self) -> tuple[Snippet, ...]:
        return tuple(one for one in self.snippets if not one.like)


@dataclass(frozen=True, slots=True)
class Entry:
    """One note, or several in a row that only repeat what stands above, folded."""

    rows: tuple[NoteRow, ...]

    @property
    def repeats(self) -> bool:
        return self.rows[0].repeats

    @property
    def said(self) -> str:
        """How many they are."""
        return copies_said([like for row in self.rows for like in row.copies])


def entries(rows: Iterable[NoteRow]) -> Iterator[Entry]:
    for repeats, own in groupby(rows, key=lambda row: row.repeats):
        if repeats:
            yield Entry(tuple(own))
        else:
            yield from (Entry((row,)) for row in own)


@dataclass(slots=True)
class Matches:
    """By note, the passages that show the search, and by which criteria."""

    sought: Sought | None = None
    """None where nothing is asked."""
    spots: dict[int, list[Spot]] = field(default_factory=dict)
    """All of them."""
    shown: dict[int, list[Shown]] = field(default_factory=dict)
    """Those that are read."""

    @property
    def criteria(self) -> Sequence[Criterion]:
        return self.sought.criteria if self.sought else ()

    @classmethod
    def of(cls, sought: Sought, spots: Iterable[Spot]) -> Matches:
        made = cls(sought)
        for one in spots:
            made.spots.setdefault(one.note_key, []).append(one)
        return made

    @classmethod
    def all_of(cls, sought: Sought, shown: Iterable[Shown]) -> Matches:
        """Where each is read at once."""
        read = list(shown)
        made = cls.of(sought, (one.spot for one in read))
        made.read(read)
        return made

    def read(self, shown: Iterable[Shown]) -> None:
        for one in shown:
            self.shown.setdefault(one.hit.note_key, []).append(one)

    def named(self, note: int) -> tuple[tuple[int, str], ...]:
        held = sorted({n for one in self.spots.get(note, ()) for n in one.held})
        return tuple((n % HUES, self.criteria[n].said) for n in held)

    def notes_of(self, criterion: int) -> int:
        """Notes that show it."""
        return sum(any(criterion in one.held for one in spots) for spots in self.spots.values())


def note_rows(
    notes: Sequence[ListedNote],
    matches: Matches,
    place: Place,
    parts: Mapping[int, str] = NO_PARTS,
    wanted: Container[int] | None = None,
    outlines: Mapping[int, Outline] = NO_OUTLINES,
    near: Sequence[PassageNear] = (),
) -> tuple[NoteRow, ...]:
    """One for each of ``notes``, their passages numbered through.

    Args:
        parts: by note, the address from which its passages come, where they are not read yet.
        wanted: keys of the notes that have a row; all where it is not given.
        near: how near the passages of some of them are to the search, note by note.
    """
    out: list[NoteRow] = []
    first = 1
    warm = {key: tuple(own) for key, own in groupby(near, key=lambda one: one.note_key)}
    repeated = likes([one for note in notes for one in matches.shown.get(note.key, ())])
    for note in notes:
        if wanted is None or note.key in wanted:
            row = _row(note, matches, place, first, parts.get(note.key, ""), repeated)
            sections = tuple((name, place.note(note.key, at)) for name, at in outlines.get(note.key, ()))
            out.append(replace(row, sections=sections, heat=_heat(note.key, warm, matches, place)))
        first += len(matches.spots.get(note.key, ()))
    return tuple(out)


def _row(
    note: ListedNote, matches: Matches, place: Place, first: int, part: str, repeated: Mapping[str, Like]
) -> NoteRow:
    spots = matches.spots.get(note.key, [])
    # Near-copies are folded behind the others, so they are counted behind them.
    shown = sorted(matches.shown.get(note.key, ()), key=lambda one: one.hit.passage_id in repeated)
    return NoteRow(
        key=note.key,
        day=note.date.isoformat() if note.date else "",
        name=note_name(note.title, note.type, note.note_id),
        url=place.at(note.key, spots[0].passage_id) if spots else place.note(note.key),
        state="" if note.state == INDEXED else note.state,
        hues=matches.named(note.key),
        passages=len(spots),
        snippets=tuple(
            _snippet(one, number, matches, place, repeated.get(one.hit.passage_id))
            for number, one in enumerate(shown, first)
        ),
        part="" if shown else part,
    )


def _heat(note: int, warm: Mapping[int, Sequence[PassageNear]], matches: Matches, place: Place) -> Heat:
    hues = {spot.passage_id: min(spot.held) % HUES for spot in matches.spots.get(note, ()) if spot.held}
    return heat(warm.get(note, ()), hues, lambda passage_id: place.at(note, passage_id))


def _snippet(shown: Shown, number: int, matches: Matches, place: Place, like: Like | None) -> Snippet:
    hit = shown.hit
    text = lit(shown, matches.criteria, like.own if like else ())
    section, url = hit.section or hit.aspect, place.passage(hit)
    return Snippet(hit.passage_id, number, text, section, url, place.similar(hit), like)
