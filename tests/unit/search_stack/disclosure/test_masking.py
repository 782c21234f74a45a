"""Numbers in which nobody stands out: what is told never gives a small number away."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

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
