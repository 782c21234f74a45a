"""No sequence of sizes that are told gives few patients away, held against exact fractions and every set of few."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from search_stack.disclosure import differencing
from search_stack.disclosure.differencing import Adds, adds
from search_stack.disclosure.masking import LEAST, shown_parts

Group = frozenset[int]
PEOPLE = 16
GROUPS = st.sets(st.integers(0, PEOPLE - 1)).map(frozenset)
TURNS: tuple[Callable[[Group, Group], Group], ...] = (
    lambda new, old: new,
    lambda new, old: new | old,
    lambda new, old: new & old,
    lambda new, old: old - new,
    lambda new, old: new ^ old,
    lambda new, old: frozenset(range(PEOPLE)) - old,
)
QUERIES = st.lists(st.tuples(GROUPS, st.sampled_from(TURNS), st.integers(0, 99)), max_size=9)


def people(*spans: tuple[int, int]) -> BitMap:
    return BitMap(n for begin, end in spans for n in range(begin, end))


def right_angles(groups: Sequence[Group], atoms: Sequence[tuple[bool, ...]]) -> list[list[Fraction]]:
    """A basis of the vectors over ``atoms`` whose product with each group's row is nought."""
    rows = [[Fraction(atom[n]) for atom in atoms] for n in range(len(groups))]
    pivots: list[int] = []
    for column in range(len(atoms)):
        at = len(pivots)
        found = next((n for n in range(at, len(rows)) if rows[n][column]), None)
        if found is None:
            continue
        rows[at], rows[found] = rows[found], rows[at]
        rows[at] = [value / rows[at][column] for value in rows[at]]
        for n, row in enumerate(rows):
            if n != at and row[column]:
                rows[n] = [a - row[column] * b for a, b in zip(row, rows[at], strict=True)]
        pivots.append(column)
    basis = []
    for free in set(range(len(atoms))) - set(pivots):
        vector = [Fraction(n == free) for n in range(len(atoms))]
        for row, pivot in zip(rows, pivots, strict=False):
            vector[pivot] = -row[free]
        basis.append(vector)
    return basis


def reckoned(groups: Sequence[Group], least: int = LEAST) -> list[set[int]]:
    """Every set of fewer than ``least`` patients whose number follows from those of ``groups``."""
    atoms: dict[tuple[bool, ...], list[int]] = {}
    for patient in sorted(frozenset().union(*groups)):
        atoms.setdefault(tuple(patient in group for group in groups), []).append(patient)
    sizes = [len(members) for members in atoms.values()]
    basis, members = right_angles(groups, list(atoms)), list(atoms.values())
    return [
        {patient for n in some for patient in members[n]}
        for count in range(1, least)
        for some in combinations([n for n, size in enumerate(sizes) if size < least], count)
        if sum(sizes[n] for n in some) < least and not any(sum(vector[n] for n in some) for vector in basis)
    ]


def follows(group: Group, told: Sequence[Group]) -> bool:
    """Whether the number of ``group`` follows from those of ``told``."""
    atoms = sorted({tuple(patient in one for one in (*told, group)) for patient in group.union(*told)})
    basis = right_angles(told, atoms)
    return not any(sum(v for v, atom in zip(vector, atoms, strict=True) if atom[-1]) for vector in basis)


def test_what_two_groups_tell() -> None:
    known = people((0, 20))
    assert adds(known, []) is Adds.NEWS
    assert adds(known, [known]) is Adds.NOTHING
    assert adds(BitMap(), [known]) is Adds.NOTHING
    assert adds(people((0, 18)), [known]) is Adds.FEW
    assert adds(people((0, 23)), [people((50, 90)), known]) is Adds.FEW
    assert adds(people((0, 15)), [known]) is Adds.NEWS
    assert adds(people((0, 18), (30, 32)), [known]) is Adds.NEWS  # neither lies within the other


