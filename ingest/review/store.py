"""Where the review of cohorts is kept: rows of the ledger's database that are only ever added."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, Row, and_, func, insert, outerjoin, select, update

from ingest.ledger.database import need_open, one_at_a_time, writing
from ingest.ledger.ledger import now
from ingest.ledger.merges import behind, besides
from ingest.ledger.patients import stays, survivors
from ingest.ledger.tables import cohorts, facts, notes, review_decisions, review_fields, review_marks
from ingest.readers.fields import half_character
from search_stack.core.errors import AspectraError, NotKept, NotPossible
from search_stack.review.decisions import Decision, Event, Given, Standing, Undone, final_of, standing
from search_stack.review.fields import Field, Value, checked_field
from search_stack.review.marks import Item, Mark, Marked, Reading, marked

LONGEST_REASON, LONGEST_COMMENT, MOST_FIELDS = 200, 4_000, 20


class Reviews:
    """The review of one cohort.

    Args:
        cohort: its id.
    """

    def __init__(self, engine: Engine, cohort: int) -> None:
        self._engine = engine
        self._cohort = cohort

    # Decisions

    def standing(self) -> Standing:
        """What each reviewer decided, as it stands, of the patients as they count by now."""
        with self._engine.connect() as c:
            said, final, heirs = self._all(c)
        return standing(said, heirs, final)

    def final(self, until: datetime | None = None) -> dict[int, Decision]:
        """By patient, as they count by now, what was adjudicated; where ``until`` is given, as it stood then."""
        with self._engine.connect() as c:
            said, final, heirs = self._all(c, until)
        return final_of(final, heirs, said)

    def decide(self, reviewer: str, given: Given, final: bool = False) -> Decision:
        """Keep what ``reviewer`` says of a patient. What they say already, to the word, is not kept twice.

        Args:
            final: it settles what reviewers differ on.

        Raises:
            NotKept: the cohort was deleted.
            AspectraError: the reason or the comment is too long, or no database takes it.
        """
        for what, words, longest in (
            ("The reason", given.reason, LONGEST_REASON),
            ("The comment", given.comment, LONGEST_COMMENT),
        ):
            _check_words(what, words, longest)
        for value in given.values.values():
            _check_words("A field", value.said, LONGEST_COMMENT)
        with writing(self._engine) as c:
            self._begin(c)
            given = replace(given, patient=stays(given.patient, survivors(c, [given.patient])))
            said, adjudicated, heirs = self._all(c)
            stand = final_of(adjudicated, heirs, said) if final else standing(said, heirs).of(reviewer)
            before = stand.get(given.patient)
            if before and (before.given, before.reviewer) == (given, reviewer):
                return before
            filled = {str(field): value.json() for field, value in given.values.items()}
            values = {
                "verdict": given.verdict,
                "reason": given.reason,
                "comment": given.comment,
                "filled": json.dumps(filled),
                "evidence": given.evidence,
            }
            return _decision(self._add(c, reviewer, final, given.patient, given.version, values))

    def undo(self, reviewer: str, decision: int, final: bool = False) -> Decision:
        """Take a decision of ``reviewer`` back; it is given back. Once it was taken back, nothing more is done.

        Raises:
            NotKept: the cohort was deleted, or ``reviewer`` made no such decision in it.
        """
        with writing(self._engine) as c:
            self._begin(c)
            mine = (review_decisions.c.reviewer == reviewer, review_decisions.c.final.is_(final))
            here = (review_decisions.c.id == decision, review_decisions.c.cohort == self._cohort)
            wanted = select(review_decisions).where(*here, *mine, review_decisions.c.undoes.is_(None))
            row = c.execute(wanted).one_or_none()
            if row is None:
                raise NotKept("There is no such decision of yours to take back.", "Look at the patient again.")
            undone = c.execute(select(review_decisions.c.id).where(review_decisions.c.undoes == decision)).first()
            if undone is None:
                nothing = {"verdict": "", "reason": "", "comment": "", "filled": "{}", "evidence": ""}
                self._add(c, reviewer, final, row.patient_no, row.version, {**nothing, "undoes": decision})
            return _decision(row)

    def _all(self, c: Connection, until: datetime | None = None) -> tuple[list[Event], list[Event], dict[int, int]]:
        """What reviewers said, what was adjudicated, and as whom patients count of whom it is."""
        d = review_decisions.c
        wanted = [d.cohort == self._cohort, *([d.made <= until] if until else [])]
        events: tuple[list[Event], list[Event]] = [], []
        numbers: set[int] = set()
        for row in c.execute(select(review_decisions).where(*wanted).order_by(d.id)):
            one = Undone(row.undoes) if row.undoes is not None else _decision(row)
            events[row.final].append(one)
            numbers |= one.of if isinstance(one, Decision) else set()
        return *events, {no: heir for no, (heir, _) in survivors(c, numbers).items()}

    def _add(
        self, c: Connection, reviewer: str, final: bool, patient: int, version: int, values: dict[str, Any]
    ) -> Row[Any]:
        place = {"cohort": self._cohort, "patient_no": patient, "version": version}
        given = {**place, "besides": json.dumps(besides(c, patient)), **values}
        given |= {"reviewer": reviewer, "final": final, "made": now()}
        made = c.execute(insert(review_decisions).values(given))
        key = made.inserted_primary_key[0]  # type: ignore[index]  # one row was inserted
        return c.execute(select(review_decisions).where(review_decisions.c.id == key)).one()

    # Marks

    def mark(self, reviewer: str, patient: int, item: Item, reading: Reading | None) -> None:
        """Keep whether ``reviewer`` calls a piece of evidence right or wrong; None takes back what they said.

        Raises:
            NotKept: the cohort was deleted.
        """
        told = {"criterion": item.criterion, "concept": item.concept, "name": item.name, "assertion": item.assertion}
        place = {"note_key": item.note, "note_version": item.version, "begin": item.begin, "end": item.end}
        with writing(self._engine) as c:
            self._begin(c)
            values = {**told, **place, "cohort": self._cohort, "patient_no": patient, "reviewer": reviewer}
            c.execute(insert(review_marks).values(**values, reading=reading or "", made=now()))

    def marks(self, patient: int | None = None) -> Marked:
        """All that stand, or those of one patient: whose the note or the fact is now, as long as it is there."""
        m = review_marks.c
        whose = func.coalesce(notes.c.patient_no, facts.c.patient_no, m.patient_no)
        joined = outerjoin(review_marks, notes, notes.c.key == m.note_key)
        joined = joined.outerjoin(facts, and_(m.note_key.is_(None), facts.c.key == m.end))
        wanted = select(review_marks, whose.label("whose")).select_from(joined).where(m.cohort == self._cohort)
        with self._engine.connect() as c:
            if patient is not None:
                wanted = wanted.where(whose.in_(behind(c, patient)))
            rows = c.execute(wanted.order_by(m.id)).all()
            heirs = survivors(c, {row.whose for row in rows})
        return marked(_mark(row, stays(row.whose, heirs)) for row in rows)

    # Fields

    def fields(self, retired: bool = False) -> tuple[Field, ...]:
        """What is to be filled in, in the order in which it was added.

        Args:
            retired: also what was to be filled in once.
        """
        f = review_fields.c
        wanted = select(review_fields).where(f.cohort == self._cohort).order_by(f.id)
        with self._engine.connect() as c:
            rows = c.execute(wanted if retired else wanted.where(f.retired.is_(None)))
            return tuple(Field(row.id, row.name, row.kind, tuple(json.loads(row.choices))) for row in rows)

    def add_field(self, name: str, kind: str, choices: Sequence[str], by: str) -> None:
        """
        Raises:
            NotKept: the cohort was deleted.
            NotPossible: there is one of that name, or there are too many.
            AspectraError: this can be no field.
        """
        name, known, given = checked_field(name, kind, choices)
        for said in (name, *given):
            _check_words("A field", said, LONGEST_REASON)
        with writing(self._engine) as c:
            self._begin(c)
            f = review_fields.c
            here = (f.cohort == self._cohort, f.retired.is_(None))
            names = c.execute(select(f.name).where(*here)).scalars().all()
            if name.casefold() in {one.casefold() for one in names}:
                raise NotPossible(f"There is a field {name} already.", "Take another name, or retire that one.")
            if len(names) >= MOST_FIELDS:
                raise NotPossible(f"There are {MOST_FIELDS} fields already.", "Retire one first.")
            values = {"cohort": self._cohort, "name": name, "kind": known, "choices": json.dumps(given)}
            c.execute(insert(review_fields).values(**values, made=now(), made_by=by))

    def retire_field(self, field: int) -> None:
        """Ask for a field no more. What was filled in stays.

        Raises:
            NotKept: the cohort was deleted.
        """
        f = review_fields.c
        with writing(self._engine) as c:
            self._begin(c)
            here = (f.cohort == self._cohort, f.id == field, f.retired.is_(None))
            c.execute(update(review_fields).where(*here).values(retired=now()))

    def _begin(self, c: Connection) -> None:
        one_at_a_time(c)
        need_open(c)
        if c.execute(select(cohorts.c.id).where(cohorts.c.id == self._cohort)).first() is None:
            raise NotKept(f"There is no cohort with the id {self._cohort}.", "List those that are kept.")


def _decision(row: Row[Any]) -> Decision:
    filled = {int(field): Value.of(value) for field, value in json.loads(row.filled).items()}
    seen = (row.patient_no, row.version, row.evidence)
    of = frozenset([row.patient_no, *json.loads(row.besides)])
    given = Given(*seen, row.verdict, row.reason, row.comment, filled)
    return Decision(row.id, row.reviewer, row.made, given, of, row.words_gone)


def _mark(row: Row[Any], whose: int) -> Mark:
    item = Item(row.criterion, row.concept, row.name, row.assertion, row.note_key, row.note_version, row.begin, row.end)
    return Mark(row.reviewer, whose, item, row.reading or None)


def _check_words(what: str, said: str, longest: int) -> None:
    """
    Raises:
        AspectraError: ``said`` cannot be kept.
    """
    if len(said) > longest:
        raise AspectraError(f"{what} has more than {longest:,} characters.", "Say it in fewer words.")
    if "\0" in said or half_character(said):
        raise AspectraError(f"{what} holds a character that no database takes.", "Leave it out.")
