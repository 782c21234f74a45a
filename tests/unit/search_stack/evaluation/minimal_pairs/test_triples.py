"""Triples of invented notes: each kind has its order, and what teaches does not measure."""

from __future__ import annotations

import random
from functools import cache

import pytest

from search_stack.evaluation.datasets.gold import part_of
from search_stack.evaluation.minimal_pairs import KINDS, Triple, measuring, training
from search_stack.evaluation.minimal_pairs.others import dose, side
from search_stack.evaluation.minimal_pairs.reading import Reading, meant, plain_sentences
from search_stack.evaluation.minimal_pairs.same import Same
from search_stack.evaluation.minimal_pairs.wordings import wordings
from tests.language import rules

SENTENCES = (
    "There is a small pleural effusion.",
    "No pneumothorax or pleural effusion is seen.",
    "She denies chest pain and shortness of breath.",
    "The patient has hypertension and diabetes mellitus.",
    "Her mother had breast cancer and hypertension.",
    "There is an opacity in the right lower lobe.",
    "He takes metoprolol 50 mg p.o. b.i.d.",
    "The left knee is swollen with effusion.",
)


@cache
def texts() -> dict[str, str]:
    """A sentence a note but for the last, which has them all."""
    return {f"n{n}": f"{SENTENCES[n % len(SENTENCES)]} It is note {n}." for n in range(60)}


@cache
def triples() -> list[Triple]:
    names = [n for n in texts() if part_of(n) == "dev"]
    every = {f"{n}": " ".join(SENTENCES) for n in names[:1]}
    return measuring(every, rules(), "dev", 20)


def test_every_kind_is_found_and_all_three_sentences_differ() -> None:
    assert {t.kind for t in triples()} == {*KINDS}
    for t in triples():
        assert t.anchor in SENTENCES
        assert len({t.anchor.casefold(), t.near.casefold(), t.far.casefold()}) == 3


def test_the_nearer_says_the_same_and_the_denied_the_contrary() -> None:
    reading = Reading(rules())
    for t in triples():
        said = [meant(reading.said(words)) for words in (t.anchor, t.near, t.far)]
        assert said[0] == said[1]
        if t.kind == "denial":
            assert {a for _, a, _ in said[0]} | {a for _, a, _ in said[2]} == {"present", "absent"}
            assert {c for c, _, _ in said[0]} == {c for c, _, _ in said[2]}


def test_what_teaches_measures_nothing() -> None:
    taught = training(texts(), rules(), 50)
    measured = [t for part in ("dev", "test") for t in measuring(texts(), rules(), part, 50)]
    assert {part_of(t.note) for t in taught} <= {"train"}
    assert not {t.anchor.casefold() for t in taught} & {t.anchor.casefold() for t in measured}
    assert not any(t.apart for t in taught)
    # Every sentence stands in notes of each part, so that none is left to teach but those with a note's number.
    assert not {t.anchor for t in taught} & {*SENTENCES}


def test_the_same_notes_give_the_same_triples_and_no_more_than_asked() -> None:
    notes = {n: " ".join(SENTENCES) for n in texts()}
    found = measuring(notes, rules(), "dev", 2)
    assert found == measuring(dict(reversed(notes.items())), rules(), "dev", 2)
    assert max(sum(t.kind == k for t in found) for k in KINDS) <= 2
    assert measuring(notes, rules(), "dev", 2, seed=1) != found


@pytest.mark.parametrize(
    ("words", "other"),
    [
        ("Left pleural effusion, worse on the left.", "Right pleural effusion, worse on the right."),
        ("Fracture of the RIGHT hip.", "Fracture of the LEFT hip."),
        ("Pain on the left and on the right.", None),
        ("She left the clinic.", None),
        ("He is right-handed.", None),
        ("The patient left without pain.", None),
    ],
)
def test_sides_are_swapped_where_one_is_meant(words: str, other: str | None) -> None:
    same = Same(Reading(rules()), False)
    found = side(words, [], same, random.Random(1))
    assert (found.text if found else None) == other


def test_an_amount_becomes_another() -> None:
    same = Same(Reading(rules()), False)
    found = {dose("Aspirin 10 mg daily.", [], same, random.Random(n)) for n in range(40)}
    assert {f.text for f in found if f} == {f"Aspirin {n} mg daily." for n in (1, 100, 20, 50, 5)}
    large = {dose("Heparin 5000 units daily.", [], same, random.Random(n)) for n in range(40)}
    assert {f.text for f in large if f} == {f"Heparin {n} units daily." for n in (500, 50000, 10000, 25000, 2500)}
    assert dose("Seen on 10/12 by 3 doctors.", [], same, random.Random(1)) is None


def test_headings_fragments_and_removed_words_are_no_sentences() -> None:
    note = "PLAN: Rest.\n1. Take aspirin 10 mg daily.\nXXXX was seen in clinic.\nGout.\nNo acute   disease is seen."
    assert list(plain_sentences(note)) == ["Take aspirin 10 mg daily.", "No acute disease is seen."]


@pytest.mark.parametrize("group", ["kept", "reversed", "person"])
def test_every_wording_can_be_written(group: str) -> None:
    for wording in wordings(group):
        assert wording.say
        assert not {*wording.say} & {*wording.apart}
        for words in (*wording.say, *wording.apart):
            for sentence in SENTENCES:
                wording.find.sub(words, sentence)
