"""The page of a note."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.ledger import StoredNote
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Finding, Hit, Note
from search_stack.language.sections import sections
from search_stack.query.nodes import FieldIs, Node
from search_stack.query.tree import all_of
from search_stack.retrieval.searcher import LARGEST_PAGE, Searcher
from ui.frame import DEMO, Frame
from ui.highlight import SIGNS, shown_as
from ui.legend import LEGEND
from ui.note_name import note_name
from ui.note_text import Block, Marks, blocks
from ui.place import Place
from ui.wording import is_newest_first


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
    record: str
    """Address of the patient's page."""
    similar: str
    """Address of the passages that are like the one that is marked; empty where none is."""
    notice: str
    marked: bool
    synthetic: bool

    @property
    def position(self) -> int:
        """Which of the matches is shown, from 1; 0 where none is."""
        return next((m.number for m in self.matches if m.current), 0)


def note_page(
    frame: Frame, stored: StoredNote, searcher: Searcher, query: Node | None, passage_id: str, place: Place
) -> NotePage:
    """The note, whatever happens: where the passage cannot be marked, ``notice`` says why."""
    note = stored.note
    notice, hit = "", None
    hits: tuple[Hit, ...] = ()
    findings: list[Finding] = []
    named: frozenset[str] = frozenset()
    try:
        findings = [f for f in searcher.note_findings(stored.key) if f.end <= len(note.text)]
        if query is not None:
            named = searcher.plan(query).named
            hits = matching_hits(searcher, query, note.note_id)
        wanted = query if query is not None else FieldIs("note", note.note_id)
        hit = searcher.fetch(searcher.plan(wanted), [passage_id]).get(passage_id) if passage_id else None
    except AspectraError as e:
        notice = f"The passage is not marked: {e.message}"
    if hit and not stands_in(hit, stored):
        hit = None
    if passage_id and not hit and not notice:
        notice = "The passage is not marked: the note has changed since it was found. Search again."
    lit = {h.passage_id: h for h in (*hits, *([hit] if hit else ())) if stands_in(h, stored)}
    spans = tuple((b + h.begin, e + h.begin) for h in lit.values() for b, e in h.highlights)
    marks = Marks(spans, findings, named if query is not None and named else None)
    return NotePage(
        frame=frame,
        note=note,
        name=note_name(note.title, note.type, note.note_id),
        blocks=blocks(note.text, sections(note.text), hit, marks),
        findings=listed(findings),
        legend=LEGEND,
        matches=tuple(Match(n, place.passage(h), h.section, h.passage_id == passage_id) for n, h in enumerate(hits, 1)),
        back=_back(place, hit),
        record=place.record(stored.patient_no, stored.key),
        similar=place.similar(hit) if hit else "",
        notice=notice,
        marked=hit is not None,
        synthetic=note.collection == DEMO,
    )


def listed(findings: Sequence[Finding]) -> tuple[Listed, ...]:
    """Each concept and assertion once, in the order of the text."""
    counts = Counter((f.name, shown_as(f)) for f in findings)
    first = {(f.name, shown_as(f)): n for n, f in reversed(list(enumerate(findings)))}
    return tuple(Listed(name, a, SIGNS[a], counts[name, a], f"#finding-{first[name, a]}") for name, a in counts)


def matching_hits(searcher: Searcher, query: Node, note_id: str) -> tuple[Hit, ...]:
    """Passages of one note that hold words of ``query``, in the order of the text."""
    if is_newest_first(query):
        return ()
    here = all_of([query, FieldIs("note", note_id)])
    answer = searcher.search(here, size=LARGEST_PAGE, rerank=False)
    found = [h for group in answer.groups for h in group.hits if h.highlights]
    return tuple(sorted(found, key=lambda h: h.begin))


def stands_in(hit: Hit, stored: StoredNote) -> bool:
    """Whether the indexed passage is still what the note says at its place."""
    return hit.note_key == stored.key and stored.note.text[hit.begin : hit.end] == hit.text


def _back(place: Place, hit: Hit | None) -> str:
    return place.results() + (f"#hit-{hit.passage_id}" if hit and place.token else "")
