"""Numbers in which nobody stands out: what is told never gives a small number away."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from search_stack.disclosure.differencing import tells_of_few
from search_stack.disclosure.masking import LEAST, shown_parts, shown_steps

SMALL = range(1, LEAST)
COUNTS = st.lists(st.integers(0, 30), min_size=1, max_size=7)


@given(COUNTS)
def test_steps_that_are_told_and_their_differences_are_large(counts: list[int]) -> None:
    steps = sorted(counts, reverse=True)
    shown = shown_steps(steps)
    told = [n for n in shown if n is not None]
    assert all(n >= LEAST for n in told)
    assert not any(a - b in SMALL for a in told for b in told)
    assert all(n in (None, step) for n, step in zip(shown, steps, strict=True))
    if steps[-1] >= LEAST:
        assert shown[-1] == steps[-1]


@given(COUNTS)
def test_parts_that_are_apart_tell_nothing_of_those_that_are_hidden(parts: list[int]) -> None:
    whole = sum(parts)
    shown = shown_parts(parts, whole, apart=True)
    told = [n for n in shown if n is not None]
    assert not any(n in SMALL or whole - n in SMALL for n in told)
    hidden = sum(n is None for n in shown)
    if hidden and told:
        assert hidden > 1
        assert whole - sum(told) >= LEAST


@given(COUNTS, st.integers(0, 40))
def test_parts_that_overlap_hide_the_few_and_all_but_few(parts: list[int], more: int) -> None:
    whole = max(parts) + more
    for n, shown in zip(parts, shown_parts(parts, whole, apart=False), strict=True):
        assert (shown is None) == (n in SMALL or whole - n in SMALL)


def test_a_large_table_is_told_as_it_is() -> None:
    assert shown_parts([20, 12, 0], 32, apart=True) == [20, 12, 0]
    assert shown_parts([20, 12], 40, apart=False) == [20, 12]
    assert shown_parts([20, 12, 9, 2], 43, apart=True) == [20, 12, None, None]


def test_groups_around_and_within_one_that_is_known() -> None:
    known = BitMap(range(20))
    assert not tells_of_few(known, [known])
    assert not tells_of_few(known, [])
    assert tells_of_few(BitMap(range(18)), [known])
    assert tells_of_few(BitMap(range(23)), [BitMap(range(50, 90)), known])
    assert not tells_of_few(BitMap(range(15)), [known])
    assert not tells_of_few(BitMap([*range(18), 30, 31]), [known])  # neither lies within the other


@given(st.lists(st.sets(st.integers(0, 12)), max_size=12), st.sets(st.integers(0, 12)))
def test_the_general_tracker_finds_nobody(padding: list[set[int]], few: set[int]) -> None:
    """q(C) = q(C or T) + q(C or not T) - q(T) - q(not T), of which two pairs differ by C's patients at most."""
    everybody = set(range(40))
    for t in padding:
        told: list[BitMap] = []
        wanted = (t, everybody - t, t | few, (everybody - t) | few)
        answered = []
        for group in map(BitMap, wanted):
            fine = len(group) >= LEAST and not tells_of_few(group, told)
            answered.append(fine)
            told += [group] if fine else []
        new, newer = few - t, few & t
        if len(new) in SMALL:
            assert not (answered[0] and answered[2])
        if len(newer) in SMALL:
            assert not (answered[1] and answered[3])
