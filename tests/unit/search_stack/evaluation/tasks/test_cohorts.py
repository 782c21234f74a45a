"""Figures of questions, by hand."""

from __future__ import annotations

import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.cohort_questions import CohortQuestion
from search_stack.evaluation.tasks.cohorts import OURS, WORDS, CohortsReport, check, evaluate
from search_stack.query.tree import QueryError

QUESTIONS = (
    CohortQuestion("gout", frozenset("ab")),
    CohortQuestion("fever", frozenset("a"), frozenset("b")),
    CohortQuestion("mumps", frozenset()),
    CohortQuestion("(", frozenset("a")),
    CohortQuestion("rash", frozenset("a"), among=frozenset("ab")),
)
OUR_IDS = {"gout": "ab", "fever": "ab", "mumps": "", "rash": "ac"}
WORD_IDS = {"gout": "bc", "fever": "", "mumps": "a", "rash": "ab", "(": ""}


def ours(line: str) -> frozenset[str]:
    if line == "(":
        raise QueryError("A bracket is open.", "Close it.")
    return frozenset(OUR_IDS[line])


def report() -> CohortsReport:
    return evaluate(QUESTIONS, {OURS: ours, WORDS: lambda line: frozenset(WORD_IDS[line])})


def test_exact_is_who_is_meant_apart_from_what_is_debatable_and_from_whom_nobody_read() -> None:
    found = report()
    assert [one.exact for one in found.answered[OURS]] == [True, True, True, False, True]
    assert [one.exact for one in found.answered[WORDS]] == [False] * 5
    assert found.exact(OURS).value == 0.8
    assert (found.refused(OURS), found.refused(WORDS)) == (1, 0)


def test_f1_is_by_question_and_precision_and_recall_of_all_patients() -> None:
    found = report()
    assert found.f1(OURS) == 0.8
    # gout: one of two right, one of two found; rash: one of two right, all found.
    assert found.f1(WORDS) == pytest.approx((0.5 + 0 + 0 + 0 + 2 / 3) / 5)
    of = found.patients(WORDS)
    assert (of.precision, of.recall) == (2 / 5, 2 / 5)
    of = found.patients(OURS)
    assert (of.precision, of.recall) == (1.0, 4 / 5)


def test_figures_to_keep_have_the_paired_differences() -> None:
    kept = report().json()
    assert kept["questions"] == 5
    assert kept[OURS]["exact"]["value"] == 0.8
    assert kept["intervals"][WORDS]["exact"]["mean_difference"] == pytest.approx(0.8)
    assert set(kept["intervals"]) == {WORDS}


def test_patients_who_are_not_there_are_no_missed_ones() -> None:
    check(QUESTIONS, frozenset("ab"))
    with pytest.raises(AspectraError, match="1 of the patients are not here"):
        check(QUESTIONS, frozenset("a"))
