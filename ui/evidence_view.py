"""A patient's evidence as reviewers see it: criterion by criterion, passages with what shows it lit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from ingest.review.evidence import Evidence, SeenFact, SeenNote, items_of, items_of_fact
from search_stack.index.passage import iso_day
from search_stack.retrieval.evidence import Mention, Shown, mentions
from search_stack.review.marks import Item, Mark, Reading
from ui.highlight import because
from ui.hues import HUES, lit
from ui.note_name import name_of, note_name
from ui.place import Place

OPEN = 5
"""Passages of a criterion that stand open; more are folded."""


@dataclass(frozen=True, slots=True)
class ItemView:
    """What can be called right or wrong."""

    id: str
    said: str
    """As a sentence."""
    words: str
    """Of the note; empty where ``said`` has them already."""
    reading: Reading | None


@dataclass(frozen=True, slots=True)
class PassageView:
    day: str
    name: str
    section: str
    url: str
    text: Markup
    items: tuple[ItemView, ...]
    fresh: bool
    """Its note came, or was written anew, since the reader decided."""


@dataclass(frozen=True, slots=True)
class CriterionView:
    said: str
    hue: int
    passages: tuple[PassageView, ...]
    facts: tuple[ItemView, ...] = ()

    @property
    def open(self) -> tuple[PassageView, ...]:
        return self.passages[:OPEN]

    @property
    def folded(self) -> tuple[PassageView, ...]:
        return self.passages[OPEN:]


@dataclass(frozen=True, slots=True)
class NoteLink:
    """A note of the evidence none of whose words are shown, and why."""

    day: str
    name: str
    url: str
    """Empty where it is gone."""
    why: str


@dataclass(frozen=True, slots=True)
class EvidenceView:
    criteria: tuple[CriterionView, ...] = ()
    others: tuple[NoteLink, ...] = ()


Marks = Mapping[Item, Mark]
WHY = {"deleted": "deleted since", "changed": "has another text by now", "as found": ""}


NOTHING_FRESH: frozenset[int] = frozenset()


def evidence_view(
    evidence: Evidence, marks: Marks, place: Place, fresh: frozenset[int] = NOTHING_FRESH
) -> EvidenceView:
    """
    Args:
        marks: of whoever looks.
        fresh: notes by key, that were not in the evidence, or were other, when they decided.
    """
    criteria = tuple(
        CriterionView(one.said, n % HUES, tuple(_passages(evidence, n, marks, place, fresh)))
        for n, one in enumerate(evidence.criteria)
    )
    hue = len(criteria)
    coded = tuple(
        CriterionView(one.said, (hue + n) % HUES, (), tuple(_facts(evidence, n, marks)))
        for n, one in enumerate(evidence.fact_criteria)
    )
    return EvidenceView(
        tuple(one for one in (*criteria, *coded) if one.passages or one.facts),
        tuple(_link(note, place) for note in evidence.notes if not note.shown),
    )


def bare_view(notes: Mapping[int, SeenNote], place: Place) -> EvidenceView:
    """Where the engine cannot tell what the notes say."""
    return EvidenceView(others=tuple(_link(note, place) for note in notes.values()))


def _passages(evidence: Evidence, number: int, marks: Marks, place: Place, fresh: frozenset[int]) -> list[PassageView]:
    """In the order of their days, but what is fresh first, so that it is never folded."""
    said = evidence.criteria[number].said
    out = []
    for note in evidence.notes:
        for shown in note.shown:
            if number not in shown.held:
                continue
            own = [m for m in mentions(shown, evidence.criteria) if said in m.criteria]
            items = [(m, item) for m in own for item in items_of(m, note) if item.criterion == said]
            out.append(
                PassageView(
                    _day(note.day),
                    name_of(shown.hit),
                    shown.hit.section or shown.hit.aspect,
                    place.passage(shown.hit),
                    lit(shown, evidence.criteria),
                    tuple(_item(m, item, shown, marks) for m, item in items),
                    note.key in fresh,
                )
            )
    return sorted(out, key=lambda one: not one.fresh)


def _item(mention: Mention, item: Item, shown: Shown, marks: Marks) -> ItemView:
    begin, text = shown.hit.begin, shown.hit.text
    finding = mention.finding
    words = " ".join(text[mention.begin - begin : mention.end - begin].split())
    said = because(finding, text, begin) if finding else ("these words" if mention.spans else "this passage")
    alike = finding is not None and words.casefold() == finding.name.casefold()
    shows = mention.spans or (finding and not alike)
    return ItemView(item.id, said, words if shows else "", _reading(item, marks))


def _facts(evidence: Evidence, number: int, marks: Marks) -> list[ItemView]:
    own = [fact for fact in evidence.facts if number in fact.shown.held]
    said = evidence.fact_criteria[number].said
    out = []
    for fact in own:
        item = next(one for one in items_of_fact(fact, evidence.fact_criteria) if one.criterion == said)
        out.append(ItemView(item.id, _told(fact), "", _reading(item, marks)))
    return out


def _told(seen: SeenFact) -> str:
    fact = seen.fact
    value = f"{fact.value:g} {fact.unit}".strip() if fact.value is not None else ""
    parts = (_day(seen.shown.day) or "no date", fact.name or fact.code, value, f"{fact.system} {fact.code}")
    return " · ".join(part for part in parts if part)


def _reading(item: Item, marks: Marks) -> Reading | None:
    mark = marks.get(item)
    return mark.reading if mark else None


def _link(note: SeenNote, place: Place) -> NoteLink:
    stored = note.stored.note if note.stored else None
    name = note_name(stored.title if stored else "", stored.type if stored else "", note.key)
    there = stored is not None and note.state != "deleted"
    return NoteLink(_day(note.day), name, place.note(note.key) if there else "", WHY.get(note.state, ""))


def _day(day: int) -> str:
    return iso_day(day) or ""
