from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.core.context import (
    JOINT,
    LONGEST,
    NOTHING,
    PARTS,
    Surroundings,
    apart,
    contextual,
    read_parts,
    surroundings,
)
from search_stack.core.errors import AspectraError

WORDS = st.text("ab \n", max_size=400)


def test_parts_come_in_their_own_order_and_empty_ones_are_left_out() -> None:
    around = Surroundings(title="Gout", section="", lead="Gout is common.", before="See above.")
    assert contextual("It hurts.", around, ["before", "section", "title"]) == "Gout | See above. | It hurts."
    assert contextual("It hurts.", around, []) == "It hurts."
    assert contextual("It hurts.", NOTHING, PARTS) == "It hurts."


@given(WORDS, WORDS, WORDS)
def test_the_passage_stays_whole_behind_what_is_short(text: str, lead: str, before: str) -> None:
    read = contextual(text, Surroundings(lead=lead, before=before), PARTS)
    assert read.endswith(text)
    assert len(read) <= len(text) + LONGEST["lead"] + LONGEST["before"] + 2 * len(JOINT)


def test_whole_words_are_kept_the_first_of_the_lead_and_the_last_of_what_is_before() -> None:
    words = " ".join(f"w{n}" for n in range(200))
    lead = contextual("", Surroundings(lead=words), ["lead"]).removesuffix(JOINT)
    before = contextual("", Surroundings(before=words), ["before"]).removesuffix(JOINT)
    assert words.startswith(lead + " ")
    assert words.endswith(" " + before)
    assert len(lead) > LONGEST["lead"] - 6
    assert len(before) > LONGEST["before"] - 6


def test_a_single_long_word_is_cut() -> None:
    assert contextual("", Surroundings(title="x" * 500), ["title"]) == "x" * LONGEST["title"] + JOINT


def test_the_passage_that_opens_the_text_has_nothing_before_it() -> None:
    text = "  Gout is common. It hurts."
    assert surroundings(text, 2, "T", "S") == Surroundings("T", "S")
    assert surroundings(text, 18, "T") == Surroundings("T", "", "Gout is common. It hurts.", "  Gout is common. ")


@pytest.mark.parametrize("part", PARTS)
def test_every_part_has_a_field_and_a_length(part: str) -> None:
    assert part in Surroundings.__slots__
    assert part in LONGEST


def test_parts_are_read_from_their_names_in_their_own_order() -> None:
    assert read_parts("lead, title") == ("title", "lead")
    assert read_parts("") == ()
    with pytest.raises(AspectraError, match="called footer"):
        read_parts("lead,footer")


WHOLE = "Gout is common.\nIt hurts.  Much.\nSee a doctor."


def test_the_document_stands_around_the_passage_in_its_order() -> None:
    begin, end = WHOLE.index("It"), WHOLE.index("\nSee")
    around = surroundings(WHOLE, begin, "T", end=end)
    read = contextual(WHOLE[begin:end], around, ["title", "document"])
    assert read == "T | Gout is common. | It hurts.  Much. || See a doctor."
    assert apart(read) == ("T | Gout is common.", "It hurts.  Much.", "See a doctor.")
    # Without the document nothing follows.
    assert contextual("It hurts.", around, ["title"]) == "T | It hurts."


def test_lines_of_the_document_are_kept() -> None:
    around = surroundings("One.\n\n Two.\nThree.", 12, end=18)
    assert contextual("Three.", around, ["document"]) == "One.\nTwo. | Three."


@given(st.integers(0, 20_000), st.integers(1, 3000), st.integers(0, 20_000))
def test_of_a_long_document_as_much_is_kept_as_there_is_room_for(before: int, own: int, after: int) -> None:
    text = "x" * before + "o" * own + "y" * after
    around = surroundings(text, before, end=before + own)
    kept = len(around.document) + len(around.after)
    assert kept <= LONGEST["document"]
    # A word that is cut is left out, and here each side is one word.
    if before + after <= LONGEST["document"]:
        assert kept == before + after


def test_words_at_the_edges_of_what_is_kept_are_whole() -> None:
    word = "word " * 5000
    around = surroundings(word + "own" + " word" * 5000, len(word), end=len(word) + 3)
    assert {*around.document.split(), *around.after.split()} == {"word"}
    assert len(around.document) + len(around.after) > LONGEST["document"] - 12
