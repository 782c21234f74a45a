"""Pairs of the notes' sentences to be scored by a model: of one aspect, of two notes, near ones among them."""

from __future__ import annotations

import random
from functools import cache

import pytest

from encoders.training.pseudo_labels import Sentence, _near, balanced, bands, candidates, sentences_by_aspect
from search_stack.core.settings import Settings
from search_stack.evaluation.datasets.gold import part_of
from search_stack.evaluation.datasets.sentence_pairs import SentencePair
from search_stack.inference.models import Encoder

NOTE = "FINDINGS:\nThe lungs are clear today.\nNodule {n} is small now.\nPLAN:\nTake aspirin {n} mg every day."
HEARTS = ("The heart is enlarged.", "The heart is of normal size.", "There is mild cardiomegaly.")
BONES = ("There is a fracture of the rib.", "No fracture of a rib is seen.", "A rib is broken.")


@cache
def texts() -> dict[str, str]:
    """Each with a sentence of every note's, and with one of its own under either heading."""
    return {f"n{n}": NOTE.format(n=n) for n in range(40)}


@cache
def encoder() -> Encoder:
    return Encoder.from_settings(Settings(onnx_threads=1))


def listed(*words: str) -> list[Sentence]:
    """A sentence a note."""
    return [(f"n{n}", w) for n, w in enumerate(words)]


def test_sentences_stand_under_their_aspect_and_none_that_measures_is_among_them() -> None:
    found = sentences_by_aspect(texts(), 13)
    assert {*found} == {"findings", "plan"}
    train = {n for n in texts() if part_of(n) == "train"}
    assert {note for note, _ in found["plan"]} == train
    assert {words for _, words in found["findings"]} == {f"Nodule {n[1:]} is small now." for n in train}
    assert all(words.startswith("Take aspirin") for _, words in found["plan"])


def test_no_more_sentences_than_asked_and_the_same_ones_again() -> None:
    found = sentences_by_aspect(texts(), 13, 10)
    assert sum(map(len, found.values())) == 10
    assert found == sentences_by_aspect(dict(reversed(texts().items())), 13, 10)
    assert found != sentences_by_aspect(texts(), 14, 10)


def test_pairs_are_of_one_aspect_and_of_two_notes() -> None:
    sentences = {"heart": listed(*HEARTS), "bone": listed(*BONES), "plan": [("n1", "Rest."), ("n1", "Take aspirin.")]}
    found = candidates(sentences, encoder().encode, 100, 13)
    for one, other in found:
        assert one != other
        assert {one, other} <= {*HEARTS} or {one, other} <= {*BONES}
    assert len({frozenset(p) for p in found}) == len(found)
    # All that there are: three of each aspect, since its few sentences are all near.
    assert len(found) == 6


def test_half_of_the_pairs_are_near_ones_and_half_are_not_asked_for_it() -> None:
    ribs = [f"A fracture of rib {n} is seen." for n in range(1, 7)]
    others = [f"{what} was found." for what in ("Gout", "Asthma", "A rash", "Fever", "Anaemia", "A cyst", "A tumour")]
    sentences = {"findings": listed(*ribs, *others)}
    # The five nearest of a rib are the other ribs.
    near = {one: other for one, other in _near(sentences, encoder().encode, random.Random(13)) if one in ribs}
    assert {*near} == {*ribs}
    assert {*near.values()} <= {*ribs}
    found = {frozenset(p) for p in candidates(sentences, encoder().encode, 100, 13)}
    assert {frozenset(p) for p in _near(sentences, encoder().encode, random.Random("13/near"))} <= found
    assert any(len(p & {*ribs}) == 1 for p in found)


def test_no_more_pairs_than_asked() -> None:
    assert len(candidates({"findings": listed(*HEARTS, *BONES)}, encoder().encode, 3, 13)) <= 3


@pytest.mark.parametrize(("score", "band"), [(0.0, 0), (0.99, 0), (1.0, 1), (2.99, 2), (3.0, 3), (4.5, 4), (5.0, 4)])
def test_a_score_has_its_band(score: float, band: int) -> None:
    assert [len(found) for found in bands([SentencePair("a", "b", score)])] == [int(n == band) for n in range(5)]


def test_of_low_bands_few_are_taken_and_of_high_ones_all() -> None:
    pairs = [SentencePair(f"a{n}", "b", n / 10) for n in range(51)]
    found = bands(balanced(bands(pairs), 4, 13))
    assert [len(band) for band in found] == [4, 4, 4, 10, 11]
    assert [len(band) for band in bands(balanced(bands(pairs), 100, 13))] == [10, 10, 10, 10, 11]
    assert balanced(bands(pairs), 4, 13) != balanced(bands(pairs), 4, 14)
