"""Two groups compared: counts against a plain count, standardised differences against worked examples."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from search_stack.cohorts.contrast import Counting, contrast, of_means, of_shares, spread

GROUP = st.sets(st.integers(0, 12))
PEOPLE = st.dictionaries(
    st.integers(0, 12), st.tuples(st.sampled_from(("female", "male")), st.one_of(st.none(), st.integers(0, 110)))
)


def test_a_difference_of_shares_by_hand() -> None:
    # 60 % against 45 %: variances 0.24 and 0.2475.
    assert of_shares(0.6, 0.45) == pytest.approx(0.15 / math.sqrt((0.24 + 0.2475) / 2))
    assert of_shares(0.45, 0.6) == pytest.approx(-0.3038, abs=5e-5)
    assert of_shares(0.0, 0.0) == of_shares(1.0, 1.0) == 0.0
    assert of_shares(1.0, 0.0) is None
    assert of_shares(1.0, 0.5) == pytest.approx(math.sqrt(2))


def test_a_difference_of_means_by_hand() -> None:
    # Ages of 60 ± 10 and 55 ± 20: the deviation of both together is sqrt(250).
    assert of_means(60, 100, 55, 400) == pytest.approx(5 / math.sqrt(250))
    assert of_means(60, 0, 60, 0) == 0.0
    assert of_means(60, 0, 55, 0) is None


def test_spread_is_of_a_sample() -> None:
    ages = [40, 50, 60, 75]
    assert spread(ages).mean == pytest.approx(statistics.mean(ages))
    assert spread(ages).deviation == pytest.approx(statistics.stdev(ages))
    assert (spread([]).mean, spread([7]).mean, spread([7]).deviation) == (None, 7, None)


@given(GROUP, GROUP, PEOPLE)
def test_counts_are_those_of_the_groups(
    first: set[int], second: set[int], people: dict[int, tuple[str, int | None]]
) -> None:
    a, b = BitMap(first), BitMap(second)
    counting = Counting(a, b)
    for patient, (sex, age) in people.items():
        counting.has(patient, "sex", sex)
        counting.is_of_age(patient, age)
    found = contrast(a, b, *counting.profiles())
    assert (found.only_first, found.both, found.only_second) == (
        len(first - second),
        len(first & second),
        len(second - first),
    )
    for d in found.differences:
        if d.kind == "sex":
            having = {p for p, (sex, _) in people.items() if sex == d.value}
            assert (d.first, d.second) == (len(having & first), len(having & second))
            assert d.first_share == (d.first / len(first) if first else 0)
            assert d.standardised == of_shares(d.first_share, d.second_share)
    for group, told in zip((first, second), found.ages, strict=True):
        assert told == spread([age for p, (_, age) in people.items() if p in group and age is not None])
    kinds = [d.kind for d in found.differences]
    assert kinds == sorted(kinds, key=("sex", "age band").index)
    by_size = [
        math.inf if d.standardised is None else abs(d.standardised) for d in found.differences if d.kind == "sex"
    ]
    assert by_size == sorted(by_size, reverse=True)
