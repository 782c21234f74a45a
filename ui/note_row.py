"""A note of a record in a list, with the passages that show the search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup, escape

from ingest.ledger.listing import ListedNote
from ingest.ledger.tables import INDEXED
from search_stack.retrieval.evidence import Criterion, Shown, Sought, Spot, mentions
from ui.note_name import note_name
from ui.place import Place

HUES = 6
"""Colours of criteria; a seventh has the first one's again."""
SNIPPETS = 3
"""Passages of a note that stand open; more are folded."""
NO_PARTS: Mapping[int, str] = {}


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage that shows the search."""

    id: str
    number: int
    """Among all of the list, from 1."""
    text: Markup
    section: str
    url: str


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

    @property
    def open(self) -> tuple[Snippet, ...]:
        return self.snippets[:SNIPPETS]

    @property
    def folded(self) -> tuple[Snippet, ...]:
        return self.snippets[SNIPPETS:]


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
    notes: Sequence[ListedNote], matches: Matches, place: Place, parts: Mapping[int, str] = NO_PARTS
) -> tuple[NoteRow, ...]:
    """One for each of ``notes``, their passages numbered through.

    Args:
        parts: by note, the address from which its passages come, where they are not read yet.
    """
    out: list[NoteRow] = []
    passed = 0
    for note in notes:
        out.append(_row(note, matches, place, passed + 1, parts.get(note.key, "")))
        passed += out[-1].passages
    return tuple(out)


def _row(note: ListedNote, matches: Matches, place: Place, first: int, part: str) -> NoteRow:
    spots, shown = matches.spots.get(note.key, []), matches.shown.get(note.key, [])
    return NoteRow(
        key=note.key,
        day=note.date.isoformat() if note.date else "",
        name=note_name(note.title, note.type, note.note_id),
        url=place.at(note.key, spots[0].passage_id) if spots else place.note(note.key),
        state="" if note.state == INDEXED else note.state,
        hues=matches.named(note.key),
        passages=len(spots),
        snippets=tuple(snippet(one, number, matches, place) for number, one in enumerate(shown, first)),
        part="" if shown else part,
    )


def snippet(shown: Shown, number: int, matches: Matches, place: Place) -> Snippet:
    hit = shown.hit
    return Snippet(hit.passage_id, number, lit(shown, matches.criteria), hit.section or hit.aspect, place.passage(hit))


def lit(shown: Shown, criteria: Sequence[Criterion]) -> Markup:
    """The passage, what shows a criterion marked in its colour; where two meet, in that of the first."""
    number = {criterion.said: n % HUES for n, criterion in enumerate(criteria)}
    spans = []
    for mention in mentions(shown, criteria):
        hue = min(number[said] for said in mention.criteria)
        own = mention.spans if mention.finding is None else ((mention.begin, mention.end),)
        spans += [(begin - shown.hit.begin, end - shown.hit.begin, hue) for begin, end in own]
    out, at, text = Markup(), 0, shown.hit.text
    for begin, end, hue in sorted(spans):
        if begin >= at:
            out += escape(text[at:begin]) + Markup('<mark class="hue-{}">{}</mark>').format(hue, text[begin:end])
            at = end
    return out + escape(text[at:])
