"""What goes before every score: labels where they alone answer, more than a few words, and nothing twice."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from search_stack.cohorts.plan import NARROWER, UNMENTIONED, Plan
from search_stack.retrieval.answer import Key, Scope
from search_stack.retrieval.ranker import repeats_last
from search_stack.retrieval.stages import FirstStage
from tests.queries.judge import shipped


def test_a_passage_that_says_the_same_again_stands_behind_the_others() -> None:
    said = {"a": "dry", "b": "dry", "x": "rest", "c": "dry, instructions", "d": "walk", "e": "dry"}
    groups: dict[str, Mapping[Scope, Key]] = {i: {"passage": w, "note": 1, "patient": 1} for i, w in said.items()}
    assert repeats_last(["a", "b", "x", "c", "d", "e"], groups) == ["a", "x", "c", "d", "b", "e"]
    assert repeats_last([], groups) == []


def test_what_goes_before_every_score() -> None:
    """In their order: what tells the amount, what mentions what is asked for, tiers and brevity, denials besides."""
    tiers = {"asked": 0, "narrower": NARROWER, "denies too": 0, "brief": 0, "possible": 2}
    tiers |= {"unsaid": UNMENTIONED, "amiss": 0, "amiss and possible": 2}
    first = FirstStage(
        [],
        [],
        [],
        {},
        tiers,
        contradicted=frozenset({"denies too"}),
        brief=frozenset({"brief"}),
        amiss=frozenset({"amiss", "amiss and possible"}),
        unsaid=frozenset({"unsaid"}),
    )
    assert first.standing("asked") == first.standing("narrower")
    ordered = ["asked", "denies too", "brief", "possible", "unsaid", "amiss", "amiss and possible"]
    assert sorted(sorted(ordered), key=first.standing) == ordered
    assert len({first.standing(passage) for passage in ordered}) == len(ordered)


@pytest.mark.parametrize(
    ("line", "labelled"),
    [
        ("pneumothorax", True),
        ("no pneumothorax", True),
        ("pneumothorax type:letter", True),
        ("pneumothorax OR pleural effusion", True),
        ("pneumothorax -effusion", True),
        ("pneumothorax pleural effusion", False),
        ("no fever and no cough", False),
        ("pneumothorax after biopsy yesterday evening", False),
        ("wound care at home", False),
        ("type:letter", False),
    ],
)
def test_labels_alone_decide_where_one_finding_is_asked_for(line: str, labelled: bool) -> None:
    understanding = shipped()
    asked = understanding.understand(line)
    assert Plan.of(understanding.named(asked.query), understanding.lexicon).labelled is labelled
