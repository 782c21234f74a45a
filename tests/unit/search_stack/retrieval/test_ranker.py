"""What goes before every score: labels where they alone answer, more than a few words, and nothing twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import pytest

from search_stack.cohorts.clauses import EVERYTHING
from search_stack.cohorts.plan import Plan
from search_stack.core.amounts import Amount, keys
from search_stack.core.schema import amount_key
from search_stack.query.nodes import Finding
from search_stack.query.tree import all_of, not_
from search_stack.retrieval.answer import Key, Scope
from search_stack.retrieval.ranker import repeats_last
from search_stack.retrieval.stages import BRIEF, Standing
from search_stack.retrieval.tiers import NARROWER, UNMENTIONED, excluded, tier_of
from tests.queries.judge import shipped

UNDERSTANDING = shipped()


def test_a_passage_that_says_the_same_again_stands_behind_the_others() -> None:
    said = {"a": "dry", "b": "dry", "x": "rest", "c": "dry, instructions", "d": "walk", "e": "dry"}
    groups: dict[str, Mapping[Scope, Key]] = {i: {"passage": w, "note": 1, "patient": 1} for i, w in said.items()}
    assert repeats_last(["a", "b", "x", "c", "d", "e"], groups) == ["a", "x", "c", "d", "b", "e"]
    assert repeats_last([], groups) == []


def asked(line: str) -> Plan:
    """As a searcher plans it."""
    understood = UNDERSTANDING.understand(line)
    plan = Plan.of(UNDERSTANDING.named(understood.query), UNDERSTANDING.lexicon)
    return replace(plan, typed=understood.words)


def test_the_order_of_what_goes_before_every_score() -> None:
    """What mentions what is asked for, tiers, denials of what is excluded, denials besides."""
    first = Standing()
    ordered = [
        first,
        Standing(contradicted=True),
        Standing(silent=1),
        Standing(silent=2),
        Standing(tier=1),
        Standing(tier=2),
        Standing(unsaid=True),
    ]
    assert all(one < other for one, other in pairwise(ordered))


LONG = {"section": "HISTORY", "begin": 0, "end": 100, "text": "He had no rib fracture and no other."}


def test_what_is_brief_stands_a_tier_further_down_and_what_denies_a_narrower_finding_does_not() -> None:
    plan = asked("wound care at home")
    assert Standing.of(plan, LONG, 0, False) == Standing()
    assert Standing.of(plan, LONG | {"end": BRIEF - 1}, 1, True) == Standing(unsaid=True, tier=2)
    assert Standing.of(plan, LONG, NARROWER, False) == Standing()
    assert Standing.of(plan, LONG, UNMENTIONED, False) == Standing(tier=UNMENTIONED)


def test_labels_that_decide_tell_what_denies_besides_and_not_what_is_brief() -> None:
    plan = asked("pneumothorax")
    there = {plan.id_of(plan.concepts[0])}
    both = {**LONG, "end": BRIEF - 1, "present": there, "absent": there}
    assert plan.labelled
    assert Standing.of(plan, both, 0, False) == Standing(contradicted=True)
    assert Standing.of(plan, both | {"absent": ()}, 2, False) == Standing(tier=2)


def test_of_passages_without_what_is_excluded_those_that_say_so_stand_first() -> None:
    tree = all_of([Finding("back pain"), not_(Finding("fever")), not_(Finding("cough"))])
    plan = Plan.of(tree, UNDERSTANDING.lexicon)
    fever, cough = map(plan.id_of, excluded(plan))
    assert Standing.of(plan, LONG, 0, False).silent == 2
    assert Standing.of(plan, LONG | {"absent": (fever,)}, 0, False).silent == 1
    assert Standing.of(plan, LONG | {"absent": (fever, cough)}, 0, False).silent == 0
    # A passage of a patient who satisfies it together need not.
    assert Standing.of(replace(plan, within=EVERYTHING), LONG, 0, False).silent == 0


def test_passages_with_another_amount_are_in_the_tier_of_those_that_do_not_mention_it() -> None:
    plan = asked("creatinine over 3")
    concept = plan.id_of(plan.concepts[0])
    for number, tier in ((5.2, 0), (1.1, UNMENTIONED)):
        told = [amount_key("present", concept, key) for key in keys(Amount(number, number))]
        assert tier_of(plan, {"present": [concept], "mentioned": [concept], "measured": told}) == tier


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
    assert asked(line).labelled is labelled
