"""The page of a note."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ingest.ledger import StoredNote
from ingest.ledger.listing import ListedNote
from search_stack.cohorts.named import Named
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Finding, Hit, Note
from search_stack.language.sections import sections
from search_stack.query.nodes import FieldIs
from search_stack.query.understand import Understood
from search_stack.retrieval.evidence import Criterion, Shown, Sought, Spot
from search_stack.retrieval.nearness import PassageNear
from search_stack.retrieval.searcher import Searcher
from ui.frame import DEMO, Frame
from ui.heat import Heat, heat
from ui.highlight import SIGNS, Hued, Span, shown_as
from ui.hues import HUES, hued
from ui.legend import LEGEND
from ui.note_name import note_name
from ui.note_text import Block, Marks, blocks
from ui.place import Place
from ui.wording import is_newest_first


@dataclass(frozen=True, slots=True)
class Match:
    """A passage of this note that shows the search."""

    number: int
    url: str
    section: str
    current: bool


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The nearest passage that shows the search in another note of the patient."""

    url: str
    day: str
    """Of that note; empty where it has none."""


@dataclass(frozen=True, slots=True)
class Lit:
    """A criterion in its colour."""

    said: str
    hue: int
    here: bool
    """This note shows it."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A finding of the note; ``url`` leads to its first mention."""

    name: str
    assertion: str
    sign: str
    mentions: int
    url: str


@dataclass(frozen=True, slots=True)
class NotePage:
    frame: Frame
    note: Note
    name: str
    blocks: tuple[Block, ...]
    findings: tuple[Listed, ...]
    legend: tuple[tuple[str, str, str], ...]
    lit: tuple[Lit, ...]
    words: bool
    """Words of the search are marked that show no criterion, as those that others only lie near to in time."""
    matches: tuple[Match, ...]
    before: Neighbour | None
    behind: Neighbour | None
    """Where the passages of the notes before and behind this one go on."""
    back: str
    record: str
    """Address of the patient's page."""
    heat: Heat
    similar: str
    """Address of the passages that are like the one that is marked; empty where none is."""
    notice: str
    passage_id: str
    """Of the passage that is marked; empty where none is."""
    synthetic: bool

    @property
    def position(self) -> int:
        """Which of the matches is shown, from 1; 0 where none is."""
        return next((m.number for m in self.matches if m.current), 0)

    @property
    def previous(self) -> str:
        """Address of the match before the one that is shown; of none, of the first, in an earlier note."""
        if self.position > 1:
            return self.matches[self.position - 2].url
        return self.before.url if self.before else ""

    @property
    def next(self) -> str:
        if self.position < len(self.matches):
            return self.matches[self.position].url
        return self.behind.url if self.behind else ""

    @property
    def leaves(self) -> tuple[str, str]:
        """The days of the notes that `previous` and `next` lead to, where they lead away from this one."""
        before = self.before.day or "no date" if self.before and self.position <= 1 else ""
        behind = self.behind.day or "no date" if self.behind and self.position == len(self.matches) else ""
        return before, behind


@dataclass(slots=True)
class Reading:
    """A note, and what a search finds in it and in the others of its patient."""

    stored: StoredNote
    record: Sequence[ListedNote]
    """The notes of the patient, in their order; none where nothing is asked."""
    asked: bool
    notice: str = ""
    """Why the passage cannot be marked."""
    hit: Hit | None = None
    """The passage that one came for."""
    hits: tuple[Hit, ...] = ()
    findings: Sequence[Finding] = ()
    named: Named = field(default_factory=Named)
    sought: Sought | None = None
    shown: Sequence[Shown] = ()
    spots: Sequence[Spot] = ()
    """Of all of ``record``."""
    near: Sequence[PassageNear] = ()
    """How near every passage of the note is to the search; none where it asks for no words."""

    @property
    def criteria(self) -> Sequence[Criterion]:
        return self.sought.criteria if self.sought else ()

    @property
    def matches(self) -> list[Hit]:
        """Passages of the note that show the search, in the order of the text."""
        found = {h.passage_id: h for h in (*self.hits, *(one.hit for one in self.shown))}
        return sorted(found.values(), key=lambda h: h.begin)

    @property
    def spans(self) -> tuple[Span, ...]:
        """Words of the search, as offsets into the note."""
        lit = {h.passage_id: h for h in (*self.hits, *([self.hit] if self.hit else ()))}
        return tuple(
            (b + h.begin, e + h.begin) for h in lit.values() if stands_in(h, self.stored) for b, e in h.highlights
        )

    @property
    def hues(self) -> list[Hued]:
        return [place for one in self.shown for place in hued(one, self.criteria)]

    @property
    def lit(self) -> tuple[Lit, ...]:
        held = {number for one in self.shown for number in one.held}
        return tuple(Lit(one.said, n % HUES, n in held) for n, one in enumerate(self.criteria))

    def heat(self, place: Place) -> Heat:
        hues = {one.hit.passage_id: min(one.held) % HUES for one in self.shown if one.held}
        return heat(self.near, hues, lambda passage_id: place.at(self.stored.key, passage_id))

    def blocks(self, passages: Sequence[Hit] = (), near: Sequence[PassageNear] = ()) -> tuple[Block, ...]:
        """The text, with the passage that one came for marked, or ``passages``, by their numbers, and the places of
        those that are ``near``."""
        text, marked = self.stored.note.text, {hit.passage_id for hit in passages}
        others = [one for one in near if one.passage_id not in marked]
        marks = Marks(self.spans, self.findings, self.named if self.asked else None, self.hues, passages, others)
        return blocks(text, sections(text), None if passages else self.hit, marks)


