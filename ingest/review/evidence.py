"""The evidence of one patient of a kept cohort, as reviewers see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ingest.cohorts.standing import state_of, trees
from ingest.cohorts.store import Store
from ingest.ledger import Ledger, StoredNote
from search_stack.cohorts.rows import NO_NOTE
from search_stack.cohorts.version import Found
from search_stack.core.schema import StructuredFact
from search_stack.handover.row import State
from search_stack.query.tree import any_of
from search_stack.retrieval.evidence import Criterion, Mention, Shown, ShownFact, mentions
from search_stack.retrieval.searcher import Searcher
from search_stack.review.marks import Item


@dataclass(frozen=True, slots=True)
class SeenNote:
    """A note of the evidence."""

    key: int
    day: int
    """In days since 1970-01-01, or undated."""
    state: State
    stored: StoredNote | None
    shown: tuple[Shown, ...]
    """Its passages that show a criterion; none where it is not as it was found."""

    @property
    def text_version(self) -> int:
        return self.stored.text_version if self.stored else 0


@dataclass(frozen=True, slots=True)
class SeenFact:
    shown: ShownFact
    fact: StructuredFact


@dataclass(frozen=True, slots=True)
class Evidence:
    criteria: tuple[Criterion, ...]
    fact_criteria: tuple[Criterion, ...]
    notes: tuple[SeenNote, ...]
    """In the order of their days."""
    facts: tuple[SeenFact, ...]

    def items(self) -> Iterator[Item]:
        """All that can be right or wrong."""
        for note in self.notes:
            for one in note.shown:
                for mention in mentions(one, self.criteria):
                    yield from items_of(mention, note)
        for fact in self.facts:
            yield from items_of_fact(fact, self.fact_criteria)


def items_of(mention: Mention, note: SeenNote) -> Iterator[Item]:
    """What a mention in a note shows, criterion by criterion."""
    found, place = mention.finding, (note.key, note.text_version, mention.begin, mention.end)
    for criterion in mention.criteria:
        yield Item(criterion, *((found.concept, found.name, found.assertion) if found else ("", "", "")), *place)


def items_of_fact(seen: SeenFact, criteria: Sequence[Criterion]) -> Iterator[Item]:
    fact = seen.fact
    for number in seen.shown.held:
        said, name = criteria[number].said, fact.name or fact.code
        yield Item(said, f"{fact.system}:{fact.code}", name, "", None, 0, 0, seen.shown.key)


def evidence_of(found: Found, patient: int, store: Store, searcher: Searcher, ledger: Ledger) -> Evidence:
    """
    Raises:
        QueryError: a query names a concept that no lexicon holds any more.
        AspectraError: the engine is away.
    """
    nodes = tuple(trees(found, store))
    notes = bare_notes(found, patient, ledger)
    if not nodes:
        return Evidence((), (), tuple(notes.values()), ())
    sought = searcher.sought(any_of(nodes))
    same = np.array(sorted(key for key, one in notes.items() if one.state == "as found"), dtype=np.int64)
    passages: dict[int, list[Shown]] = {}
    for one in searcher.evidence(sought, same):
        stored = notes[one.hit.note_key].stored
        if stored and one.note_version >= stored.text_version:
            passages.setdefault(one.hit.note_key, []).append(one)
    return Evidence(
        sought.criteria,
        sought.facts,
        tuple(_with(one, passages) for one in notes.values()),
        _facts(found, patient, list(searcher.fact_evidence(sought, np.array([patient], dtype=np.int64))), ledger),
    )


def bare_notes(found: Found, patient: int, ledger: Ledger) -> dict[int, SeenNote]:
    """By key, the notes of a patient's evidence without what they say, in the order of their days."""
    rows = found.rows.of_patients(np.array([patient], dtype=np.int64))
    days = {key: day for day, key in zip(rows.day.tolist(), rows.note.tolist(), strict=True) if key != NO_NOTE}
    stored = ledger.several(list(days))
    return {
        key: SeenNote(key, day, state_of(found.notes, key, stored.get(key)), stored.get(key), ())
        for key, day in days.items()
    }


def _with(note: SeenNote, passages: Mapping[int, Sequence[Shown]]) -> SeenNote:
    return SeenNote(note.key, note.day, note.state, note.stored, tuple(passages.get(note.key, ())))


def _facts(found: Found, patient: int, shown: Sequence[ShownFact], ledger: Ledger) -> tuple[SeenFact, ...]:
    """Those on the days that the evidence has."""
    rows = found.rows.of_patients(np.array([patient], dtype=np.int64))
    days = set(rows.day[rows.note == NO_NOTE].tolist())
    known = ledger.facts.several([one.key for one in shown])
    return tuple(SeenFact(one, known[one.key]) for one in shown if one.key in known and one.day in days)
