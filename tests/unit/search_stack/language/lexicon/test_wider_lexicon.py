"""The shipped lexicon of tests, steps, devices, drugs and general words: sound as a file, right on sentences."""

from __future__ import annotations

from collections import Counter
from importlib.resources import as_file, files

import pytest

from search_stack.language.lexicon.concepts import Concept, Lexicon, folded
from search_stack.language.lexicon.files import read_lexicon
from search_stack.language.lexicon.load import load_lexicon
from search_stack.language.lexicon.matcher import Matcher

FEWEST = {"disorder": 1500, "symptom": 200, "finding": 300, "procedure": 900, "device": 400, "drug": 800}


@pytest.fixture(scope="module")
def concepts() -> list[Concept]:
    with as_file(files("search_stack.language.lexicon") / "data" / "wider.csv") as file:
        return read_lexicon(file)


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    """With the other shipped files: they are matched together."""
    return load_lexicon(None)


@pytest.fixture(scope="module")
def matcher(lexicon: Lexicon) -> Matcher:
    return Matcher(lexicon)


def test_it_holds_concepts_of_every_kind_but_anatomy(concepts: list[Concept]) -> None:
    kinds = Counter(c.kind for c in concepts)
    assert {k: n for k, n in kinds.items() if n < FEWEST[k]} == {}
    assert kinds.keys() == FEWEST.keys()


def test_no_concept_lists_a_phrase_twice(concepts: list[Concept]) -> None:
    for c in concepts:
        for phrases in ((c.name, *c.synonyms), c.exclusions, c.denials):
            twice = [p for p, n in Counter(map(folded, phrases)).items() if n > 1]
            assert (c.id, twice) == (c.id, [])


def test_every_name_is_found(concepts: list[Concept], lexicon: Lexicon, matcher: Matcher) -> None:
    lost = []
    for c in concepts:
        for name in (c.name, *c.synonyms, *c.abbreviations):
            found = {m.concept for m in matcher.mentions(name, 0, len(name)) if not m.denial}
            if not found & {c.id, *lexicon.descendants(c.id)}:
                lost.append((c.id, name))
    assert lost == []


def test_every_name_means_one_thing(concepts: list[Concept], matcher: Matcher) -> None:
    """No name is but another form of a name of another concept: a note that holds it would have both."""
    twofold = []
    for c in concepts:
        for name in (c.name, *c.synonyms):
            whole = [m for m in matcher.mentions(name, 0, len(name)) if (m.begin, m.end) == (0, len(name))]
            if len({m.concept for m in whole if not m.denial}) > 1:
                twofold.append((name, sorted(m.concept for m in whole)))
    assert twofold == []


def test_no_exclusion_names_its_concept(concepts: list[Concept], matcher: Matcher) -> None:
    named = [
        (c.id, phrase)
        for c in concepts
        for phrase in c.exclusions
        if c.id in {m.concept for m in matcher.mentions(phrase, 0, len(phrase))}
    ]
    assert named == []


@pytest.mark.parametrize(
    ("child", "parent"),
    [
        ("olecranon-fracture", "fracture"),
        ("mantle-cell-lymphoma", "lymphoma"),
        ("blood-urea-nitrogen", "laboratory-test"),
        ("chest-x-ray", "x-ray"),
        ("clozapine", "antipsychotic"),
        ("thyroid-surgery", "surgery"),
        ("red-rubber-catheter", "catheter"),
    ],
)
def test_a_parent_has_its_children(lexicon: Lexicon, child: str, parent: str) -> None:
    assert child in lexicon.descendants(parent)


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("CBC and BMP were sent; BUN was 31.", "complete blood count"),
        ("CBC and BMP were sent; BUN was 31.", "basic metabolic panel"),
        ("CBC and BMP were sent; BUN was 31.", "blood urea nitrogen"),
        ("The mole was excised under local.", "excision"),
        ("Skin was closed with 4-0 Monocryl.", "suture"),
        ("A JP drain was left in the wound.", "surgical drain"),
        ("He takes Clozaril at night.", "clozapine"),
        ("She drinks alcohol at weekends.", "alcohol use"),
        ("There is a narrowing of the lumen.", "narrowing"),
        ("Pus ran from the wound.", "purulent drainage"),
        ("The edges were torn.", "tear"),
        ("He fell on the stairs.", "accidental fall"),
        ("Extubated in the morning.", "extubation"),
        ("The rash itches; no blisters.", "blister"),
        ("HbA1c 9.1 in May.", "hemoglobin a1c"),
        ("Tolerating a regular diet.", "diet"),
    ],
)
def test_a_sentence_names_it(matcher: Matcher, lexicon: Lexicon, sentence: str, name: str) -> None:
    said = {m.concept for m in matcher.mentions(sentence, 0, len(sentence))}
    wanted = lexicon.find(name)
    assert wanted is not None
    assert said & {wanted.id, *lexicon.descendants(wanted.id)}, said


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("She was discharged home.", "urethral discharge"),
        ("Lysis of adhesions took an hour.", "adhesions"),
        ("Lactated Ringer was run in.", "lactate measurement"),
        ("Low sodium diet.", "sodium measurement"),
        ("A full squat is possible.", "fullness"),
        ("T2 images of the brain.", "imaging study"),
        ("He fell asleep at once.", "accidental fall"),
        ("Retracted with a small hook.", "chest retractions"),
        ("The appendix was isolated.", "social withdrawal"),
        ("Blood pressure is 120/80.", "visible blood"),
        ("Intermittent headaches.", "urinary symptom"),
        ("Conjunctival injection.", "injection"),
    ],
)
def test_a_look_alike_is_not_taken_for_it(matcher: Matcher, lexicon: Lexicon, sentence: str, name: str) -> None:
    known = lexicon.find(name)
    assert known is not None
    family = {known.id, *lexicon.descendants(known.id)}
    assert family.isdisjoint(m.concept for m in matcher.mentions(sentence, 0, len(sentence)))