def test_what_several_groups_tell() -> None:
    """43 are 20 women, 20 men and 3 of whom it is not known."""
    whole, women, men, unknown = people((0, 43)), people((0, 20)), people((20, 40)), people((40, 43))
    assert adds(women, [whole]) is Adds.NEWS
    assert adds(men, [whole, women]) is Adds.FEW
    assert adds(whole, [women, men]) is Adds.FEW
    assert adds(women | men, [women, men]) is Adds.NOTHING
    assert adds(women | unknown, [women]) is Adds.FEW
    # Three that are apart, and all of them.
    thirds = [people((0, 10)), people((10, 20)), people((20, 30))]
    assert adds(people((0, 33)), thirds) is Adds.FEW
    assert adds(people((0, 35)), thirds) is Adds.NEWS
    # Four single people, each in an atom of their own, of whom none is known alone.
    told = [people((0, 10), (30, 32)), people((10, 20), (32, 34)), people((0, 20))]
    assert adds(told[-1], told[:-1]) is Adds.FEW
    # Whom neither within nor around tells: 2(a + b + c) from pairs, and all three besides two more.
    a, b, c = people((0, 7)), people((7, 14)), people((14, 21))
    assert adds(a | b | c | people((30, 32)), [a | b, b | c, a | c]) is Adds.FEW


def test_what_cannot_be_ruled_out_in_time_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told = [BitMap(n for n in range(16) if n >> bit & 1) for bit in range(4)]
    asked = BitMap(n for n in range(16) if n % 3)
    assert adds(asked, told) is Adds.NEWS
    for name in ("WORK", "SETS"):
        with monkeypatch.context() as patched:
            patched.setattr(differencing, name, 1)
            assert adds(asked, told) is Adds.FEW, name


@settings(max_examples=60)
@given(QUERIES, st.integers(2, 7))
def test_no_answers_together_tell_of_few(queries: list[tuple[Group, Callable[..., Group], int]], least: int) -> None:
    told: list[Group] = []
    for new, turn, which in queries:
        group = turn(new, told[which % len(told)] if told else new)
        if len(group) < least:
            continue
        found = adds(BitMap(group), [*map(BitMap, told)], least)
        assert (found is Adds.NOTHING) == follows(group, told)
        if found is Adds.FEW:
            assert reckoned([*told, group], least)  # no more is refused than must be
        if found is Adds.NEWS:
            told.append(group)
        assert reckoned(told, least) == []


@settings(max_examples=40)
@given(st.lists(st.integers(0, 9), min_size=2, max_size=4), QUERIES)
def test_what_a_table_hides_stays_hidden(
    parts: list[int], queries: list[tuple[Group, Callable[..., Group], int]]
) -> None:
    """A small value, and the one that is hidden beside it, whatever is asked after the table."""
    ends = [sum(parts[:n]) for n in range(len(parts) + 1)]
    cells = [frozenset(range(begin, end)) for begin, end in pairwise(ends)]
    whole = frozenset(range(ends[-1]))
    if len(whole) < LEAST:
        return
    shown = shown_parts(parts, len(whole), apart=True)
    hidden = [cell for cell, number in zip(cells, shown, strict=True) if number is None and cell]
    told: list[Group] = []

    def ask(group: Group) -> None:
        found = adds(BitMap(group), [*map(BitMap, told)])
        told.extend([group] if found is Adds.NEWS else [])

    for group in (whole, *(cell for cell in cells if cell not in hidden and cell)):
        ask(group)
    for new, turn, which in queries:
        group = turn(new, cells[which % len(cells)])
        if len(group) >= LEAST:
            ask(group)
    for cell in hidden:  # asked for outright in the end
        if len(cell) >= LEAST:
            ask(cell)
    assert reckoned(told) == []
    for cell in hidden:
        if min(len(cell), len(whole - cell)) < LEAST or sum(len(one) for one in hidden if one != cell) < LEAST:
            assert not follows(cell, told)
