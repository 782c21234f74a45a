"""Whose turn it is, and whether the evidence is what it was."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from pyroaring import BitMap

from search_stack.cohorts.rows import NO_NOTE, Rows
from search_stack.cohorts.version import Asked, Found, NoteStates, Provenance
from search_stack.review.decisions import Decision, Given, standing
from search_stack.review.queue import (
    evidence_digest,
    fresh_notes,
    in_order,
    next_of,
    outdated,
    progress,
    since,
    undecided,
)

AT = datetime(2027, 3, 1, tzinfo=UTC)


def found(rows: list[tuple[int, int, int]], versions: dict[int, int], members: tuple[int, ...] = ()) -> Found:
    keys = np.array(sorted(versions), dtype=np.int64)
    zero = np.zeros_like(keys)
    states = NoteStates(keys, np.array([versions[k] for k in keys.tolist()], dtype=np.int64), zero, zero)
    patients = BitMap([*(row[0] for row in rows), *members])
    provenance = Provenance(AT, "a" * 32, 1, 99)
    columns: Any = zip(*rows, strict=True)
    return Found("patient", Asked({"finding": "fever"}), patients, provenance, Rows.of(*columns), states)


BEFORE = found([(1, 10, 5), (1, 11, 6), (2, 10, 7), (3, 12, NO_NOTE)], {5: 1, 6: 1, 7: 1}, (4,))


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (BEFORE, {1: "same", 2: "same", 3: "same", 4: "same"}),
        (
            found([(1, 10, 5), (1, 11, 6), (2, 10, 7)], {5: 2, 6: 1, 7: 1}, (3,)),
            {1: "changed", 3: "changed", 4: "gone"},
        ),
        (found([(1, 10, 5), (2, 10, 7)], {5: 1, 7: 1}), {1: "changed", 2: "same", 3: "gone"}),
        (found([(1, 10, 5), (1, 12, 6)], {5: 1, 6: 1}), {1: "changed", 2: "gone"}),
        # Other notes, of other patients, are no evidence of these.
        (found([(1, 10, 5), (1, 11, 6), (9, 1, 8)], {5: 1, 6: 1, 8: 4}), {1: "same"}),
    ],
)
def test_evidence_has_changed_where_a_row_or_the_version_of_a_note_has(now: Found, told: dict[int, str]) -> None:
    made = {p: Decision(p, "a", AT, Given(p, 1, evidence_digest(BEFORE, p), "include")) for p in (1, 2, 3, 4)}
    assert {patient: since(made[patient], now) for patient in told} == told
    assert outdated(now, {p: made[p] for p in told}) == {p for p, what in told.items() if what == "changed"}


def test_fresh_are_notes_that_came_or_were_written_anew() -> None:
    now = found([(1, 10, 5), (1, 11, 6), (1, 12, 9), (3, 13, NO_NOTE)], {5: 1, 6: 2, 9: 1})
    assert fresh_notes(BEFORE, now, 1) == {6, 9}
    assert fresh_notes(BEFORE, BEFORE, 1) == fresh_notes(BEFORE, now, 3) == frozenset()


def test_the_order_is_drawn_by_lot_for_all_alike_and_a_newcomer_moves_nobody() -> None:
    patients = np.arange(1, 2001, dtype=np.int64)
    order = in_order(patients, 3).tolist()
    assert sorted(order) == patients.tolist()
    assert order == in_order(patients, 3).tolist()
    assert order != in_order(patients, 4).tolist()
    without = in_order(patients[patients != 77], 3).tolist()
    assert without == [one for one in order if one != 77]
    # The first hundred are a sample of all: their mean is within four standard errors of the middle.
    assert abs(np.mean(order[:100]) - 1000.5) < 4 * 2000 / np.sqrt(12 * 100)


def test_next_goes_on_behind_and_turns_round() -> None:
    order = [4, 1, 3, 2]
    assert next_of(order, {1, 2}) == 1
    assert next_of(order, {1, 2}, after=1) == 2
    assert next_of(order, {1}, after=3) == 1
    assert next_of(order, {1}, after=1) is None
    assert next_of(order, set(), after=99) is None
    assert undecided(order, {1: Decision(1, "a", AT, Given(1, 1, "", "doubt"))}) == {2, 3, 4}


def test_progress_counts_members_only() -> None:
    given = Given(1, 1, evidence_digest(BEFORE, 1), "include")
    events = [
        Decision(1, "b", AT, given),
        Decision(2, "b", AT, replace(given, patient=2, evidence="other", verdict="doubt")),
        Decision(3, "a", AT, replace(given, patient=99, verdict="exclude")),
    ]
    a, b = progress(standing(events), BEFORE)
    assert (a.reviewer, a.decided, a.total) == ("a", 0, 4)
    assert (b.decided, b.include, b.exclude, b.doubt, b.changed) == (2, 1, 0, 1, 1)
