"""Drugs that a germ yields to are no drugs that somebody takes."""

from __future__ import annotations

import pytest

from search_stack.language.lexicon.mention import Mention
from search_stack.language.susceptibility import of_susceptibility


def named_for_a_germ(marked: str) -> list[str]:
    """Of the drugs in brackets, those that are named for what a germ yields to."""
    drugs: list[Mention] = []
    text = ""
    for part in marked.split("["):
        name, closed, rest = part.partition("]")
        if closed:
            span = len(text), len(text) + len(name)
            drugs.append(Mention(name.lower(), *span, (span,)))
        text += name + rest
    found = of_susceptibility(text, 0, len(text), drugs)
    return [text[d.begin : d.end] for d in drugs if d in found]


def test_the_sentence_may_end_at_a_letter_that_heads_a_section() -> None:
    text = "R: ampicillin  S: gentamicin"
    first = Mention("ampicillin", 3, 13, ((3, 13),))
    assert of_susceptibility(text, 0, text.index("S:"), [first]) == {first}


def test_what_the_next_sentence_names_again_is_got() -> None:
    text = "E. coli sensitive to Bactrim, sent home on p.o.  Bactrim."
    first = Mention("bactrim", 21, 28, ((21, 28),))
    assert not of_susceptibility(text, 0, text.index("  "), [first])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("R: [ampicillin], [trimethoprim]  S: [gentamicin]", ["ampicillin", "trimethoprim", "gentamicin"]),
        ("Resistant to: [ampicillin]. Sensitive to: [gentamicin]", ["ampicillin", "gentamicin"]),
        ("E. coli resistant to [ampicillin]; started [ceftriaxone].", ["ampicillin"]),
        ("E. coli, sensitive to [ceftriaxone], given [ceftriaxone].", []),
        ("Staph aureus: [flucloxacillin] S, [erythromycin] R", ["flucloxacillin", "erythromycin"]),
        ("Heavy growth of coliforms. [Ampicillin] (R)", ["Ampicillin"]),
        ("[Ampicillin]      >=32   R", ["Ampicillin"]),
        ("[Ampicillin]: Resistant", ["Ampicillin"]),
        ("Seizures resistant to [levetiracetam].", []),
        ("Hypertension resistant to [amlodipine], growth of the aneurysm.", []),
        ("S: takes [metformin].", []),
        ("[Timolol] R eye, [latanoprost].", []),
        ("Takes [metformin].", []),
    ],
)
def test_what_is_named_for_a_germ(text: str, expected: list[str]) -> None:
    assert named_for_a_germ(text) == expected
