"""The paired bootstrap: what it must find, what it must not, and how often it is right."""

from __future__ import annotations

import numpy as np
import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.compare import FEWEST_QUERIES, Interval, Share, paired_bootstrap, share


def test_identical_systems_differ_by_0_to_0() -> None:
    values = [0.0, 0.5, 1.0, 1 / 3] * 10
    assert paired_bootstrap(values, values) == Interval(0.0, 0.0, 0.0, significant=False)


def test_a_clearly_better_system_is_significant_and_the_other_way_round() -> None:
    ours, baseline = [1.0] * 40 + [0.0] * 60, [0.0] * 95 + [1.0] * 5
    better, worse = paired_bootstrap(ours, baseline), paired_bootstrap(baseline, ours)
    assert better.significant
    assert worse.significant
    assert better.mean_difference == pytest.approx(0.35)
    assert 0 < better.low < 0.35 < better.high < 0.5
    assert (worse.mean_difference, worse.low, worse.high) == pytest.approx(
        (-better.mean_difference, -better.high, -better.low)
    )


def test_as_many_won_as_lost_is_not_significant() -> None:
    interval = paired_bootstrap([1.0, 0.0] * 50, [0.0, 1.0] * 50)
    assert interval.mean_difference == 0
    assert interval.low < 0 < interval.high
    assert not interval.significant


def test_pairing_finds_a_small_gain_that_holds_on_every_query() -> None:
    baseline = np.random.default_rng(1).random(100)  # spread far wider than the gain
    gain = np.random.default_rng(2).uniform(0.005, 0.015, 100)
    interval = paired_bootstrap((baseline + gain).tolist(), baseline.tolist())
    assert interval.significant
    assert 0.005 < interval.low < interval.high < 0.015


def test_the_interval_holds_the_true_difference_about_95_times_in_100() -> None:
    rng = np.random.default_rng(5)
    trials, true = 300, 0.1
    held = 0
    for seed in range(trials):
        differences = rng.normal(true, 0.5, 80)
        interval = paired_bootstrap(differences.tolist(), [0.0] * 80, samples=400, seed=seed)
        held += interval.low <= true <= interval.high
    assert 0.90 < held / trials < 0.985


def test_the_same_seed_gives_the_same_interval_and_another_does_not() -> None:
    ours, baseline = np.random.default_rng(6).random((2, 50)).tolist()
    assert paired_bootstrap(ours, baseline) == paired_bootstrap(ours, baseline)
    assert paired_bootstrap(ours, baseline, seed=14).low != paired_bootstrap(ours, baseline).low


def test_drawing_in_parts_covers_every_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, baseline = np.random.default_rng(7).random((2, 50)).tolist()
    whole = paired_bootstrap(ours, baseline, samples=101)
    monkeypatch.setattr("search_stack.evaluation.compare._DRAWS_AT_ONCE", 7 * 50)  # 101 is no multiple of 7
    assert paired_bootstrap(ours, baseline, samples=101) == whole


def test_ten_thousand_queries_give_the_width_that_theory_gives() -> None:
    differences = np.random.default_rng(8).normal(0, 1, 10_000)
    interval = paired_bootstrap(differences.tolist(), [0.0] * 10_000, samples=500)
    assert interval.high - interval.low == pytest.approx(2 * 1.96 / 100, rel=0.15)


def test_a_handful_of_queries_is_never_significant() -> None:
    few, enough = FEWEST_QUERIES - 1, FEWEST_QUERIES
    assert paired_bootstrap([1.0] * few, [0.0] * few) == Interval(1.0, 1.0, 1.0, significant=False)
    assert paired_bootstrap([1.0] * enough, [0.0] * enough).significant


@pytest.mark.parametrize(
    ("ours", "baseline", "samples", "message"),
    [
        ([1.0, 0.0], [1.0], 10, "2 values against 1"),
        ([], [], 10, "0 values against 0"),
        ([1.0], [float("nan")], 10, "not a finite number"),
        ([1.0], [1.0], 0, "0 samples"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    ours: list[float], baseline: list[float], samples: int, message: str
) -> None:
    with pytest.raises(AspectraError, match=message):
        paired_bootstrap(ours, baseline, samples=samples)


def test_a_share_is_of_all_and_its_interval_over_groups() -> None:
    told = share([1, 0, 0], [1, 3, 0])
    assert told is not None
    assert told.value == 1 / 4
    assert (told.low, told.high) == (0, 1)  # either group alone; the third has nothing to count
    assert told == share([1, 0], [1, 3])
    assert share([2, 2], [4, 4]) == Share(0.5, 0.5, 0.5)
    assert share([0], [0]) is None
    assert share([], []) is None


def test_more_groups_make_a_share_surer() -> None:
    few, many = share([1, 0] * 5, [1] * 10), share([1, 0] * 500, [1] * 1000)
    assert few
    assert many
    assert few.value == many.value == 0.5
    assert 0.04 < many.high - many.low < 0.08  # 2 * 1.96 * sqrt(0.25 / 1000) = 0.062
    assert few.high - few.low > 0.4
