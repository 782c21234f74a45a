"""Each row of senses.toml by its examples, and each of its words."""

from __future__ import annotations

import pytest

from search_stack.language.sites.senses import read_senses
from tests.language import rules

ROWS = read_senses()
EXAMPLES = [(row, one, row["instead"]) for row in ROWS for one in row["examples"]]
AGAINST = [(row, one, row["concept"]) for row in ROWS for one in row["against"]]
WORDS = [(row, word) for row in ROWS for word in row["words"]]
UNLESS = [(row, word) for row in ROWS for word in row["unless"]]


def concept_at(marked: str) -> str:
    begin = marked.index("[")
    text = marked.replace("[", "").replace("]", "")
    return next(f.concept for f in rules().label(text).findings if f.begin == begin)


@pytest.mark.parametrize(("row", "marked", "concept"), [*EXAMPLES, *AGAINST])
def test_the_place_tells_what_the_name_stands_for(row: dict[str, str], marked: str, concept: str) -> None:
    assert concept_at(marked) == concept


@pytest.mark.parametrize(("row", "word"), WORDS)
def test_each_word_tells_it(row: dict[str, str], word: str) -> None:
    assert concept_at(f"The {word} were looked at; [{row['name']}] was there.") == row["instead"]


@pytest.mark.parametrize(("row", "word"), UNLESS)
def test_each_word_that_tells_otherwise_keeps_it(row: dict[str, list[str]], word: str) -> None:
    marked = f"The {row['words'][0]} and the {word} were looked at; [{row['name']}] was there."
    assert concept_at(marked) != row["instead"]
