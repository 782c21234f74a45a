"""Symptoms by their first letters: each row by its examples."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from search_stack.language.lexicon.initials import Initials, initials
from search_stack.language.lexicon.matcher import Matcher


def misread(row: Initials) -> list[str]:
    wrong = []
    for example in row.examples:
        expected, marked = example.split(": ", 1)
        place = marked.index("[")
        text = marked.replace("[", "").replace("]", "")
        found = {c for begin, _, concepts in row.found(text, 0, len(text)) if begin == place for c in concepts}
        if " ".join(sorted(found)) != expected.replace("none", ""):
            wrong.append(example)
    return wrong


@pytest.mark.parametrize("row", initials(), ids=lambda row: row.examples[0])
def test_examples_come_out_as_they_say(row: Initials) -> None:
    assert misread(row) == []


@pytest.mark.parametrize("part", ["written", "beside", "never"])
@pytest.mark.parametrize("row", initials(), ids=lambda row: row.examples[0])
def test_each_part_decides_an_example(row: Initials, part: str) -> None:
    if getattr(row, part).pattern in ("", "(?!)"):
        return
    without = re.compile(".*" if part == "beside" else "(?!)")
    assert misread(replace(row, **{part: without}))


def test_the_matcher_finds_each_at_the_whole_of_the_letters(matcher: Matcher) -> None:
    text = "ROS: no f/c/n/v, SOB; N/V/D yesterday"
    found = {(m.concept, text[m.begin : m.end]) for m in matcher.mentions(text, 0, len(text))}
    first = {(c, "f/c/n/v") for c in ("fever", "chills", "nausea", "vomiting")}
    assert found >= first | {(c, "N/V/D") for c in ("nausea", "vomiting", "diarrhea")}


def test_what_denies_by_its_letters_is_a_denial(matcher: Matcher) -> None:
    text = "Abd soft, NT/ND"
    found = {(m.concept, m.denial) for m in matcher.mentions(text, 0, len(text))}
    assert found >= {("tenderness", True), ("abdominal-distension", True)}
