"""Abbreviations of several meanings, told apart by their sentence and their note."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.ambiguous import Sense, ambiguous, sense
from search_stack.language.lexicon.concepts import Concept, Lexicon
from tests import language

ROWS = [(n, one) for senses in ambiguous().values() for n, one in enumerate(senses)]
NEVER = re.compile(r"(?!)")


def ids(row: object) -> str:
    return f"{row.short}-{row.concept}" if isinstance(row, Sense) else ""


def misread(senses: list[Sense], n: int) -> list[str]:
    """The examples of the n-th sense that come out otherwise than they say."""
    wrong = []
    for example in ambiguous()[senses[n].short][n].examples:
        expected, body = example.split(": ", 1)
        before, _, sentence = body.rpartition("|")
        at = sentence.index("[")
        sentence = sentence.replace("[", "").replace("]", "")
        text = f"{before}\n{sentence}" if before else sentence
        begin = len(text) - len(sentence)
        found = sense(senses, text, begin, len(text), begin + at)
        if (found == senses[n].concept) != (expected == "yes"):
            wrong.append(example)
    return wrong


@pytest.mark.parametrize(("n", "row"), ROWS, ids=ids)
def test_examples_come_out_as_they_say(n: int, row: Sense) -> None:
    assert not misread(list(ambiguous()[row.short]), n)
    assert {e.split(": ")[0] for e in row.examples} == {"yes", "no"}


@pytest.mark.parametrize("part", ["says", "against", "note"])
@pytest.mark.parametrize(("n", "row"), ROWS, ids=ids)
def test_each_pattern_decides_an_example(n: int, row: Sense, part: str) -> None:
    if getattr(row, part).pattern == NEVER.pattern:
        return
    senses = list(ambiguous()[row.short])
    senses[n] = replace(row, **{part: NEVER})
    assert misread(senses, n)


@pytest.mark.parametrize(("n", "row"), [r for r in ROWS if r[1].alone], ids=ids)
def test_what_holds_alone_decides_an_example(n: int, row: Sense) -> None:
    senses = list(ambiguous()[row.short])
    senses[n] = replace(row, alone=False)
    assert misread(senses, n)


def test_every_sense_is_a_concept_whose_abbreviation_it_is_not() -> None:
    lexicon = language.lexicon()
    for short, senses in ambiguous().items():
        for one in senses:
            assert one.concept in lexicon.concepts
        assert not any(short in c.abbreviations for c in lexicon.concepts.values()), short


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CT angiogram: No PE.", [("pulmonary embolism", "absent")]),
        ("FINDINGS ARE AS FOLLOWS: SEVERE PAIN.", [("pain", "present")]),
        ("PHYSICAL EXAM. PE: Lungs clear.", []),
        ("Denies SI/HI.", [("suicidal ideation", "absent"), ("homicidal ideation", "absent")]),
    ],
)
def test_notes_are_labelled_with_what_is_meant(text: str, expected: list[tuple[str, str]]) -> None:
    found = [(f.name, f.assertion) for f in language.rules().label(text).findings]
    assert [f for f in found if f[0] in {n for n, _ in expected}] == expected
    assert expected or not found or found == [("normal lung", "present")] or all("embol" not in n for n, _ in found)


def test_an_abbreviation_of_a_sites_own_lexicon_is_that() -> None:
    own = Lexicon([Concept("pe", "physical education", "finding", abbreviations=("PE",))])
    assert [f.name for f in Labeller(own, None).label("No PE today.").findings] == ["physical education"]
