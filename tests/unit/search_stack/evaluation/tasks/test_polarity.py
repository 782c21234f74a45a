from __future__ import annotations

import pytest

from search_stack.evaluation.tasks.polarity import separation

WITH, WITHOUT, BOTH = ([f"{kind}{n}" for n in range(5)] for kind in "abc")
JUDGED = {"+gout": dict.fromkeys([*WITH, *BOTH], 1), "-gout": dict.fromkeys([*WITHOUT, *BOTH], 1)}


def run(*order: str) -> dict[str, list[tuple[str, float]]]:
    scored = [(uid, float(len(order) - n)) for n, uid in enumerate(order)]
    return {"+gout": scored, "-gout": scored}


def test_right_order_is_1_wrong_order_0_and_reports_with_both_do_not_count() -> None:
    found = separation({"right": run(*WITH, *BOTH, *WITHOUT), "silent": {"+gout": [], "-gout": []}}, JUDGED)
    assert found["right"] == {"+gout": 1.0, "-gout": 0.0}
    assert found["silent"] == {"+gout": 0.5, "-gout": 0.5}


def test_one_pair_in_the_wrong_order_of_25() -> None:
    order = [*WITH[:4], WITHOUT[0], WITH[4], *WITHOUT[1:]]
    assert separation({"near": run(*order)}, JUDGED)["near"]["+gout"] == pytest.approx(24 / 25)


def test_too_few_reports_tell_nothing() -> None:
    judged = {"+gout": dict.fromkeys(WITH[:4], 1), "-gout": dict.fromkeys(WITHOUT, 1)}
    assert separation({"any": run(*WITH, *WITHOUT)}, judged) == {"any": {}}
