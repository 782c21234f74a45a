"""Sets of cohorts, against the sets of Python; and what a combined version knows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from search_stack.cohorts.changes import changes
from search_stack.cohorts.combining import combined
from search_stack.cohorts.rows import NO_NOTE, NONE, Rows
from search_stack.cohorts.version import (
    OPERATIONS,
    Asked,
    Combined,
    NoteStates,
    Operand,
    Operation,
    Provenance,
    Version,
    merged,
    relabelled,
)

SEEN = datetime(2024, 1, 1, tzinfo=UTC)
NOW = Provenance(SEEN + timedelta(days=9), "ledger", 9, 90, program="0.1.0")
Row = tuple[int, int, int]
EVIDENCE = st.sets(st.tuples(st.integers(1, 9), st.integers(0, 2), st.sampled_from((NO_NOTE, 1, 2, 3, 4))), max_size=14)


def ints(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def states(*rows: tuple[int, int, int, int]) -> NoteStates:
    return NoteStates(*(ints(*(row[n] for row in rows)) for n in range(4)))


def version(
    name: str, rows: set[Row], day: int = 0, labels: tuple[str, ...] = ("v1",), note_version: int = 1
) -> Version:
    keys = sorted({n for _, _, n in rows if n != NO_NOTE})
    return Version(
        unit="patient",
        origin=Asked({"words": name}),
        patients=BitMap(p for p, _, _ in rows),
        provenance=Provenance(SEEN + timedelta(days=day), "ledger", day, 10 + day, "g", labels, "lex", f"r{day}"),
        rows=Rows.of(*zip(*rows, strict=True)) if rows else NONE,
        notes=states(*((key, note_version, 0, day) for key in keys)),
        cohort=name,
        cohort_id=day + 3,
        number=day + 1,
        id=day + 7,
        made=SEEN,
        by="mo",
        scheduled=False,
        digest="",
    )


def listed(rows: Rows) -> set[Row]:
    return set(zip(rows.patient.tolist(), rows.day.tolist(), rows.note.tolist(), strict=True))


@given(EVIDENCE, EVIDENCE, st.sampled_from(OPERATIONS))
def test_sets_of_patients_and_their_evidence(first: set[Row], second: set[Row], operation: Operation) -> None:
    a, b = version("a", first), version("b", second, 1)
    found = combined(operation, a, b, NOW)
    in_a, in_b = ({p for p, _, _ in rows} for rows in (first, second))
    patients = {"union": in_a | in_b, "intersection": in_a & in_b, "difference": in_a - in_b}[operation]
    assert set(found.patients) == patients
    evidence = first if operation == "difference" else first | second
    assert listed(found.rows) == {row for row in evidence if row[0] in patients}
    assert found.notes.key.tolist() == found.rows.notes().tolist()
    assert not set(found.past.key.tolist()) & set(found.notes.key.tolist())
    assert [s.patients for s in found.steps] == [len(in_a), len(patients)]


@given(EVIDENCE, EVIDENCE)
def test_what_sets_obey(first: set[Row], second: set[Row]) -> None:
    a, b = version("a", first), version("b", second)

    def size(operation: Operation, x: Version, y: Version) -> int:
        return len(combined(operation, x, y, NOW).patients)

    assert size("union", a, b) == size("union", b, a)
    assert size("union", a, b) == size("difference", a, b) + size("difference", b, a) + size("intersection", a, b)
    assert size("difference", a, a) == 0
    assert changes(a, combined("intersection", a, a, NOW)).none


def test_a_combined_version_says_what_it_was_made_of_and_by() -> None:
    a = version("a", {(1, 0, 1), (2, 0, 2)}, labels=("v1", "v3"))
    b = version("b", {(2, 0, 2), (3, 0, 3)}, 1, labels=("v2", "v3"), note_version=5)
    found = combined("union", a, b, NOW)
    assert found.origin == Combined("union", (Operand("a", 1, 7), Operand("b", 2, 8)))
    assert [(s.step, s.patients, s.notes) for s in found.steps] == [("in a@1", 2, 2), ("or in b@2", 3, 3)]
    p = found.provenance
    assert (p.seen, p.last_note, p.people, p.labels) == (SEEN, 10, 0, ("v1", "v2", "v3"))
    assert (p.lexicon, p.rules, p.program) == ("lex", "", "0.1.0")
    # Of a note that both hold, as the later saw it.
    assert found.notes.key.tolist() == [1, 2, 3]
    assert found.notes.version.tolist() == [1, 5, 5]
    assert [p.labels[n] for n in found.notes.labels.tolist()] == ["v1", "v2", "v2"]


def test_states_are_merged_by_their_order() -> None:
    early, late = states((1, 1, 0, 5), (2, 3, 0, 5)), states((2, 0, -1, 0), (3, 1, 0, 9))
    assert [c.tolist() for c in merged([early, late]).columns] == [[1, 2, 3], [1, 0, 1], [0, -1, 0], [5, 0, 9]]
    assert len(merged([])) == 0
    assert relabelled(late, ("b",), ("a", "b")).labels.tolist() == [-1, 1]
