"""Shares of triples in the right order, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from search_stack.evaluation.minimal_pairs import Triple
from search_stack.evaluation.tasks.minimal_pairs import ALL, APART, pairs_of, report

TRIPLES = [
    Triple("side", "a", "left", "left-sided", "right", False),
    Triple("side", "b", "right", "right-sided", "left", True),
    Triple("dose", "b", "10 mg", "10 milligrams", "100 mg", False),
]


def test_shares_count_what_is_nearer_and_a_tie_is_not() -> None:
    scores = {"bm25": np.array([1.0, 0, 0, 1, 0, 1]), "model": np.array([0.9, 0.8, 0.7, 0.5, 0.9, 0.6])}
    found = report(TRIPLES, scores)
    assert found.triples == {"concept": 0, "denial": 0, "side": 2, "dose": 1, "person": 0, ALL: 3, APART: 1}
    assert found.notes == 2
    told = {group: share and share.value for group, share in found.systems["model"].items()}
    assert told == {
        "concept": None,
        "denial": None,
        "side": 0.5,
        "dose": 1,
        "person": None,
        ALL: pytest.approx(2 / 3),
    } | {APART: 0}
    assert found.systems["bm25"][ALL].value == 0  # type: ignore[union-attr]
    assert found.intervals["model"]["dose"].mean_difference == 1  # type: ignore[union-attr]
    assert "bm25" not in found.intervals


def test_each_anchor_is_paired_with_both() -> None:
    pairs = pairs_of(TRIPLES[:1])
    assert [(p.one, p.other) for p in pairs] == [("left", "left-sided"), ("left", "right")]
