"""What the ledger and the index know of the patients of two cohorts, counted for a comparison."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from pyroaring import BitMap
from sqlalchemy import ColumnElement, Engine, Select, func, select

from ingest.ledger import Ledger
from ingest.ledger.known import FEW
from ingest.ledger.patients import chunks, counted_sex, inside
from ingest.ledger.tables import notes, patients
from search_stack.cohorts.cohort import Asking
from search_stack.cohorts.contrast import NOT_KNOWN, Contrast, Counting, contrast
from search_stack.cohorts.version import Found
from search_stack.retrieval.searcher import Searcher


def compared(one: Found, other: Found, searcher: Searcher, ledger: Ledger) -> Contrast:
    """The patients of two cohorts, as they count by now, by sex, age at their last note, types of their notes and what
    these notes find.

    Raises:
        AspectraError: the engine or the ledger is away; the index changed all the while.
    """
    first, second = (ledger.people.as_counted(found).patients for found in (one, other))
    everyone, engine, here = first | second, ledger.engine, inside(notes, ledger.reach)
    lexicon = searcher.lexicon()

    def work(asking: Asking) -> Counting:
        counting = Counting(first, second)
        for patient, sex in _of(engine, select(patients.c.no, counted_sex()), patients.c.no, everyone):
            counting.has(patient, "sex", sex or NOT_KNOWN)
        for patient, age in _last_ages(engine, here, everyone):
            counting.is_of_age(patient, age)
        typed = select(notes.c.patient_no, notes.c.type).where(*here).distinct()
        for patient, kind in _of(engine, typed, notes.c.patient_no, everyone):
            counting.has(patient, "note type", kind or NOT_KNOWN)
        for assertion, concept, patient in asking.mentions(np.asarray(everyone.to_array(), dtype=np.int64)):
            known = lexicon.concepts.get(concept) if lexicon else None
            counting.has(patient, "finding", f"{known.name if known else concept}, {assertion}")
        return counting

    return contrast(first, second, *searcher.settled(work).profiles())


def _last_ages(engine: Engine, here: Sequence[ColumnElement[bool]], wanted: BitMap) -> Iterator[tuple[int, int | None]]:
    oldest = select(notes.c.patient_no, func.max(notes.c.age)).where(*here).group_by(notes.c.patient_no)
    known: dict[int, int | None] = dict(_of(engine, oldest, notes.c.patient_no, wanted))
    return ((patient, known.get(patient)) for patient in wanted)


def _of(engine: Engine, rows: Select[Any], number: ColumnElement[int], wanted: BitMap) -> Iterator[tuple[int, Any]]:
    """``rows`` of ``wanted`` patients; of many by reading all, which is faster then."""
    with engine.connect() as c:
        if len(wanted) > FEW:
            yield from ((no, value) for no, value in c.execute(rows) if no in wanted)
            return
        for part in chunks(list(wanted)):
            yield from ((no, value) for no, value in c.execute(rows.where(number.in_(part))))
