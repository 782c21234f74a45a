"""What goes before every score: labels, more than a few words, and nothing twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_stack.core.schema import Hit, Scores
from search_stack.retrieval.ranker import repeats_last
from search_stack.retrieval.stages import FirstStage

HIT = Hit("0.0", "n", 1, "p", "", "", None, "", 0, 9, "Plan", "plan", "Rest.", (), (), Scores())


def hit(text: str, section: str = "Plan") -> Hit:
    return replace(HIT, text=text, section=section)


def test_a_passage_that_says_the_same_again_stands_behind_the_others() -> None:
    hits = {
        "a": hit("Keep the wound dry."),
        "b": hit("keep  the wound\ndry."),
        "c": hit("Keep the wound dry.", "Instructions"),
        "d": hit("Walk daily."),
        "e": hit("Keep the wound dry."),
    }
    # What was not fetched stays behind, as it was.
    assert repeats_last(["a", "b", "x", "c", "d", "e", "y"], hits) == ["a", "c", "d", "b", "e", "x", "y"]
    assert repeats_last([], hits) == []


@pytest.mark.parametrize(
    ("passage", "standing"),
    [("asked", (0, False)), ("asked, brief", (1, False)), ("possible", (2, False)), ("denies too", (0, True))],
)
def test_a_brief_passage_stands_one_tier_further_down(passage: str, standing: tuple[int, bool]) -> None:
    tiers = {"asked": 0, "asked, brief": 0, "possible": 2, "denies too": 0}
    first = FirstStage([], [], [], {}, tiers, frozenset({"denies too"}), frozenset({"asked, brief"}))
    assert first.standing(passage) == standing
