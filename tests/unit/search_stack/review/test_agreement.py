"""Kappa against figures of textbooks and of another program."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from search_stack.review.agreement import agreements, kappa
from search_stack.review.decisions import Decision, Given, Verdict, standing

AT = datetime(2027, 3, 1, tzinfo=UTC)


def test_kappa_of_fleiss_with_its_error() -> None:
    """Fleiss, Statistical Methods for Rates and Proportions, table 13.1 (kappa .68); the error and interval as
    statsmodels and SAS give them for the same table: .0877, .5046 to .8484."""
    found = kappa(np.array([[75, 1, 4], [5, 4, 1], [0, 0, 10]], dtype=float))
    assert found is not None
    assert (round(found.value, 4), round(found.error, 4)) == (0.6765, 0.0877)
    assert (round(found.low, 4), round(found.high, 4)) == (0.5046, 0.8484)


def test_kappa_below_chance_is_negative() -> None:
    """By hand: agreement .29 where .35 is by chance, as in Cohen (1960)."""
    found = kappa(np.array([[50, 26, 24], [24, 4, 32], [6, 30, 4]], dtype=float))
    assert found is not None
    assert found.value == pytest.approx((0.29 - 0.35) / (1 - 0.35))


def test_kappa_of_all_alike_and_of_nothing() -> None:
    found = kappa(np.diag([3.0, 2.0, 1.0]))
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((1, 1, 1), abs=1e-6)
    assert kappa(np.diag([5.0, 0.0, 0.0])) is None  # one verdict throughout: chance alone would do
    assert kappa(np.zeros((3, 3))) is None


def test_only_patients_of_both_count() -> None:
    told: list[tuple[str, int, Verdict]] = [
        *(("a", patient, "include") for patient in (1, 2, 3)),
        *(("b", patient, "exclude") for patient in (3, 4)),
        ("c", 9, "doubt"),
        ("b", 2, "include"),
    ]
    events = [Decision(n, who, AT, Given(p, 1, "", verdict)) for n, (who, p, verdict) in enumerate(told)]
    (found,) = agreements(standing(events))
    assert (found.first, found.second, found.patients, found.agreed) == ("a", "b", 2, 1)
    assert found.counts["include"] == {"include": 1, "exclude": 1, "doubt": 0}
    assert found.kappa is not None
    assert found.kappa.value == 0
