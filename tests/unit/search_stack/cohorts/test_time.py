"""Time: every function against its definition in plain Python."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.cohorts import time
from search_stack.cohorts.rows import NO_NOTE, NONE, UNDATED, Ints, Rows

Row = tuple[int, int, int]
DAYS = st.one_of(st.just(UNDATED), st.integers(-800, -700), st.integers(-3, 3), st.integers(362, 368))
BOUND = st.one_of(st.none(), st.integers(-5, 5), st.sampled_from((-400, 400, 10_000_000, -10_000_000)))
TOP = 2**31 - 1
"""The greatest number of a patient or note."""
NOTES: dict[int, tuple[int, int]] = {n: (1 + n % 3, (UNDATED, -750, -1, 0, 1, 365, 366)[n % 7]) for n in range(1, 22)}
"""Patient and day of each note: it has one of each."""
FACTS = st.tuples(st.integers(1, 3), st.sampled_from((UNDATED, -750, -1, 0, 1, 365)), st.just(NO_NOTE))
OF_NOTES = st.sampled_from(sorted(NOTES)).map(lambda n: (*NOTES[n], n))
EITHER = st.lists(st.one_of(OF_NOTES, FACTS), max_size=10)
ONLY_NOTES = st.lists(OF_NOTES, max_size=14)


def rows(*several: Row) -> Rows:
    return Rows.of(*zip(*several, strict=True)) if several else NONE


def listed(found: Rows) -> list[Row]:
    return list(zip(found.patient.tolist(), found.day.tolist(), found.note.tolist(), strict=True))


def ints(*values: int) -> Ints:
    return np.array(values, dtype=np.int64)


def day(iso: str) -> int:
    return (date.fromisoformat(iso) - date(1970, 1, 1)).days


def on_a_day(several: list[Row]) -> set[Row]:
    return {r for r in several if r[1] != UNDATED}


# At least


def test_notes_count_without_a_date_and_days_do_not() -> None:
    found = rows((1, UNDATED, 1), (1, 5, 2), (2, 5, 3), (2, 5, 4), (3, 5, 5))
    assert time.at_least(found, 2, "notes").patients().tolist() == [1, 2]
    assert len(time.at_least(found, 2, "days")) == 0
    assert listed(time.at_least(found, 1, "days")) == [(1, 5, 2), (2, 5, 3), (2, 5, 4), (3, 5, 5)]


def test_a_fact_counts_as_a_note_of_its_day() -> None:
    found = rows((1, 5, NO_NOTE), (1, 6, NO_NOTE), (2, 5, NO_NOTE), (2, 5, 7), (3, 5, NO_NOTE))
    assert time.at_least(found, 2, "notes").patients().tolist() == [1, 2]
    assert time.at_least(found, 2, "days").patients().tolist() == [1]


@given(EITHER, st.integers(1, 4))
def test_at_least_so_many_notes(several: list[Row], number: int) -> None:
    def enough(patient: int) -> bool:
        return len({r for r in several if r[0] == patient}) >= number

    assert listed(time.at_least(rows(*several), number, "notes")) == sorted({r for r in several if enough(r[0])})


@given(EITHER, st.integers(1, 4))
def test_at_least_so_many_days(several: list[Row], number: int) -> None:
    left = on_a_day(several)

    def enough(patient: int) -> bool:
        return len({d for p, d, _ in left if p == patient}) >= number

    assert listed(time.at_least(rows(*several), number, "days")) == sorted(r for r in left if enough(r[0]))


# First and last


def test_the_first_and_the_last_day_with_all_their_notes() -> None:
    found = rows((1, UNDATED, 1), (1, -9, 2), (1, -9, 3), (1, 4, 4), (2, UNDATED, 5), (3, 8, 6))
    assert listed(time.pick(found, "first")) == [(1, -9, 2), (1, -9, 3), (3, 8, 6)]
    assert listed(time.pick(found, "last")) == [(1, 4, 4), (3, 8, 6)]
    assert len(time.pick(rows((1, UNDATED, 1)), "first")) == 0


@given(EITHER, st.sampled_from(("first", "last")))
def test_pick(several: list[Row], which: str) -> None:
    left = on_a_day(several)
    best = min if which == "first" else max
    expected = {r for r in left if r[1] == best(d for p, d, _ in left if p == r[0])}
    assert listed(time.pick(rows(*several), which)) == sorted(expected)


# During


def test_during_holds_its_first_day_and_not_its_last() -> None:
    found = rows((1, UNDATED, 1), (1, 4, 2), (1, 5, 3), (1, 6, 4), (1, 7, 5))
    assert time.during(found, 5, 7).notes().tolist() == [3, 4]
    assert time.during(found, None, None).notes().tolist() == [2, 3, 4, 5]
    assert len(time.during(found, 6, 6)) == 0


@given(EITHER, BOUND, BOUND)
def test_during(several: list[Row], after: int | None, before: int | None) -> None:
    def inside(on: int) -> bool:
        return (after is None or on >= after) and (before is None or on < before)

    assert listed(time.during(rows(*several), after, before)) == sorted(r for r in on_a_day(several) if inside(r[1]))


# Near


@pytest.mark.parametrize(
    ("least", "most", "expected"),
    [
        (0, 0, [3]),
        (0, 30, [3, 4]),
        (1, 30, [4]),
        (-30, -1, [2]),
        (None, -1, [1, 2]),
        (1, None, [4, 5]),
        (None, None, [1, 2, 3, 4, 5]),
        (31, 99, []),
        (5, 1, []),
    ],
)
def test_near_counts_days_from_the_anchor(least: int | None, most: int | None, expected: list[int]) -> None:
    found = rows((1, -100, 1), (1, 70, 2), (1, 100, 3), (1, 130, 4), (1, 9_000, 5), (1, UNDATED, 6), (2, 100, 7))
    anchors = rows((1, 100, 20), (2, UNDATED, 21), (3, 100, 22))
    assert time.near(found, anchors, least, most).notes().tolist() == expected


def test_one_patients_days_never_reach_another_on_the_line() -> None:
    found = rows((TOP - 1, day("0001-01-01"), 1), (TOP, day("9999-12-31"), TOP))
    anchors = rows((TOP - 1, day("9999-12-31"), 3), (TOP, day("0001-01-01"), 4))
    assert time.near(found, anchors, None, -1).notes().tolist() == [1]
    assert time.near(found, anchors, 1, None).notes().tolist() == [TOP]
    for bound in (10**7, 10**9):
        assert time.near(found, anchors, -bound, bound).notes().tolist() == [1, TOP]
        assert len(time.near(found, anchors, bound, None)) == len(time.near(found, anchors, None, -bound)) == 0


@given(EITHER, EITHER, BOUND, BOUND)
def test_near(several: list[Row], others: list[Row], least: int | None, most: int | None) -> None:
    def close(row: Row) -> bool:
        distances = [row[1] - d for p, d, _ in on_a_day(others) if p == row[0]]
        return any((least is None or n >= least) and (most is None or n <= most) for n in distances)

    found = time.near(rows(*several), rows(*others), least, most)
    assert listed(found) == sorted(r for r in on_a_day(several) if close(r))


# Age

AGE = st.one_of(st.none(), st.integers(-1, 4))


@given(st.lists(st.integers(-2, 4), max_size=8), AGE, AGE)
def test_at_age(ages: list[int], least: int | None, most: int | None) -> None:
    found = time.at_age(rows(*((n, 0, n) for n in range(len(ages)))), ints(*ages), least, most)
    expected = [
        n
        for n, age in enumerate(ages)
        if age >= 0 and (least is None or age >= least) and (most is None or age <= most)
    ]
    assert found.notes().tolist() == expected


# Together


def group(row: Row, by: str) -> int | None:
    _, on, note = row
    if by == "note":
        return None if note == NO_NOTE else note
    if on == UNDATED:
        return None
    return on if by == "day" else (date(1970, 1, 1) + timedelta(on)).year


@given(st.lists(EITHER, min_size=1, max_size=3), st.sampled_from(("note", "day", "year")))
def test_together(several: list[list[Row]], by: str) -> None:
    keys = [{(r[0], g) for r in one if (g := group(r, by)) is not None} for one in several]
    shared = set.intersection(*keys)
    expected = {r for one in several for r in one if (r[0], group(r, by)) in shared}
    every = [rows(*one) for one in several]
    assert listed(time.together(every, [time.groups_by(r, by) for r in every])) == sorted(expected)


@given(st.lists(DAYS, max_size=8), st.sampled_from(("note", "day", "year")))
def test_groups_tell_apart_what_they_should_and_are_negative_for_none(days: list[int], by: str) -> None:
    several = sorted({(1, on, NO_NOTE if on == 0 else n) for n, on in enumerate(days)})
    found = time.groups_by(rows(*several), by).tolist()
    wanted = [group(r, by) for r in several]
    assert [g < 0 for g in found] == [w is None for w in wanted]
    for (g, w), (h, v) in pairwise(zip(found, wanted, strict=True)):
        assert (g == h) == (w == v)


def test_days_and_years_before_1970_are_groups() -> None:
    old = rows(
        (1, day("1969-12-31"), 1), (1, day("1969-01-01"), 2), (1, day("1970-01-01"), 3), (1, day("1850-06-01"), 4)
    )
    other = rows((1, day("1969-06-30"), 5), (1, day("1850-06-01"), 6), (1, UNDATED, 7))

    def both(by: str) -> list[int]:
        found = time.together([old, other], [time.groups_by(r, by) for r in (old, other)])
        return [int(n) for n in found.notes()]

    assert both("year") == [1, 2, 4, 5, 6]
    assert both("day") == [4, 6]
    assert both("note") == []


def test_a_group_is_of_one_patient_and_none_is_shared_by_what_has_none() -> None:
    left, right = rows((1, 5, 1), (2, 5, 2), (3, 5, 3)), rows((1, 9, 4), (2, 9, 5), (3, 9, 6))
    # Encounter 7 of patient 1 is not that of patient 2; the third has none on one side.
    found = time.together([left, right], [ints(7, 7, 8), ints(7, 9, -1)])
    assert found.notes().tolist() == [1, 4]
    assert len(time.together([left, right], [ints(-1, -1, -1), ints(-1, -1, -1)])) == 0
    assert len(time.together([], [])) == 0


def test_the_greatest_numbers_do_not_run_over() -> None:
    left, right = rows((TOP, 5, TOP), (TOP - 1, 5, 1)), rows((TOP, 9, TOP), (TOP - 1, 9, 2))
    found = time.together([left, right], [time.groups_by(r, "note") for r in (left, right)])
    assert listed(found) == [(TOP, 5, TOP), (TOP, 9, TOP)]


# One note


def test_notes_that_all_have_and_facts_of_their_day() -> None:
    first = rows((1, 5, 1), (1, 6, 2), (2, 5, 3), (2, UNDATED, 4))
    second = rows((1, 5, 1), (2, 5, 3), (2, UNDATED, 4))
    facts = rows((1, 5, NO_NOTE), (2, 6, NO_NOTE), (2, UNDATED, NO_NOTE))
    assert time.shared_notes([first, second]).tolist() == [1, 3, 4]
    assert time.shared_notes([first, second, facts]).tolist() == [1]
    assert time.shared_notes([first, facts]).tolist() == [1]
    assert time.shared_notes([facts]).tolist() == time.shared_notes([]).tolist() == []
    assert time.shared_notes([first, NONE]).tolist() == []


@given(st.lists(ONLY_NOTES, min_size=1, max_size=3), st.lists(st.lists(FACTS, min_size=1, max_size=8), max_size=2))
def test_shared_notes(several: list[list[Row]], facts: list[list[Row]]) -> None:
    shared = set.intersection(*({n for _, _, n in one} for one in several))
    days = [{(p, d) for p, d, _ in on_a_day(one)} for one in facts]
    expected = [n for n in sorted(shared) if all(NOTES[n] in known for known in days)]
    assert time.shared_notes([rows(*one) for one in (*several, *facts)]).tolist() == expected


@pytest.mark.parametrize("by", ["note", "day", "year"])
@given(several=st.lists(ONLY_NOTES, min_size=2, max_size=3))
def test_what_is_shut_out_of_a_group_leaves_none_of_it(several: list[list[Row]], by: str) -> None:
    *asked, gone = (rows(*some) for some in several)
    groups = [time.groups_by(r, by) for r in (*asked, gone)]
    whole = time.together(asked, groups[:-1])
    held = {(p, g) for p, g in zip(gone.patient.tolist(), groups[-1].tolist(), strict=True) if g >= 0}
    places = zip(listed(whole), time.groups_by(whole, by).tolist(), strict=True)
    expected = [row for row, group in places if (row[0], group) not in held]
    assert listed(time.together(asked, groups[:-1], [gone], groups[-1:])) == expected


@given(several=EITHER, others=EITHER, least=BOUND, most=BOUND)
def test_near_shut_out_is_what_is_left_of_those_with_a_date(
    several: list[Row], others: list[Row], least: int | None, most: int | None
) -> None:
    found, anchors = rows(*several), rows(*others)
    inside = set(listed(time.near(found, anchors, least, most)))
    assert listed(time.near(found, anchors, least, most, shut=True)) == sorted(on_a_day(several) - inside)
