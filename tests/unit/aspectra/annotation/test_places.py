"""Which mentions are judged: at random, in an order that stays."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from aspectra.annotation.places import Place, found, kind_of, place_of, to_judge
from search_stack.evaluation.datasets.gold import GoldMention
from search_stack.evaluation.datasets.own_notes import OwnNote
from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.concepts import Concept, Lexicon

PLACES = [Place(f"n{n}", n, n + 5, "fever", "random") for n in range(100)]


def judged(place: Place) -> GoldMention:
    return GoldMention(*place.key, True, "present", "", place.drawn, 1, False)


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    concepts = (Concept("fever", "fever", "symptom"), Concept("aspirin", "aspirin", "drug"))
    return Labeller(Lexicon(concepts), None)


def test_a_larger_draw_goes_on_from_a_smaller_one_whatever_is_added() -> None:
    ten = to_judge(PLACES, [], 10, 7)
    assert len(set(ten)) == 10
    assert to_judge(reversed(PLACES), [], 20, 7)[:10] == ten
    assert to_judge(PLACES, map(judged, ten[:4]), 6, 7) == ten[4:]
    more = [*PLACES, *(replace(p, note=f"m{p.note}") for p in PLACES)]
    among = [p for p in to_judge(more, [], None, 7) if p in PLACES]
    assert among[:10] == ten
    assert to_judge(PLACES, [], 10, 8) != ten


def test_each_place_is_drawn_as_often_as_another() -> None:
    times = Counter(p for seed in range(1_000) for p in to_judge(PLACES[:10], [], 5, seed))
    # 500 each are expected, with a standard deviation of 16.
    assert all(420 < times[p] < 580 for p in PLACES[:10])


def test_a_place_is_judged_once() -> None:
    assert to_judge([PLACES[0], PLACES[0]], [], None, 1) == [PLACES[0]]
    assert to_judge(PLACES[:1], [judged(PLACES[0])], None, 1) == []
    assert place_of(judged(PLACES[0])) == PLACES[0]


def test_mentions_are_those_of_the_labels(labeller: Labeller) -> None:
    notes = {"n": OwnNote("n", "No fever. Takes aspirin."), "m": OwnNote("m", "Well.")}
    told: list[tuple[str, int, int]] = []
    places = found(notes, labeller, lambda *so_far: told.append(so_far))
    assert places == [Place("n", 3, 8, "fever", "random"), Place("n", 16, 23, "aspirin", "random")]
    assert told == [("notes read", 1, 2), ("notes read", 2, 2)]


def test_the_kind_is_the_lexicon_s_or_told_by_the_words(labeller: Labeller) -> None:
    text = "Aspirin, then herniotomy, then rest."
    for words, concept, kind in (
        ("Aspirin", "aspirin", "drug"),
        ("herniotomy", "repair of it", "procedure"),
        ("rest", "inguinal herniotomy", "procedure"),
        ("rest", "rest", ""),
    ):
        begin = text.index(words)
        assert kind_of(Place("n", begin, begin + len(words), concept, "given"), text, labeller) == kind
