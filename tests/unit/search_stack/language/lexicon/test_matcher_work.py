"""How much is done for a text: by its length, not by the lexicon's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from search_stack.language.lexicon.concepts import Concept, Lexicon
from search_stack.language.lexicon.english import english
from search_stack.language.lexicon.matcher import Matcher
from tests.work import calls

FEW = 100
FILLER = "She walked to the window in the mornng and waterd every flouwer that stood there before breakfst . "


@pytest.fixture(scope="module")
def diseases(data_dir: Path) -> list[Concept]:
    """The terms of a public ontology, with their exact synonyms."""
    out: list[Concept] = []
    for term in (data_dir / "vocab" / "doid.obo").read_text(encoding="utf-8").split("[Term]")[1:]:
        name = re.search(r"^name: (.+)$", term, re.MULTILINE)
        if name:
            synonyms = tuple(re.findall(r'^synonym: "([^"]+)" EXACT', term, re.MULTILINE))
            out.append(Concept(str(len(out)), name[1], "disorder", (), synonyms))
    assert len(out) > 9_000
    return out


def test_the_work_does_not_grow_with_the_lexicon(diseases: list[Concept]) -> None:
    text = "".join(f"{FILLER} {c.name} . " for c in diseases[:FEW])
    small, large = Matcher(Lexicon(diseases[:FEW])), Matcher(Lexicon(diseases))
    english()  # tables are made once
    for matcher in (small, large):
        matcher.mentions(FILLER * 2 + "effusin", 0, 200)
    little = calls(lambda: small.mentions(text, 0, len(text)))
    much = calls(lambda: large.mentions(text, 0, len(text)))
    # Ninety times the concepts; the text names more of them, though.
    assert much < 3 * little


def test_the_work_grows_with_the_text_as_it_does(diseases: list[Concept]) -> None:
    matcher = Matcher(Lexicon(diseases))
    text = "".join(f"{FILLER} {c.name} and " for c in diseases[:FEW]).replace(".", "")
    longer = text * 8
    matcher.mentions(longer, 0, len(longer))
    once = calls(lambda: matcher.mentions(text, 0, len(text)))
    assert calls(lambda: matcher.mentions(longer, 0, len(longer))) < 9 * once


@pytest.mark.parametrize("unit", ["pleural ", "effusion ", "pleural effusion ", "pleural and ", "effusion, "])
def test_one_word_over_and_over_costs_no_more_each_time(unit: str) -> None:
    concepts = [Concept("a", "pleural effusion", "finding"), Concept("b", "effusion", "finding", ("a",))]
    matcher = Matcher(Lexicon(concepts))
    short, long = unit * 500, unit * 4_000
    matcher.mentions(short, 0, len(short))
    once = calls(lambda: matcher.mentions(short, 0, len(short)))
    assert calls(lambda: matcher.mentions(long, 0, len(long))) < 9 * once


def test_words_far_apart_are_not_looked_at_together() -> None:
    matcher = Matcher(Lexicon([Concept("a", "pleural effusion", "finding")]))

    def work(length: int) -> int:
        text = "pleural " * length + "film " * length + "effusion " * length
        return calls(lambda: matcher.mentions(text, 0, len(text)))

    work(1)
    assert work(1_600) < 9 * work(200)
