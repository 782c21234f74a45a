"""Numbers that belong to another name than the nearest, and those that compare nothing."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from tests.queries.judge import same, shipped
from tests.queries.written import Tree, both, has, near, no, words


def told(name: str, value: str) -> Tree:
    return {**has(name), "value": value}


SODIUM, SYSTOLIC, DIASTOLIC = "sodium measurement", "blood pressure", "diastolic blood pressure"


@pytest.mark.parametrize(
    ("line", "tree"),
    [
        ("hyponatremia < 125", told(SODIUM, "< 125")),
        ("no hyponatremia < 125", no(told(SODIUM, "< 125"))),
        ("fever > 39", told("fever", "> 39")),
        ("BP 180/110", both(told(SYSTOLIC, ">= 180"), told(DIASTOLIC, ">= 110"))),
        ("BP 80/40", both(told(SYSTOLIC, "<= 80"), told(DIASTOLIC, "<= 40"))),
        (
            "asthma, eos > 300, >= 2 exacerbations",
            both(
                has("asthma"),
                told("eosinophil count", "> 300"),
                {"at_least": 2, "unit": "notes", "of": has("asthma exacerbation")},
            ),
        ),
        ("creatinine rise > 50% from baseline", both(has("creatinine measurement"), words("rise"))),
        ("hemoglobin fell below 7", told("hemoglobin measurement", "< 7")),
        ("CT head within 1 hour of arrival", near(has("ct of the head"), words("arrival"), 0, 0)),
        ("CT head within 36 hours of arrival", near(has("ct of the head"), words("arrival"), -2, 2)),
    ],
)
def test_a_number_is_told_of_what_it_is_of(line: str, tree: Tree) -> None:
    assert same(to_json(shipped().understand(line).query), tree)


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("hyponatremia < 125", "hyponatremia < 125"),
        ("creatinine rise > 50% from baseline", "> 50% from baseline"),
        ("CT head within 1 hour of arrival", "within 1 hour of"),
        ("BP 180/110", "BP 180/110"),
    ],
)
def test_what_was_made_of_a_number_is_told(line: str, typed: str) -> None:
    assert typed in [notice.typed for notice in shipped().understand(line).notices]


def test_the_way_back_from_a_pressure_has_both_numbers() -> None:
    (notice,) = shipped().understand("BP 180/110").notices
    assert "diastolic blood pressure; = 110" in notice.line
