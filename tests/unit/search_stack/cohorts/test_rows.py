"""Rows: sorted, each once, and taken by patient and note."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from search_stack.cohorts.rows import NO_NOTE, NONE, UNDATED, Rows, among

Row = tuple[int, int, int]
ROW = st.tuples(
    st.integers(1, 4), st.sampled_from((UNDATED, -400, -1, 0, 1, 18_000)), st.sampled_from((NO_NOTE, 1, 2, 3))
)


def rows(*several: Row) -> Rows:
    return Rows.of(*zip(*several, strict=True)) if several else NONE


def listed(found: Rows) -> list[Row]:
    return list(zip(found.patient.tolist(), found.day.tolist(), found.note.tolist(), strict=True))


def test_rows_stand_in_order_and_once() -> None:
    found = rows((2, 5, 9), (1, 7, 3), (1, UNDATED, 4), (2, 5, 9), (1, 7, 2))
    assert listed(found) == [(1, UNDATED, 4), (1, 7, 2), (1, 7, 3), (2, 5, 9)]
    assert len(found) == 4
    assert found.nbytes == 4 * 5 * 8


def test_there_may_be_none() -> None:
    empty = Rows.of([], [], [])
    assert listed(empty) == listed(NONE) == listed(Rows.together([])) == []
    assert empty.patients().tolist() == empty.notes().tolist() == []
    assert {c.dtype for c in (empty.patient, empty.day, empty.note)} == {np.dtype(np.int64)}


@given(st.lists(ROW, max_size=12))
def test_of_is_the_sorted_set(several: list[Row]) -> None:
    assert listed(rows(*several)) == sorted(set(several))


@given(st.lists(st.lists(ROW, max_size=6), max_size=4))
def test_together_is_the_union(several: list[list[Row]]) -> None:
    assert listed(Rows.together([rows(*r) for r in several])) == sorted({row for r in several for row in r})


@given(st.lists(ROW, max_size=12), st.sets(st.integers(-2, 6)))
def test_patients_and_notes(several: list[Row], chosen: set[int]) -> None:
    found = rows(*several)
    keys = np.array(sorted(chosen), dtype=np.int64)
    assert found.patients().tolist() == sorted({p for p, _, _ in several})
    assert found.notes().tolist() == sorted({n for _, _, n in several if n != NO_NOTE})
    assert listed(found.of_patients(keys)) == sorted({r for r in several if r[0] in chosen})
    assert listed(found.of_notes(keys)) == sorted({r for r in several if r[2] in chosen})


@given(st.lists(st.integers(-5, 5)), st.sets(st.integers(-5, 5)))
def test_among(values: list[int], known: set[int]) -> None:
    found = among(np.array(values, dtype=np.int64), np.array(sorted(known), dtype=np.int64))
    assert found.tolist() == [v in known for v in values]
