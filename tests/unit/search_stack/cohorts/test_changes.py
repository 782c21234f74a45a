"""What changed between two versions, against a look at every row; and each reason by a case of its own."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from search_stack.cohorts.changes import REASONS, Moves, Regrouped, changes, circumstances
from search_stack.cohorts.rows import NO_NOTE, NONE, Rows
from search_stack.cohorts.version import GONE, NO_NOTES, Asked, Combined, Found, NoteStates, Operand, Provenance

SEEN = datetime(2024, 1, 1, tzinfo=UTC)
THEN, SINCE = (
    int((SEEN + timedelta(days=d) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() * 1e6) for d in (-1, 1)
)
ASKED = Asked({"finding": "fever", "assertion": "present"})
LABELS = ("v1", "v2")
Row = tuple[int, int, int]
State = tuple[int, int, int]
"""Version, place in the labels, time."""


def states(known: dict[int, State]) -> NoteStates:
    rows = [(key, *known[key]) for key in sorted(known)]
    return NoteStates(*(np.array(c, dtype=np.int64) for c in zip(*rows, strict=True))) if rows else NO_NOTES


def found(rows: set[Row], notes: dict[int, State], past: dict[int, State] | None = None, **told: Any) -> Found:
    given = {"labels": LABELS[:1], "last_note": 5, **told}
    return Found(
        unit="patient",
        origin=ASKED,
        patients=BitMap(p for p, _, _ in rows),
        provenance=Provenance(SEEN, "ledger", 0, **given),
        rows=Rows.of(*zip(*rows, strict=True)) if rows else NONE,
        notes=states({k: s for k, s in notes.items() if k in {n for _, _, n in rows}}),
        past=states(past or {}),
    )


def listed(moves: Moves) -> dict[Row, str]:
    columns = (moves.rows.patient, moves.rows.day, moves.rows.note)
    rows = zip(*(c.tolist() for c in columns), strict=True)
    return {row: REASONS[r] for row, r in zip(rows, moves.reason.tolist(), strict=True)}


ONE = (1, 100, 3)


@pytest.mark.parametrize(
    ("then", "past", "why"),
    [
        ((1, 0, THEN), (GONE, -1, 0), "deleted note"),
        ((1, 0, THEN), (2, 0, SINCE), "changed note"),
        ((1, 0, THEN), (1, 1, THEN), "relabelled note"),
        ((1, 0, THEN), (1, 0, THEN), "other"),
        ((1, 0, THEN), None, "other"),
    ],
)
def test_why_evidence_went(then: State, past: State | None, why: str) -> None:
    old, new = found({ONE}, {3: then}), found(set(), {}, {3: past} if past else {}, labels=LABELS)
    said = changes(old, new)
    assert (said.new.tolist(), said.gone.tolist(), said.changed.tolist()) == ([], [1], [])
    assert listed(said.went) == {ONE: why}
    assert said.reasons(said.gone) == {why: 1}


@pytest.mark.parametrize(
    ("note", "past", "now", "why"),
    [
        (6, None, (1, 0, SINCE), "new note"),
        (3, None, (1, 0, SINCE), "new note"),  # it waited to be indexed
        (3, (GONE, -1, 0), (1, 0, SINCE), "new note"),
        (3, (1, 0, THEN), (2, 0, SINCE), "changed note"),
        (3, None, (2, 0, SINCE), "changed note"),
        (3, (1, 0, THEN), (1, 1, THEN), "relabelled note"),
        (3, None, (1, 1, THEN), "relabelled note"),
        (3, None, (2, 0, THEN), "other"),
        (3, (2, 0, THEN), (2, 0, THEN), "other"),
    ],
)
def test_why_evidence_came(note: int, past: State | None, now: State, why: str) -> None:
    row = (1, 100, note)
    old, new = found(set(), {}, {note: past} if past else {}), found({row}, {note: now}, labels=LABELS)
    said = changes(old, new)
    assert (said.new.tolist(), said.gone.tolist(), said.changed.tolist()) == ([1], [], [])
    assert listed(said.came) == {row: why}


def test_a_patient_stays_by_other_evidence() -> None:
    fact = (1, 100, NO_NOTE)
    old, new = found({ONE}, {3: (1, 0, THEN)}), found({ONE, fact}, {3: (4, 0, SINCE)})
    said = changes(old, new)
    assert (said.new.tolist(), said.gone.tolist(), said.changed.tolist()) == ([], [], [1])
    assert (listed(said.came), listed(said.rewritten)) == ({fact: "structured fact"}, {ONE: "changed note"})
    assert said.reasons(said.changed) == {"changed note": 1, "structured fact": 1}
    assert not said.none


def test_other_counts_only_where_no_reason_is_known() -> None:
    old = found({(1, 5, 1), (1, 6, 2), (2, 7, 3)}, dict.fromkeys((1, 2, 3), (1, 0, THEN)))
    new = found(set(), {}, {1: (GONE, -1, 0), 2: (1, 0, THEN), 3: (1, 0, THEN)})
    said = changes(old, new)
    assert said.reasons(said.gone) == {"deleted note": 1, "other": 1}


def test_lists_have_no_evidence() -> None:
    old = replace(found(set(), {}), patients=BitMap([1, 2]))
    new = replace(found(set(), {}), patients=BitMap([2, 3]))
    said = changes(old, new)
    assert (said.new.tolist(), said.gone.tolist(), said.changed.tolist()) == ([3], [1], [])
    assert said.reasons(said.new) == {"other": 1}


def test_ids_that_were_merged_or_parted_again_are_no_lost_patients() -> None:
    """Patients 1 and 2 are one from the second look on; 3 is only in by what it lacks."""
    notes = dict.fromkeys((1, 2, 4), (1, 0, THEN))
    apart = {(1, 100, 1), (1, 101, NO_NOTE), (1, 102, 4), (2, 100, 2), (2, 103, NO_NOTE)}
    joined = {(2, 100, 1), (2, 101, NO_NOTE), (2, 100, 2), (2, 103, NO_NOTE), (2, 104, NO_NOTE), (2, 105, 6)}
    one = replace(found(apart, notes), patients=BitMap([1, 2, 3]))
    two = found(joined, {1: (1, 0, SINCE), 2: (1, 0, THEN), 6: (1, 0, SINCE)}, {4: (GONE, -1, 0)})
    merge, keys = {1: 2, 3: 4}, np.array([1, 4])
    said = changes(one, two, Regrouped(merge, keys))
    assert said.gone.tolist() == [1, 3]
    assert said.reasons(said.gone) == {"deleted note": 1, "merged patient": 2}
    assert listed(said.went) == {
        (1, 100, 1): "merged patient",
        (1, 101, NO_NOTE): "merged patient",
        (1, 102, 4): "deleted note",
    }
    assert listed(said.came) == {
        (2, 100, 1): "merged patient",
        (2, 101, NO_NOTE): "merged patient",
        (2, 104, NO_NOTE): "structured fact",
        (2, 105, 6): "new note",
    }
    assert "merged patient" not in changes(one, two).reasons(said.everyone)
    # Taken back.
    parted = changes(
        found({(2, 100, 1), (2, 101, NO_NOTE), (2, 100, 2)}, notes),
        found({(1, 100, 1), (1, 101, NO_NOTE), (2, 100, 2)}, notes),
        Regrouped({1: 1}, np.array([1])),
    )
    assert {**listed(parted.came), **listed(parted.went)} == dict.fromkeys(
        [(1, 100, 1), (1, 101, NO_NOTE), (2, 100, 1), (2, 101, NO_NOTE)], "merged patient"
    )


NOTE = st.integers(1, 8)
STATE = st.tuples(st.integers(1, 2), st.integers(0, 1), st.sampled_from((THEN, SINCE)))
WORLD = st.fixed_dictionaries({n: st.one_of(st.none(), STATE) for n in range(1, 9)})
EVIDENCE = st.sets(st.tuples(st.integers(1, 4), st.integers(0, 2), st.one_of(NOTE, st.just(NO_NOTE))), max_size=12)


@given(WORLD, WORLD, EVIDENCE, EVIDENCE, st.booleans())
def test_against_a_look_at_every_row(
    before: dict[int, State | None], after: dict[int, State | None], first: set[Row], second: set[Row], cumulative: bool
) -> None:
    then = {n: (s[0], 0, s[2]) for n, s in before.items() if s}  # one version of the labels
    now = {n: s for n, s in after.items() if s}
    first = {r for r in first if r[2] == NO_NOTE or r[2] in then}
    second = {r for r in second if r[2] == NO_NOTE or r[2] in now}
    in_first, in_second = ({n for _, _, n in rows if n != NO_NOTE} for rows in (first, second))
    old_past = {n: then.get(n, (GONE, -1, 0)) for n in in_second - in_first} if cumulative else {}
    old = found(first, then, old_past)
    new_past = {n: now.get(n, (GONE, -1, 0)) for n in in_first - in_second}
    new = found(second, now, new_past, labels=LABELS)
    said = changes(old, new)

    def label(place: int) -> str:
        return "" if place < 0 else LABELS[place]

    def why_went(note: int) -> str:
        if note == NO_NOTE:
            return "structured fact"
        a, b = then[note], now.get(note)
        if b is None:
            return "deleted note"
        if a[0] != b[0]:
            return "changed note"
        return "relabelled note" if label(a[1]) != label(b[1]) else "other"

    def why_came(note: int) -> str:
        if note == NO_NOTE:
            return "structured fact"
        b = now[note]
        a = then.get(note) if note in in_first or note in old_past else None
        if note in in_first or note in old_past:
            if a is None:
                return "new note"
            if a[0] != b[0]:
                return "changed note"
            return "relabelled note" if label(a[1]) != label(b[1]) else "other"
        if note > 5 or (b[0] == 1 and b[2] > THEN):
            return "new note"
        if b[2] > THEN:
            return "changed note"
        return "relabelled note" if label(b[1]) not in LABELS[:1] else "other"

    assert listed(said.came) == {r: why_came(r[2]) for r in second - first}
    assert listed(said.went) == {r: why_went(r[2]) for r in first - second}
    rewritten = {r for r in first & second if r[2] != NO_NOTE and then[r[2]][0] != now[r[2]][0]}
    assert set(listed(said.rewritten)) == rewritten
    patients_then, patients_now = ({p for p, _, _ in rows} for rows in (first, second))
    assert said.new.tolist() == sorted(patients_now - patients_then)
    assert said.gone.tolist() == sorted(patients_then - patients_now)
    moved = {p for p, _, _ in (first ^ second) | rewritten}
    assert said.changed.tolist() == sorted(moved & patients_then & patients_now)
    assert said.none == (first == second and not rewritten)


def test_circumstances_are_told_apart() -> None:
    one = found({ONE}, {3: (1, 0, THEN)})
    assert circumstances(one, one) == ()
    typed = replace(one, origin=Asked(ASKED.tree, "feverish"))
    assert circumstances(one, typed) == ()
    asked = replace(one, origin=Asked({"finding": "cough", "assertion": "present"}))
    assert circumstances(one, asked) == ("the query",)
    made = replace(one, origin=Combined("union", (Operand("a", 1, 1), Operand("b", 1, 2))))
    assert circumstances(one, made) == ("what it was made of",)
    for name, value, told in (
        ("lexicon", "l2", "the lexicon"),
        ("rules", "r2", "the rules of the language"),
        ("labels", LABELS, "the labels of the index"),
        ("people", 7, "what is known of patients"),
        ("ledger", "another", "the ledger"),
    ):
        other = replace(one, provenance=replace(one.provenance, **{name: value}))
        assert circumstances(one, other) == (told,)
