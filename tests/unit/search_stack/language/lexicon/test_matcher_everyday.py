"""Everyday words that resemble a name."""

from __future__ import annotations

import pytest

from search_stack.language.lexicon.matcher import Matcher
from tests.language import lexicon


def named(text: str) -> list[str]:
    known = lexicon()
    return [known.concepts[m.concept].name for m in Matcher.of(known).mentions(text, 0, len(text))]


@pytest.mark.parametrize(
    "text",
    [
        "It was covered.",
        "Messages were left.",
        "It was created in the usual manner.",
        "He acted well, and the concession was delicious.",
        "A biological process in academia.",
        "The resistor of the creators.",
    ],
)
def test_an_english_word_is_no_misspelt_name_and_no_form_of_a_drugs(text: str) -> None:
    assert named(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Massages helped.", "massage"),
        ("On Covera.", "covera"),
        ("Creat 1.2.", "creatinine measurement"),
        ("Biologics were discussed.", "biologic immunosuppressant"),
        ("On a biologic.", "biologic immunosuppressant"),
        ("Oestrogen was given.", "estrogen"),
        ("Steroids were given.", "corticosteroid"),
        ("A plural effusion.", "pleural effusion"),
        ("Pnuemonia.", "pneumonia"),
        ("The lesion was injected.", "injection"),
    ],
)
def test_slips_plurals_and_forms_still_name_it(text: str, name: str) -> None:
    assert name in named(text)
