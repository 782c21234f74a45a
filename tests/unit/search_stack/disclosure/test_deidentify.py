"""Notes without who they are of, on sentences that were written here."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.disclosure.deidentify import HIDDEN, deidentified
from search_stack.language.lexicon.concepts import Concept, Lexicon
from tests import language


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return language.lexicon()


TELLING = [
    "Seen by Dr. <Alan Okafor> for <Mr>. <John Smith>.",
    "<MRN> <00123456>, admitted <03/14/>2020 to <Boston> General Hospital.",
    "This <93>-year-old man from <Springfield> came on <March 3, >2020.",
    "Symptoms since <3 march>, better on <14th of June >2019.",
    "Next visit <2021-04-01> or <4/2>.",
    "Call <(617) 555-0199> or write to <m.jones@hospital.example>.",
    "<Dictated> by: <Mary Jones>, <MD>. <Maria del Carmen> signed.",
    "nurse <brown> told <smith> of the fever.",
    "See <https://portal.example/p/771> and <10.0.0.17>.",
    "Record <8812345> of <Okonkwo>, room <B12345>.",
    "<Jones>, R.N. present.",
]
"""In angle brackets what must be hidden."""
HARMLESS = [
    "Small left apical pneumothorax after pacemaker, no pleural effusion.",
    "BP 120/80, heart rate 88, glucose 1500 mg, WBC 12.5, EF 55-60%, A1c 7.2, T2 signal at L4.",
    "The 67-year-old patient denies fever and cough since 2019.",
    "IMPRESSION: 1. No acute fracture. 2. Mild cardiomegaly.",
    "She takes aspirin 81 mg bid and metoprolol 25 mg.",
]
"""Of which nothing is to be hidden."""


@pytest.mark.parametrize("written", TELLING)
def test_what_tells_is_hidden(lexicon: Lexicon, written: str) -> None:
    text = re.sub("[<>]", "", written)
    masked = deidentified(text, lexicon)
    assert len(masked) == len(text)
    place = 0
    for part in re.split("(<[^>]*>)", written):
        own = part.strip("<>")
        if part.startswith("<"):
            letters = [c for c, m in zip(own, masked[place : place + len(own)], strict=True) if m != HIDDEN]
            assert not any(map(str.isalnum, letters)), (own, masked)
        place += len(own)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_tells_nothing_is_shown(lexicon: Lexicon, text: str) -> None:
    assert deidentified(text, lexicon) == text


def test_years_stay_and_a_finding_keeps_its_name(lexicon: Lexicon) -> None:
    assert "2020" in deidentified("Admitted March 3, 2020.", lexicon)
    text = "Wilson disease was excluded by Wilson."
    assert deidentified(text, lexicon, [(0, 14)]) == f"Wilson disease was excluded by {HIDDEN * 6}."


def test_an_id_is_hidden_wherever_it_stands(lexicon: Lexicon) -> None:
    assert deidentified("cough in cough-7", lexicon, own=["cough-7", ""]) == f"cough in {HIDDEN * 7}"


@given(st.text(max_size=60))
def test_whatever_the_text_it_keeps_its_length(text: str) -> None:
    masked = deidentified(text, Lexicon([]))
    assert len(masked) == len(text)
    assert all(m in (HIDDEN, c) for c, m in zip(text, masked, strict=True))


def test_a_surname_in_a_phrase_of_a_large_vocabulary_stays_hidden() -> None:
    """Unless the phrase stands there: the names of diseases hold thousands of surnames."""
    phrase = "Quozzleby toe"
    lexicon = Lexicon([Concept("X:1", phrase, "finding", phrases=(phrase,))])
    assert "Quozzleby" not in deidentified("The Quozzleby notes were seen.", lexicon)
    assert phrase in deidentified("A Quozzleby toe was seen.", lexicon, [(2, 15)])
