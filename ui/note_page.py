"""The page of a note."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingest.ledger import StoredNote
from ingest.sections import sections
from search_stack.criteria import Query
from search_stack.errors import AspectraError
from search_stack.schema import Finding, Hit, Note
from search_stack.searcher import LARGEST_PAGE, Searcher
from ui.frame import DEMO, Frame
from ui.highlight import SIGNS
from ui.legend import LEGEND
from ui.note_text import Block, blocks
from ui.place import Place


@dataclass(frozen=True, slots=True)
class Match:
    """A passage of this note that holds words of the query."""

    number: int
    url: str
    section: str
    current: bool


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
    matches: tuple[Match, ...]
    back: str
    notice: str
    marked: bool
    synthetic: bool

    @property
    def position(self) -> int:
        """Which of the matches is shown, from 1; 0 where none is."""
        return next((m.number for m in self.matches if m.current), 0)


def note_page(
    frame: Frame, stored: StoredNote, searcher: Searcher, query: Query, passage_id: str, place: Place
) -> NotePage:
    """The note, whatever happens: where the passage cannot be marked, ``notice`` says why."""
    note = stored.note
    notice, hit = "", None
    hits: tuple[Hit, ...] = ()
    findings: list[Finding] = []
    try:
        findings = [f for f in searcher.note_findings(stored.key) if f.end <= len(note.text)]
        hit = searcher.fetch(query, [passage_id]).get(passage_id) if passage_id else None
        hits = matching_hits(searcher, query, note.note_id)
    except AspectraError as e:
        notice = f"The passage is not marked: {e.message}"
    if hit and not stands_in(hit, stored):
        hit = None
    if passage_id and not hit and not notice:
        notice = "The passage is not marked: the note has changed since it was found. Search again."
    return NotePage(
        frame=frame,
        note=note,
        name=note.title or note.type or f"Note {note.note_id}",
        blocks=blocks(note.text, sections(note.text), hit, findings),
        findings=listed(findings),
        legend=LEGEND,
        matches=tuple(Match(n, place.passage(h), h.section, h.passage_id == passage_id) for n, h in enumerate(hits, 1)),
        back=_back(place, hit),
        notice=notice,
        marked=hit is not None,
        synthetic=note.collection == DEMO,
    )


def listed(findings: Sequence[Finding]) -> tuple[Listed, ...]:
    """Each concept and assertion once, in the order of the text."""
    counts = Counter((f.name, f.assertion) for f in findings)
    first = {(f.name, f.assertion): n for n, f in reversed(list(enumerate(findings)))}
    return tuple(Listed(name, a, SIGNS[a], counts[name, a], f"#finding-{first[name, a]}") for name, a in counts)


def matching_hits(searcher: Searcher, query: Query, note_id: str) -> tuple[Hit, ...]:
    """Passages of one note that hold words of ``query``, in the order of the text."""
    if not query.clauses:
        return ()
    answer = searcher.search(replace(query, notes=(note_id,)), size=LARGEST_PAGE, rerank=False)
    found = [h for group in answer.groups for h in group.hits if h.highlights]
    return tuple(sorted(found, key=lambda h: h.begin))


def stands_in(hit: Hit, stored: StoredNote) -> bool:
    """Whether the indexed passage is still what the note says at its place."""
    return hit.note_key == stored.key and stored.note.text[hit.begin : hit.end] == hit.text


def _back(place: Place, hit: Hit | None) -> str:
    return place.results() + (f"#hit-{hit.passage_id}" if hit and place.token else "")
