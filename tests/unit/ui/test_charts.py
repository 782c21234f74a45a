"""Charts: what is drawn is in proportion to what was counted."""

from __future__ import annotations

import math
from itertools import pairwise, product

import numpy as np
import pytest

from ui.charts import Circle, Venn, all_years, bars, columns, lens, stacks, venn


def area(r: float) -> float:
    return math.pi * r**2


def shared(drawn: Venn, size: int = 1200) -> float:
    """By counting points on a grid, which knows nothing of circular segments."""
    x, y = np.meshgrid(np.linspace(0, drawn.width, size), np.linspace(0, drawn.height, size))

    def inside(one: Circle) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        found: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = (x - one.x) ** 2 + (y - one.y) ** 2 <= one.r**2
        return found

    return float((inside(drawn.first) & inside(drawn.second)).mean()) * drawn.width * drawn.height


@pytest.mark.parametrize(
    ("only_first", "both", "only_second"),
    [(10, 5, 10), (90, 10, 0), (0, 10, 90), (5, 0, 7), (0, 4, 0), (1000, 1, 3), (3, 300, 40), (0, 0, 8), (9, 0, 0)],
)
def test_areas_are_in_proportion(only_first: int, both: int, only_second: int) -> None:
    drawn = venn(only_first, both, only_second)
    first, second = only_first + both, only_second + both
    unit = area(80) / max(first, second)
    assert area(drawn.first.r) == pytest.approx(unit * first, rel=0.01)
    assert area(drawn.second.r) == pytest.approx(unit * second, rel=0.01)
    assert shared(drawn) == pytest.approx(unit * both, rel=0.02, abs=area(80) * 0.001)


def test_all_of_a_diagram_is_inside_the_drawing_and_numbers_in_their_parts() -> None:
    counts = (0, 1, 7, 120, 45_000)
    for only_first, both, only_second in product(counts, repeat=3):
        drawn = venn(only_first, both, only_second)
        for one in (drawn.first, drawn.second):
            assert one.x - one.r >= 0
            assert one.x + one.r <= drawn.width
            assert one.y + one.r <= drawn.height
        where = {number.count: number.x for number in drawn.numbers}
        if len({only_first, both, only_second}) < 3:
            continue
        for count, in_first, in_second in ((only_first, True, False), (both, True, True), (only_second, False, True)):
            if count in where:
                assert (abs(where[count] - drawn.first.x) < drawn.first.r) == in_first
                assert (abs(where[count] - drawn.second.x) < drawn.second.r) == in_second


def test_a_lens_is_nothing_apart_and_the_smaller_circle_inside() -> None:
    assert lens(3, 2, 5) == 0
    assert lens(3, 2, 1) == pytest.approx(area(2))
    assert lens(3, 3, 0) == pytest.approx(area(3))
    assert lens(1, 1, 1) == pytest.approx(2 * math.pi / 3 - math.sqrt(3) / 2)


def test_bars_are_measured_by_the_longest_and_shares_by_the_whole() -> None:
    told = bars([("a", 50), ("b", 25), ("c", 0)], 200)
    assert [(bar.length, bar.share) for bar in told] == [(100, "25 %"), (50, "12 %"), (0, "0 %")]
    assert bars([], 0) == ()
    assert bars([("a", 0)], 0)[0].length == 0


def test_parts_of_a_stack_follow_each_other() -> None:
    one, other = stacks([("a", (3, 1)), ("b", (0, 2))])
    assert [(part.begin, part.length) for part in one.parts] == [(0, 75), (75, 25)]
    assert [(part.begin, part.length) for part in other.parts] == [(0, 0), (0, 50)]
    assert (one.count, other.count) == (4, 2)


def test_columns_stand_side_by_side_and_few_are_labelled() -> None:
    years = all_years((str(year), year - 1980) for year in range(1981, 2021) if year != 1990)
    told = columns(years)
    assert len(told) == 40
    assert {column.count for column in told if column.label == "1990"} == {0}
    assert all(a.begin + a.width < b.begin for a, b in pairwise(told))
    assert told[-1].begin + told[-1].width <= 100
    assert max(column.height for column in told) == 100
    assert 4 <= sum(column.ticked for column in told) <= 8
    assert columns([]) == ()
