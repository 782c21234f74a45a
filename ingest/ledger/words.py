"""Reviewers' own words, which may be those of notes: they go with the notes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, or_, select, update

from ingest.ledger.patients import chunks, stays, survivors
from ingest.ledger.tables import DELETING, notes, review_decisions, review_fields

_D = review_decisions.c


def words_about(c: Connection, *where: ColumnElement[bool]) -> set[int]:
    """Decisions, by id, with words about patients of notes that satisfy ``where``."""
    return {key for key, _ in _found(c, where)}


def take_words(c: Connection, *where: ColumnElement[bool]) -> None:
    """Take out what reviewers wrote of patients of notes that satisfy ``where``, and are not on their way out yet:
    reasons, comments, text that was filled in, and its quotes. Which words are a note's nobody can tell."""
    for key, filled in list(_found(c, where)):
        nothing = {"reason": "", "comment": "", "filled": filled, "words_gone": datetime.now(UTC)}
        c.execute(update(review_decisions).where(_D.id == key).values(nothing))


def _found(c: Connection, where: Sequence[ColumnElement[bool]]) -> Iterator[tuple[int, str]]:
    """Decisions, by id, with what is left of what was filled in."""
    columns = (_D.id, _D.patient_no, _D.besides, _D.reason, _D.comment, _D.filled)
    worded = or_(_D.reason != "", _D.comment != "", _D.filled != "{}")
    rows = [(row, {row.patient_no, *json.loads(row.besides)}) for row in c.execute(select(*columns).where(worded))]
    heirs = survivors(c, {no for _, numbers in rows for no in numbers})
    whose = {no: stays(no, heirs) for _, numbers in rows for no in numbers}
    patients = _with_notes(c, sorted(set(whose.values())), where)
    texts = set(c.execute(select(review_fields.c.id).where(review_fields.c.kind == "text")).scalars())
    for row, numbers in rows:
        if patients & {whose[no] for no in numbers}:
            left = _without_text(json.loads(row.filled), texts)
            if row.reason or row.comment or left != row.filled:
                yield row.id, left


def _with_notes(c: Connection, numbers: Sequence[int], where: Sequence[ColumnElement[bool]]) -> set[int]:
    out: set[int] = set()
    for part in chunks(numbers):
        here = (notes.c.patient_no.in_(part), notes.c.state != DELETING, *where)
        out |= set(c.execute(select(notes.c.patient_no).where(*here).distinct()).scalars())
    return out


def _without_text(filled: dict[str, Any], texts: set[int]) -> str:
    return json.dumps({field: value for field, value in filled.items() if int(field) not in texts})
