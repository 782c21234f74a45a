"""How much of what stands in a note is found: mentions and headings, in notes that were annotated in full."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from search_stack.core.schema import Finding
from search_stack.evaluation.compare import Share, share
from search_stack.evaluation.datasets.whole_notes import KINDS, WholeMention, WholeNote
from search_stack.evaluation.measures.precision_recall import PrecisionRecall, of_counts
from search_stack.evaluation.tasks.sections import capitals_and_colon
from search_stack.language.labeller import ASSERTED, Labeller
from search_stack.language.lexicon.concepts import Lexicon

ALL = "all"
_WORD = re.compile(r"[^\W_]+")
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class KindRecall:
    """Of the mentions of one kind; intervals are over notes, None where there is nothing to count."""

    mentions: int
    found: Share | None
    """Those that one of our findings overlaps."""
    plain: Share | None
    """Those that the baseline finds."""
    over_plain: Share | None
    """The first minus the second."""
    right: Share | None
    """Of the found ones, those whose assertion is as annotated."""


@dataclass(frozen=True, slots=True)
class WholeNotesReport:
    notes: int
    kinds: dict[str, KindRecall]
    """By kind, and `ALL`."""
    headings: int
    heading: PrecisionRecall
    """A heading is right where it begins at an annotated one."""
    capitals: PrecisionRecall
    """The baseline's headings: capitals and a colon at the beginning of a line."""

    def json(self) -> dict[str, Any]:
        """The figures to keep."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Held:
    """One annotated mention: whether it was found, by the baseline too, and with its assertion."""

    kind: str
    found: bool
    plain: bool
    right: bool


def evaluate(notes: Sequence[WholeNote], texts: Mapping[str, str], labeller: Labeller) -> WholeNotesReport:
    """Hold our labels against all that is annotated in ``notes``.

    Args:
        texts: of the notes, by id.
    """
    names = _names(labeller.lexicon)
    held: list[list[_Held]] = []
    ours: list[set[int]] = []
    for note in notes:
        labels = labeller.label(texts[note.note])
        places = plain_places(texts[note.note], names)
        held.append([_held(m, labels.findings, places) for m in note.mentions])
        ours.append({s.heading_begin for s in labels.sections if s.heading})
    gold = [{h.begin for h in note.headings if h.begin < h.end} for note in notes]
    return WholeNotesReport(
        notes=len(notes),
        kinds={kind: _recall(held, kind) for kind in (*KINDS, ALL)},
        headings=sum(map(len, gold)),
        heading=_headings(ours, gold),
        capitals=_headings([capitals_and_colon(texts[note.note]) for note in notes], gold),
    )


def plain_places(text: str, names: frozenset[tuple[str, ...]]) -> list[Span]:
    """The baseline: where one of ``names`` stands word for word, in whatever case but in no other form."""
    words = [(m[0].lower(), m.start(), m.end()) for m in _WORD.finditer(text)]
    longest = max(map(len, names), default=0)
    said = [w for w, _, _ in words]
    return [
        (words[at][1], words[at + size - 1][2])
        for at in range(len(words))
        for size in range(1, min(longest, len(words) - at) + 1)
        if tuple(said[at : at + size]) in names
    ]


def _names(lexicon: Lexicon) -> frozenset[tuple[str, ...]]:
    asserted = (c for c in lexicon.concepts.values() if c.kind in ASSERTED)
    return frozenset(tuple(_WORD.findall(name.lower())) for c in asserted for name in c.names) - {()}


def _held(mention: WholeMention, findings: Sequence[Finding], places: Sequence[Span]) -> _Held:
    """Of several findings there the one that covers most of the mention is held against it."""
    best = max(findings, key=lambda f: _overlap(mention, f.begin, f.end), default=None)
    found = best is not None and _overlap(mention, best.begin, best.end) > 0
    right = found and best is not None and best.assertion == mention.assertion
    return _Held(mention.kind, found, any(_overlap(mention, *place) > 0 for place in places), right)


def _overlap(mention: WholeMention, begin: int, end: int) -> int:
    return min(mention.end, end) - max(mention.begin, begin)


def _recall(held: Sequence[Sequence[_Held]], kind: str) -> KindRecall:
    by_note = [[h for h in note if kind in (h.kind, ALL)] for note in held]
    number = [len(note) for note in by_note]
    found = [sum(h.found for h in note) for note in by_note]
    plain = [sum(h.plain for h in note) for note in by_note]
    return KindRecall(
        mentions=sum(number),
        found=share(found, number),
        plain=share(plain, number),
        over_plain=share([a - b for a, b in zip(found, plain, strict=True)], number),
        right=share([sum(h.right for h in note) for note in by_note], found),
    )


def _headings(found: Sequence[set[int]], gold: Sequence[set[int]]) -> PrecisionRecall:
    hits = sum(len(f & g) for f, g in zip(found, gold, strict=True))
    return of_counts(hits, sum(map(len, found)), sum(map(len, gold)))
