"""The same words under the same heading have one digest, once in each note."""

from __future__ import annotations

from search_stack.core.schema import Passage
from search_stack.index.wording import wordings


def passage(text: str, heading: str = "Plan") -> Passage:
    return Passage(0, 0, len(text), text, heading, "")


def test_case_and_spaces_do_not_matter_and_the_heading_does() -> None:
    (dry,) = wordings([passage("Keep the wound dry.")])
    assert wordings([passage("keep  the wound\ndry.", "PLAN")]) == [dry]
    others = [passage("Keep the wound dry.", "Instructions"), passage("Keep the wound dry"), passage("", "Keep")]
    assert dry not in wordings(others)
    # Where heading ends and text begins matters too.
    assert wordings([passage("b", "a")]) != wordings([passage("a b", "")])


def test_what_a_note_says_again_is_told_apart_the_same_way_in_every_note() -> None:
    here = wordings([passage("Dry."), passage("Walk."), passage("Dry.")])
    assert len(set(here)) == 3
    assert wordings([passage("Dry."), passage("Dry.")]) == [here[0], here[2]]
