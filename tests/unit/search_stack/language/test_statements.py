"""The rules of sentences.toml by their own examples, and that none of them is idle."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_stack.language.sentences import is_item, sentences
from search_stack.language.statements import Statements, read_statements, shipped_statements

DATA = read_statements()
RULES = shipped_statements()
WITHOUT = {"cells": Statements(frozenset(), RULES.said), "enumerations": replace(RULES, said=())}
EXAMPLES = [
    pytest.param(example, id=f"{name}: {example}")
    for name in (*WITHOUT, "answered", "marked")
    for side in ("for", "against")
    for example in DATA[name][side]
]


def cut(marked: str, rules: Statements = RULES) -> list[str]:
    text = marked.replace("‖", "")
    return [text[begin:end] for begin, end in sentences(text, 0, len(text), rules)]


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples(example: str) -> None:
    assert cut(example) == [part.strip() for part in example.split("‖")]


@pytest.mark.parametrize("word", DATA["cells"]["answers"])
def test_every_answer_ends_its_cell(word: str) -> None:
    assert len(cut(f"Cough: {word} Fever: {word}")) == 2
    assert len(cut(f"Cough: {word} Fever: {word}", replace(RULES, answers=RULES.answers - {word}))) == 1


def test_an_answer_is_no_item_of_a_row() -> None:
    text = "Pain | No | Dyspnea | Yes | Cough | No"
    assert cut(text) == ["Pain | No |", "Dyspnea | Yes |", "Cough | No"]
    assert len(cut(text, replace(RULES, answers=frozenset()))) == 6


def test_items_are_counted_on_in_words() -> None:
    text = " ".join(f"number {word} pain" for word in RULES.said)
    assert len(cut(text)) == len(RULES.said)
    assert all(is_item(part, 0) for part in cut(text))
    assert not is_item("number of pains", 0)
