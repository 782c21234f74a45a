"""A cohort made of two others: union, intersection, difference of their patients."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from pyroaring import BitMap

from search_stack.cohorts.rows import Rows
from search_stack.cohorts.version import (
    Combined,
    Found,
    Left,
    NoteStates,
    Operation,
    Provenance,
    Version,
    merged,
    relabelled,
)

_SETS: Mapping[Operation, Callable[[BitMap, BitMap], BitMap]] = {
    "union": lambda a, b: a | b,
    "intersection": lambda a, b: a & b,
    "difference": lambda a, b: a - b,
}
_WORDS: Mapping[Operation, str] = {"union": "or in", "intersection": "and in", "difference": "and not in"}


def combined(operation: Operation, a: Version, b: Version, now: Provenance) -> Found:
    """The patients of ``a`` and ``b`` together, with the evidence that made them members of either; of a difference,
    with that of ``a``. It holds its operands' names, and all it needs of what they hold.

    Args:
        now: ledger and program that combine.
    """
    patients = _SETS[operation](a.patients, b.patients)
    numbers = np.asarray(patients.to_array(), dtype=np.int64)
    several = [a.rows] if operation == "difference" else [a.rows, b.rows]
    rows = Rows.together(several).of_patients(numbers)
    labels = tuple(sorted({*a.provenance.labels, *b.provenance.labels}))
    states = _states(a, b, labels)
    keys = rows.notes()
    return Found(
        unit="patient",
        origin=Combined(operation, (a.operand, b.operand)),
        patients=patients,
        provenance=_provenance(a.provenance, b.provenance, replace(now, labels=labels)),
        rows=rows,
        notes=states.of(keys),
        past=states.of(np.setdiff1d(states.key, keys)),
        steps=(
            Left(f"in {a.name}", len(a.patients), a.note_count),
            Left(f"{_WORDS[operation]} {b.name}", len(patients), len(keys)),
        ),
    )


def _states(a: Version, b: Version, labels: tuple[str, ...]) -> NoteStates:
    """Of the notes of both, as the one that looked later saw them."""
    in_time = sorted((a, b), key=lambda one: one.provenance.seen)
    return merged([relabelled(s, one.provenance.labels, labels) for one in in_time for s in (one.past, one.notes)])


def _provenance(a: Provenance, b: Provenance, now: Provenance) -> Provenance:
    """What both were found by; empty where they differ. Of times, the earlier."""
    return replace(
        now,
        generation=_same(a.generation, b.generation),
        lexicon=_same(a.lexicon, b.lexicon),
        rules=_same(a.rules, b.rules),
        encoder=_same(a.encoder, b.encoder),
        reranker=_same(a.reranker, b.reranker),
        seen=min(a.seen, b.seen),
        last_note=min(a.last_note, b.last_note),
        people=min(a.people, b.people),
    )


def _same(a: str, b: str) -> str:
    return a if a == b else ""
