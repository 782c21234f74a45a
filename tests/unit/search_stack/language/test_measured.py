"""Every quantity of the table is right on its examples, and needed by one of them; findings of numbers in notes."""

from __future__ import annotations

import re

import pytest

from search_stack.language.lexicon.concepts import VITAL_SIGN
from search_stack.language.measured import Quantity, measured, quantities
from tests import language

MARKED = re.compile(r"\[(.+?)\]")


def read(example: str) -> tuple[str, str, list[tuple[int, int]]]:
    concept, _, marked = example.partition(": ")
    found = MARKED.search(marked)
    text = MARKED.sub(r"\1", marked)
    return concept, text, [(found.start(), found.start() + len(found[1]))] if found else []


@pytest.mark.parametrize("quantity", quantities(), ids=lambda q: q.above or q.below)
def test_examples_say_what_they_should(quantity: Quantity) -> None:
    for example in quantity.examples:
        concept, text, places = read(example)
        found = list(measured(text, 0, len(text)))
        assert [(m.begin, m.end) for m in found] == places, example
        assert [m.concept for m in found] == [concept] * len(places), example


@pytest.mark.parametrize("quantity", quantities(), ids=lambda q: q.above or q.below)
def test_each_has_examples_for_and_against_and_is_needed(quantity: Quantity) -> None:
    said = {read(e)[0] for e in quantity.examples}
    assert said == {"none", *filter(None, (quantity.above, quantity.below))}
    others = [q for q in quantities() if q is not quantity]
    assert any(p and not list(measured(t, 0, len(t), others)) for _, t, p in map(read, quantity.examples))


def test_every_concept_is_in_the_lexicon() -> None:
    known = language.lexicon().concepts
    assert {c for q in quantities() for c in (q.above, q.below) if c} <= set(known)


def said(text: str) -> list[tuple[str, str, float | None, str]]:
    found = language.labeller().label(text).findings
    return [(f.concept, f.assertion, f.value, f.unit) for f in found if f.kind != VITAL_SIGN]


def test_a_number_is_a_finding_with_its_value_and_unit() -> None:
    assert said("She came with a temp of 39.2 C.") == [("fever", "present", 39.2, "c")]
    assert ("anemia", "present", 7.1, "") in said("LABS: Hgb 7.1, sodium 139.")


def test_what_the_words_around_say_holds_for_a_number_too() -> None:
    assert said("Call if you have a temperature of 101 F.") == [("fever", "hypothetical", 101.0, "f")]
    assert [a for c, a, _, _ in said("Her mother lost 18 pounds.") if c == "weight-loss"] == ["family"]


def test_words_and_a_number_say_it_once() -> None:
    assert [c for c, *_ in said("Weight loss: lost 18 pounds.")].count("weight-loss") == 2
    found = [(c, v) for c, _, v, _ in said("Hyperglycemia with a glucose of 412.") if c == "hyperglycemia"]
    assert found == [
        ("hyperglycemia", None),
        ("hyperglycemia", 412.0),
    ]
