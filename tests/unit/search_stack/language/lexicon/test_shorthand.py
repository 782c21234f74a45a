"""What notes write for a word of a name: each row by its examples."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.matcher import Matcher
from search_stack.language.lexicon.shorthand import Shorthand, shorthand


def misread(row: Shorthand, matcher: Matcher, lexicon: Lexicon) -> list[str]:
    wrong = []
    for example in row.examples:
        said, text = example.split(": ", 1)
        expected, concept = said.split(" ")
        family = {concept, *lexicon.descendants(concept)}
        found = {m.concept for m in matcher.mentions(text, 0, len(text)) if not m.denial}
        if family.isdisjoint(found) == (expected == "yes"):
            wrong.append(example)
    return wrong


@pytest.mark.parametrize("row", shorthand(), ids=lambda row: row.written[0])
def test_examples_come_out_as_they_say(row: Shorthand, matcher: Matcher, lexicon: Lexicon) -> None:
    assert misread(row, matcher, lexicon) == []
    assert {e.split(" ")[0] for e in row.examples} == {"yes", "no"}


@pytest.mark.parametrize("part", ["never", "written"])
@pytest.mark.parametrize("row", shorthand(), ids=lambda row: row.written[0])
def test_each_part_decides_an_example(
    row: Shorthand, part: str, lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = lexicon.closure(e.split(": ")[0].split(" ")[1] for e in row.examples)
    few = Lexicon(lexicon.concepts[id] for id in named)
    nothing = re.compile("(?!)")
    if part == "never" and row.never.pattern == nothing.pattern:
        return
    less = replace(row, never=nothing) if part == "never" else replace(row, written=())
    rest = {
        form: less if one is row else one
        for one in shorthand()
        for form in one.written
        if part == "never" or one is not row
    }
    monkeypatch.setattr("search_stack.language.lexicon.matcher.written_so", lambda: rest)
    assert misread(row, Matcher(few), few)


def test_a_mark_is_a_fracture_only_beside_a_bone(matcher: Matcher) -> None:
    for text in ("# of stools per day: 3.", "Phone # given.", "Ribs fine. # sent.", "See # in the hip section"):
        assert not [m for m in matcher.mentions(text, 0, len(text)) if m.concept.endswith("fracture")]


def test_a_problem_behind_its_mark_is_no_fracture(matcher: Matcher) -> None:
    text = "# Depression - continue sertraline"
    assert "depression" in {m.concept for m in matcher.mentions(text, 0, len(text))}
