"""Precision by hand, and its intervals."""

from __future__ import annotations

import pytest

from search_stack.review.agreement import Z
from search_stack.review.decisions import Outcome
from search_stack.review.marks import Item, Mark, Marked, Reading, marked
from search_stack.review.precision import precision, qrels, share, wilson

FEVER = Item("fever", "c1", "fever", "present", 7, 1, 3, 8)
COUGH = Item("no cough", "c2", "cough", "absent", 7, 1, 20, 25)
WORDS = Item("“stiff neck”", "", "", "", 8, 1, 0, 10)
FACT = Item("fact icd10 I48", "icd10:I48", "Atrial fibrillation", "", None, 0, 0, 12)


def marks(*rows: tuple[str, int, Item, Reading | None]) -> Marked:
    return marked(Mark(*row) for row in rows)


def test_the_interval_is_wilson_s() -> None:
    """Newcombe, Two-sided confidence intervals for the single proportion (1998), table I: 81 of 263, 15 of 148, 0 of
    20, 1 of 29."""
    for hits, n, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611)):
        assert wilson(hits / n, n) == pytest.approx((low, high), abs=5e-5)
    assert wilson(1 / 29, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


def test_what_is_judged_once_of_each_patient_has_the_plain_interval() -> None:
    found = share([(patient, patient != 1) for patient in range(10)])
    assert (found.right, found.judged, found.patients) == (9, 10, 10)
    assert (found.low, found.high) == pytest.approx(wilson(0.9, 10))


def test_several_judgements_of_a_patient_are_worth_less() -> None:
    # Each patient wholly right or wholly wrong: ten judgements tell as much as two.
    found = share([(1, True)] * 5 + [(2, False)] * 5)
    assert (found.low, found.high) == pytest.approx(wilson(0.5, 2))
    assert share([(1, True)] * 5 + [(2, True)] * 5).low == pytest.approx(wilson(1, 2)[0])
    assert wilson(1, 2)[0] == pytest.approx(2 / (2 + Z * Z))


def test_precision_of_query_criteria_and_assertions() -> None:
    outcomes = {
        1: Outcome("include", False),
        2: Outcome("include", True),
        3: Outcome("exclude", False),
        4: Outcome("doubt", False),
        5: Outcome(None, False),
        6: Outcome("include", False),
    }
    told = marks(
        ("a", 1, FEVER, "right"),
        ("b", 1, FEVER, "wrong"),
        ("b", 1, FEVER, "right"),
        ("a", 2, COUGH, "wrong"),
        ("a", 3, WORDS, "right"),
        ("b", 3, WORDS, "wrong"),
        ("a", 3, FACT, "right"),
        ("a", 3, FACT, None),
        ("a", 6, Item("fever", "c1", "fever", "present", 9, 1, 0, 5), "wrong"),
    )
    found = precision(outcomes, told, {1, 2, 3, 4, 5})
    assert found.query is not None
    assert (found.query.right, found.query.judged) == (2, 3)
    assert (found.doubtful, found.disputed, found.elsewhere, found.disputed_items) == (1, 1, 1, 1)
    assert {name: (s.right, s.judged) for name, s in found.criteria.items()} == {"fever": (1, 1), "no cough": (0, 1)}
    assert {name: (s.right, s.judged) for name, s in found.assertions.items()} == {"present": (1, 1), "absent": (0, 1)}
    assert qrels("copd", outcomes, told) == {
        "copd": {"1": 1, "2": 1, "3": 0, "6": 1},
        "copd/1": {"7:3-8": 1, "9:0-5": 0},
        "copd/2": {"7:20-25": 0},
    }
    empty = precision({}, marks(), {1})
    assert (empty.query, empty.criteria, qrels("copd", {}, marks())) == (None, {}, {})


def test_an_item_is_the_same_for_everybody_until_its_note_changes() -> None:
    assert FEVER.id == Item("fever", "c1", "fever", "present", 7, 1, 3, 8).id
    others = {Item("fever", "c1", "fever", "present", 7, 2, 3, 8).id, COUGH.id, WORDS.id, FACT.id, FEVER.id}
    assert len(others) == 5
    assert (FACT.place, FEVER.place) == ("fact:12", "7:3-8")