def read(
    stored: StoredNote, searcher: Searcher, asked: Understood | None, passage_id: str, record: Sequence[ListedNote]
) -> Reading:
    """The note, whatever happens: where the passage cannot be marked, ``notice`` says why."""
    note, query = stored.note, asked.query if asked else None
    this = np.array([stored.key], dtype=np.int64)
    own = Reading(stored, record, query is not None)
    try:
        own.findings = [f for f in searcher.note_findings(stored.key) if f.end <= len(note.text)]
        if asked is not None and query is not None:
            plan = searcher.plan(query, asked.words)
            own.named = plan.named
            own.near = [one for one in searcher.nearness(plan, this) if is_of(one, stored)]
            own.hits = () if is_newest_first(query) else searcher.lit(plan, stored.key)
        if query is not None and not is_newest_first(query):
            own.sought = searcher.sought(query)
            own.shown = list(searcher.evidence(own.sought, this))
            own.spots = list(searcher.spots(own.sought, np.array(sorted(one.key for one in record), dtype=np.int64)))
        own.hit = next((one for one in own.hits if one.passage_id == passage_id), None)
        if passage_id and not own.hit:
            wanted = query if query is not None else FieldIs("note", note.note_id)
            own.hit = searcher.fetch(searcher.plan(wanted), [passage_id]).get(passage_id)
    except AspectraError as e:
        own.notice = f"The passage is not marked: {e.message}"
    if own.hit and not stands_in(own.hit, stored):
        own.hit = None
    if passage_id and not own.hit and not own.notice:
        own.notice = "The passage is not marked: the note has changed since it was found. Search again."
    own.shown = [one for one in own.shown if stands_in(one.hit, stored)]
    return own


def note_page(frame: Frame, own: Reading, passage_id: str, place: Place) -> NotePage:
    note, hit = own.stored.note, own.hit
    before, behind = _neighbours(own.record, own.stored.key, own.spots, place)
    return NotePage(
        frame=frame,
        note=note,
        name=note_name(note.title, note.type, note.note_id),
        blocks=own.blocks(),
        findings=listed(own.findings),
        legend=LEGEND,
        lit=own.lit,
        words=any(not any(b < end and begin < e for begin, end, _ in own.hues) for b, e in own.spans),
        matches=tuple(
            Match(n, place.passage(h), h.section, h.passage_id == passage_id) for n, h in enumerate(own.matches, 1)
        ),
        before=before,
        behind=behind,
        back=_back(place, hit),
        record=place.record(own.stored.patient_no, own.stored.key),
        heat=own.heat(place),
        similar=place.similar(hit) if hit else "",
        notice=own.notice,
        passage_id=hit.passage_id if hit else "",
        synthetic=note.collection == DEMO,
    )


def _neighbours(
    record: Sequence[ListedNote], key: int, spots: Sequence[Spot], place: Place
) -> tuple[Neighbour | None, Neighbour | None]:
    """The last passage that shows the search in the notes before this one, and the first in those behind it."""
    by_note: dict[int, list[str]] = {}
    for spot in spots:
        by_note.setdefault(spot.note_key, []).append(spot.passage_id)
    keys = [one.key for one in record]
    if key not in keys:
        return None, None
    at = keys.index(key)
    before = next((one for one in reversed(record[:at]) if one.key in by_note), None)
    behind = next((one for one in record[at + 1 :] if one.key in by_note), None)
    return (
        _neighbour(before, by_note[before.key][-1], place) if before else None,
        _neighbour(behind, by_note[behind.key][0], place) if behind else None,
    )


def _neighbour(note: ListedNote, passage_id: str, place: Place) -> Neighbour:
    return Neighbour(place.at(note.key, passage_id), note.date.isoformat() if note.date else "")


def listed(findings: Sequence[Finding]) -> tuple[Listed, ...]:
    """Each concept and assertion once, in the order of the text."""
    counts = Counter((f.name, shown_as(f)) for f in findings)
    first = {(f.name, shown_as(f)): n for n, f in reversed(list(enumerate(findings)))}
    return tuple(Listed(name, a, SIGNS[a], counts[name, a], f"#finding-{first[name, a]}") for name, a in counts)


def stands_in(hit: Hit, stored: StoredNote) -> bool:
    """Whether the indexed passage is still what the note says at its place."""
    return hit.note_key == stored.key and stored.note.text[hit.begin : hit.end] == hit.text


def is_of(near: PassageNear, stored: StoredNote) -> bool:
    """Whether the indexed passage is of the text that the note has now."""
    return stored.text_version <= near.note_version <= stored.version


def _back(place: Place, hit: Hit | None) -> str:
    return place.results() + (f"#hit-{hit.passage_id}" if hit and place.token else "")
