"""Which text of a record repeats an earlier one, and which only looks as if it did."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.core.schema import Finding
from search_stack.language.copies import LONG, SHARE, Copy, Told, copies
from search_stack.language.labeller import Labeller
from tests import language

HISTORY = (
    "The patient came to the ward after a fall at home. She lay on the floor through the night and was found by the "
    "postman in the morning. Her left hip hurts when she stands up, and she walks with a frame. A friend lives in "
    "the same street and cooks for her every evening. She reads the paper, knows what day it is and eats well."
)


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return language.rules()


def of(*texts: str) -> list[int | None]:
    return [one.of if one else None for one in copies([Told(text) for text in texts])]


def labelled(labeller: Labeller, *texts: str) -> list[int | None]:
    return [one.of if one else None for one in copies([Told(text, labeller.label(text).findings) for text in texts])]


def test_the_same_words_again_are_a_copy_whatever_their_case_and_lines() -> None:
    again = HISTORY.upper().replace(". ", ".\n\n")
    assert copies([Told(HISTORY), Told(again)]) == [None, Copy(0, (), numbers=False)]


def test_a_few_other_words_are_told() -> None:
    edited = HISTORY.replace("the paper", "the news")
    _, found = copies([Told(HISTORY), Told(edited)])
    assert found is not None
    assert [edited[begin:end] for begin, end in found.own] == ["news"]
    assert not found.numbers


@pytest.mark.parametrize(
    ("before", "after", "numbers"),
    [("at home", "on day 3", True), ("a fall", "2 falls", True), ("at home", "outside", False)],
)
def test_other_numbers_are_told(before: str, after: str, numbers: bool) -> None:
    for texts in ((HISTORY, HISTORY.replace(before, after)), (HISTORY.replace(before, after), HISTORY)):
        _, found = copies([Told(text) for text in texts])
        assert found is not None
        assert found.numbers == numbers


def test_a_short_text_is_said_anew_each_time() -> None:
    words = HISTORY.replace(".", "").split()
    short, long = " ".join(words[: LONG - 1]), " ".join(words[:LONG])
    assert of(short, short) == [None, None]
    assert of(long, long) == [None, 0]


def test_less_than_the_share_is_no_copy() -> None:
    words = [f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(107)]  # a hundred shingles

    def changed(*places: int) -> str:
        return " ".join(f"other{chr(97 + places.index(n))}" if n in places else word for n, word in enumerate(words))

    assert of(changed(), changed(20, 60)) == [None, 0]  # 84 of them are left
    assert of(changed(), changed(20, 60, 90)) == [None, None]  # 76
    assert 76 < SHARE * 100 <= 84


def test_what_says_more_is_no_copy_of_a_part_of_it_but_the_part_is_one() -> None:
    part = HISTORY.split(". ")[0] + "."
    assert of(part, HISTORY) == [None, None]
    assert of(HISTORY, part) == [None, 0]
    # But for what the part leaves out.
    assert of(f"{HISTORY} She has no pain.", part) == [None, None]


def test_a_sentence_of_its_own_is_not_folded() -> None:
    long = " ".join((HISTORY, HISTORY.replace("hip", "knee").replace("ward", "clinic")))
    assert of(long, f"{long} She fell out of bed twice during the last night.") == [None, None]
    assert of(long, f"{long} She fell again.") == [None, 0]


def test_what_is_found_otherwise_is_no_copy(labeller: Labeller) -> None:
    film = (
        f"{HISTORY} There is {{}} pleural effusion on the left, and the heart is as large as it was on the last film."
    )
    present, absent = film.format("an"), film.format("no")
    assert labelled(labeller, present, absent) == [None, None]
    assert labelled(labeller, absent, present) == [None, None]
    assert labelled(labeller, absent, present, absent, present) == [None, None, 0, 1]


def test_the_labels_alone_decide_too() -> None:
    def finding(assertion: str, experiencer: str = "patient") -> Finding:
        return Finding("c1", "fall", "finding", 0, 4, assertion, experiencer=experiencer)

    for other in ((), (finding("absent"),), (finding("present", "family"),), (finding("present"), finding("absent"))):
        assert copies([Told(HISTORY, (finding("present"),)), Told(HISTORY, other)]) == [None, None]
    assert copies([Told(HISTORY, (finding("present"),))] * 2)[1] is not None


@pytest.mark.parametrize(
    "other",
    [
        HISTORY.replace("was found", "was not found"),
        HISTORY.replace("hip hurts", "hip never hurts"),
        HISTORY.replace("came", "possibly came"),
        HISTORY.replace("a fall", "a possible fall"),
        HISTORY.replace("and she walks", "if she walks"),
        HISTORY.replace("after a fall", "without a fall"),
        f"No. {HISTORY}".replace("No. T", "No t"),
        f"{HISTORY} Pain: [ ]",
    ],
)
def test_a_word_that_denies_or_doubts_is_never_folded_away(other: str) -> None:
    """Though no label tells of what it denies."""
    assert of(HISTORY, other) == [None, None]
    assert of(other, HISTORY) == [None, None]


# None that makes a phrase with a denial, as "for" does: "not for".
WORDS = st.lists(st.sampled_from([f"{a}{b}" for a in "bdgklmprst" for b in ("al", "en", "or", "um")]), min_size=20)


@given(WORDS, st.data(), st.sampled_from(["no", "not", "denies", "without", "never", "possible"]))
def test_no_denial_is_lost_wherever_it_stands(words: Sequence[str], data: st.DataObject, denial: str) -> None:
    at = data.draw(st.integers(0, len(words) - 1))
    plain, denied = " ".join(words), " ".join((*words[:at], denial, *words[at:]))
    assert of(plain, plain) == [None, 0]
    assert of(plain, denied) == [None, None]
    assert of(denied, plain) == [None, None]


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=30), max_size=8))
def test_only_texts_that_share_so_much_are_folded_behind_one_that_stands(texts: Sequence[Sequence[str]]) -> None:
    def shingles(words: Sequence[str]) -> set[tuple[str, ...]]:
        return {tuple(words[n : n + LONG]) for n in range(len(words) - LONG + 1)}

    found = copies([Told(" ".join(words)) for words in texts])
    for n, one in enumerate(found):
        own = shingles(texts[n])
        if one is None:
            assert not own or not any(texts[m] == texts[n] for m in range(n))
        else:
            assert one.of < n
            assert found[one.of] is None
            assert len(own & shingles(texts[one.of])) >= SHARE * len(own)


def test_of_several_it_is_the_nearest() -> None:
    """So that what is told of its own words is as little as can be."""
    other = HISTORY.replace("night", "evening").replace("frame", "stick").replace("paper", "news")
    assert of(HISTORY, other, other.replace("hip", "knee"), HISTORY.replace("hip", "knee")) == [None, None, 1, 0]
