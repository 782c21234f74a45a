"""What holds for every text that a matcher is given."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from search_stack.language.lexicon.concepts import Concept, Lexicon
from search_stack.language.lexicon.matcher import Matcher
from search_stack.language.lexicon.mention import Mention

NAMES = [
    "effusion",
    "pleural effusion",
    "pericardial effusion",
    "right lower lobe nodule",
    "aortic calcification",
    "shortness of breath",
    "deep vein thrombosis",
    "type 2 diabetes",
    "Sjögren syndrome",
]
CONCEPTS = [
    *(Concept(str(n), name, "finding") for n, name in enumerate(NAMES)),
    Concept("ptx", "pneumothorax", "finding", (), (), ("PTX", "P/T"), ("pneumothorax protocol",), ("lung expanded",)),
]
MATCHER = Matcher(Lexicon(CONCEPTS))
OWN_WORDS = sorted({w for name in NAMES for w in name.split()})
BETWEEN = [
    "and",
    "or",
    ",",
    ".",
    ";",
    "(",
    ")",
    "/",
    "the",
    "is",
    "in",
    "of",
    "no",
    "XXXX",
    "left",
    "seen",
    "😀",
    "İ",
    "\n",
]
SENTENCES = st.lists(
    st.one_of(st.sampled_from(OWN_WORDS), st.sampled_from(BETWEEN), st.sampled_from(["PTX", "pneumothorax", "lung"])),
    max_size=25,
).map(" ".join)
TEXTS = st.one_of(st.text(max_size=120), SENTENCES)
OTHER_WORDS = st.lists(st.sampled_from(["today", "was", "noted", "film", "with", "XXXX", "no", "42"]), max_size=6)


def check(mentions: list[Mention], text: str, begin: int, end: int) -> None:
    assert mentions == sorted(mentions, key=lambda m: (m.begin, m.end, m.concept))
    assert len(set(mentions)) == len(mentions)
    for m in mentions:
        assert begin <= m.begin < m.end <= end
        assert (m.parts[0][0], m.parts[-1][1]) == (m.begin, m.end)
        assert all(b < e for b, e in m.parts)
        assert all(left[1] < right[0] for left, right in zip(m.parts, m.parts[1:], strict=False))
        for b, e in m.parts:
            assert text[b].isalnum()
            assert not text[e - 1].isspace()
            # A part never begins or ends inside a word.
            assert not (b > begin and text[b - 1].isalnum())
            assert not (e < end and text[e].isalnum())


@given(TEXTS)
@example("effusion" * 3)
@example("İ̇ pleural e\u0301 effusion\u0301")
@example("PTXs P/Ts pneumothorax protocol")
def test_mentions_lie_in_the_text_in_order(text: str) -> None:
    check(MATCHER.mentions(text, 0, len(text)), text, 0, len(text))


@given(TEXTS, st.integers(0, 120), st.integers(0, 120))
def test_mentions_lie_in_the_stretch_that_is_asked_for(text: str, one: int, other: int) -> None:
    begin, end = sorted((min(one, len(text)), min(other, len(text))))
    found = MATCHER.mentions(text, begin, end)
    check(found, text, begin, end)
    alone = MATCHER.mentions(text[begin:end], 0, end - begin)
    assert [(m.concept, m.begin - begin, m.end - begin) for m in found] == [(m.concept, m.begin, m.end) for m in alone]


@given(TEXTS)
def test_no_mention_lies_inside_a_longer_one(text: str) -> None:
    words = [
        {word.start() + b for b, e in m.parts for word in re.finditer(r"[^\W_]+", text[b:e])}
        for m in MATCHER.mentions(text, 0, len(text))
    ]
    assert not any(a < b for a in words for b in words)


@given(st.sampled_from(NAMES), OTHER_WORDS, OTHER_WORDS)
def test_a_name_is_found_among_other_words(name: str, before: list[str], after: list[str]) -> None:
    text = " ".join([*before, name, *after])
    begin = len(" ".join([*before, ""]))
    found = MATCHER.mentions(text, 0, len(text))
    assert (str(NAMES.index(name)), begin, begin + len(name)) in {(m.concept, m.begin, m.end) for m in found}


@given(st.sampled_from(NAMES), st.sampled_from([str.upper, str.lower, str.title, str.swapcase]))
def test_the_case_of_a_name_does_not_matter(name: str, case: object) -> None:
    text = case(name)  # type: ignore[operator]
    assert [m.concept for m in MATCHER.mentions(text, 0, len(text))] == [str(NAMES.index(name))]


@given(TEXTS)
def test_the_same_text_has_the_same_mentions(text: str) -> None:
    again = Matcher(Lexicon(CONCEPTS[::-1]))
    assert MATCHER.mentions(text, 0, len(text)) == again.mentions(text, 0, len(text))


@given(st.lists(st.text(max_size=30), max_size=4), st.text(max_size=60))
def test_any_name_is_taken(names: list[str], text: str) -> None:
    made = [Concept(str(n), name, "finding", (), (name,), (name,), (name,), (name,)) for n, name in enumerate(names)]
    check(Matcher(Lexicon(made)).mentions(text, 0, len(text)), text, 0, len(text))


@pytest.mark.parametrize("unit", ["effusion ", "pleural and ", "x", "effusion", "(", ", ", "é", "\u0301", "ab1"])
def test_a_long_text_without_a_break_is_no_trouble(unit: str) -> None:
    text = unit * (300_000 // len(unit))
    check(MATCHER.mentions(text, 0, len(text))[:100], text, 0, len(text))
