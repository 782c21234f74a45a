"""The rows of a cohort's evidence, with the words that show it, patient by patient."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np

from ingest.cohorts.standing import state_of
from ingest.ledger import Ledger, StoredNote
from search_stack.cohorts.rows import NO_NOTE, Ints
from search_stack.cohorts.version import Found
from search_stack.handover.row import Row, State
from search_stack.index.passage import iso_day
from search_stack.retrieval.evidence import Criterion, Mention, Shown, ShownFact, mentions
from search_stack.review.decisions import Verdict

NOTES_AT_ONCE = 200
"""Notes whose texts are in memory together."""
Read = Callable[[Ints], Iterable[Shown]]
"""Passages of notes, by key, that show the cohort's query."""
ReadFacts = Callable[[Ints], Iterable[ShownFact]]
"""Structured facts of patients, by number, that show it."""
Settled = Callable[[datetime], Mapping[int, Verdict]]
"""Verdicts by the patient's number, as they stood at a time: an export that goes on has those of its begin."""


class Gathering:
    """
    Args:
        read: where the words are read; none where no query made the cohort.
        text: whether words of notes are among the rows.
        settled: what was adjudicated up to a time, by the patient's number; none where the cohort is not kept.
    """

    def __init__(
        self,
        found: Found,
        ledger: Ledger,
        criteria: Sequence[Criterion],
        read: Read | None,
        text: bool,
        facts: Sequence[Criterion] = (),
        read_facts: ReadFacts | None = None,
        settled: Settled = lambda _: {},
    ) -> None:
        self._found = found
        self._ledger = ledger
        self._criteria = criteria
        self._read = read
        self._text = text
        self._facts = facts
        self._read_facts = read_facts
        self.settled = settled

    def portions(self, after: int) -> Iterator[Ints]:
        """The numbers of the patients behind number ``after``, in their order, so many at a time as have some
        `NOTES_AT_ONCE` notes."""
        patients = self._found.numbers
        patients = patients[np.searchsorted(patients, after, side="right") :]
        sizes = np.maximum(1, self._ends(patients) - self._begins(patients))
        # A portion ends where the sum of its sizes goes over a multiple.
        cuts = np.flatnonzero(np.diff(np.cumsum(sizes) // NOTES_AT_ONCE)) + 1
        yield from (part for part in np.split(patients, cuts) if len(part))

    def rows(self, patients: Ints, verdicts: Mapping[int, Verdict]) -> Iterator[Row]:
        """The rows of ``patients``, in the order of patient, day, note and place in it.

        Args:
            verdicts: by the patient's number.
        """
        for row in self._rows(patients):
            yield replace(row, verdict=verdicts.get(row.patient_no, ""))

    def _rows(self, patients: Ints) -> Iterator[Row]:
        names = self._ledger.people.ids(patients)
        evidence = self._found.rows
        places: list[tuple[int, int | None]] = []
        for patient, begin, end in zip(
            patients.tolist(), self._begins(patients).tolist(), self._ends(patients).tolist(), strict=True
        ):
            places += [(patient, place) for place in range(begin, end)] or [(patient, None)]
        for start in range(0, len(places), NOTES_AT_ONCE):
            part = places[start : start + NOTES_AT_ONCE]
            own = [place for _, place in part if place is not None]
            of_facts = [place for place in own if evidence.note[place] == NO_NOTE]
            texts = self._texts(np.unique(evidence.note[own]), np.unique(evidence.patient[of_facts]))
            for patient, place in part:
                if place is None:
                    yield Row(patient_id=names[patient], patient_no=patient, kind="patient")
                else:
                    day, key = int(evidence.day[place]), int(evidence.note[place])
                    yield from self._of_note(names[patient], patient, day, key, texts)

    def _begins(self, patients: Ints) -> Ints:
        return np.searchsorted(self._found.rows.patient, patients, side="left")

    def _ends(self, patients: Ints) -> Ints:
        return np.searchsorted(self._found.rows.patient, patients, side="right")

    def _texts(self, keys: Ints, patients: Ints) -> _Texts:
        keys = keys[keys != NO_NOTE]
        notes = self._ledger.several(keys.tolist())
        states = {key: state_of(self._found.notes, key, notes.get(key)) for key in keys.tolist()}
        same = np.array([key for key, state in states.items() if state == "as found"], dtype=np.int64)
        shown: dict[int, list[Shown]] = {}
        for one in self._read(same) if self._read else ():
            if one.note_version >= notes[one.hit.note_key].text_version:
                shown.setdefault(one.hit.note_key, []).append(one)
            else:  # Between ledger and index it changes just now.
                states[one.hit.note_key] = "changed"
        return _Texts(notes, states, shown, self._told(patients))

    def _told(self, patients: Ints) -> dict[tuple[int, int], list[dict[str, Any]]]:
        """By patient and day, the columns of each structured fact. The index has them of who stays."""
        heirs = self._ledger.people.heirs(patients.tolist())
        stay = np.unique([heirs.get(no, no) for no in patients.tolist()]).astype(np.int64)
        shown = list(self._read_facts(stay)) if self._read_facts else []
        known = self._ledger.facts.several([one.key for one in shown])
        out: dict[tuple[int, int], list[dict[str, Any]]] = {}
        for one in shown:
            if fact := known.get(one.key):
                said = "; ".join(self._facts[n].said for n in one.held)
                columns = {name: getattr(fact, name) for name in ("name", "system", "code", "value", "unit")}
                told = {**columns, "encounter_id": fact.encounter_id, "criterion": said}
                out.setdefault((one.patient_no, one.day), []).append(told)
        for no, heir in heirs.items():
            out |= {(no, day): told for (whose, day), told in list(out.items()) if whose == heir}
        return out

    def _of_note(self, name: str, patient: int, day: int, key: int, texts: _Texts) -> Iterator[Row]:
        date = iso_day(day)
        if key == NO_NOTE:
            fact = Row(patient_id=name, patient_no=patient, kind="fact", date=date)
            yield from [replace(fact, **told) for told in texts.facts.get((patient, day), ())] or [fact]
            return
        state, stored = texts.states[key], texts.notes.get(key)
        if stored is None:
            yield Row(patient_id=name, patient_no=patient, kind="note", note_key=key, date=date, state=state)
            return
        note = stored.note
        whole = Row(
            patient_id=name,
            patient_no=patient,
            kind="note",
            note_id=note.note_id,
            note_key=key,
            encounter_id=note.encounter_id,
            note_type=note.type,
            date=date,
            state=state,
        )
        shown = texts.shown.get(key, ()) if state == "as found" else ()
        rows = [self._row(whole, one, m, note.text) for one in shown for m in mentions(one, self._criteria)]
        yield from rows or [whole]

    def _row(self, note: Row, shown: Shown, mention: Mention, text: str) -> Row:
        finding, hit = mention.finding, shown.hit
        row = replace(
            note,
            kind="finding" if finding else "passage",
            section=hit.section,
            criterion="; ".join(mention.criteria),
            begin=mention.begin,
            end=mention.end,
            spans=" ".join(f"{begin}-{end}" for begin, end in mention.spans),
            passage_begin=hit.begin,
            passage_end=hit.end,
        )
        if finding:
            row = replace(
                row,
                concept=finding.concept,
                name=finding.name,
                assertion=finding.assertion,
                status=finding.temporality,
                progress=finding.status,
                result=finding.result,
                experiencer=finding.experiencer,
                sites="; ".join(finding.sites),
                trigger_begin=finding.trigger_begin,
                trigger_end=finding.trigger_end,
            )
        if not self._text:
            return row
        trigger = text[row.trigger_begin : row.trigger_end] if row.trigger_begin is not None else ""
        return replace(row, words=text[mention.begin : mention.end], trigger=trigger, passage=hit.text)


@dataclass(frozen=True, slots=True)
class _Texts:
    """Of some notes, by key."""

    notes: Mapping[int, StoredNote]
    states: Mapping[int, State]
    shown: Mapping[int, Sequence[Shown]]
    facts: Mapping[tuple[int, int], Sequence[Mapping[str, Any]]]
    """By patient and day, the columns of each structured fact."""
