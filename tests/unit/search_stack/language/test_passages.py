from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from search_stack.core.schema import Passage
from search_stack.language.passages import passages
from search_stack.language.sections import sections
from search_stack.language.sentences import sentences

PIECES = st.sampled_from(
    [
        "IMPRESSION:",
        "PLAN:\n",
        "A/P: ",
        "No effusion. ",
        "Dr. Smith. ",
        "1. ",
        "\n",
        "\r\n",
        "\n\n",
        "\t",
        "😀",
        "שלום ",
        "a" * 50,
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=10), max_size=40).map("".join)


def words(texts: list[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def letters(texts: list[str]) -> list[int]:
    """One token for each character that is not white space."""
    return [sum(not c.isspace() for c in text) for text in texts]


def cut(text: str, limit: int) -> list[Passage]:
    return passages(text, sections(text), words, limit)


def test_whole_sentences_are_packed_inside_a_section() -> None:
    text = "FINDINGS: The heart is normal. No effusion. Lungs are clear.\n\nIMPRESSION: Normal."
    assert [(p.ordinal, p.text, p.section, p.aspect) for p in cut(text, 6)] == [
        (0, "The heart is normal. No effusion.", "FINDINGS", "findings"),
        (1, "Lungs are clear.", "FINDINGS", "findings"),
        (2, "Normal.", "IMPRESSION", "impression"),
    ]


def test_a_heading_without_a_body_is_its_own_passage() -> None:
    text = "PHYSICAL EXAM:\n\nPLAN: rest"
    assert [(p.text, p.section) for p in cut(text, 9)] == [("PHYSICAL EXAM:", "PHYSICAL EXAM"), ("rest", "PLAN")]


def test_a_long_sentence_is_cut_at_white_space_and_its_rest_is_packed() -> None:
    assert [p.text for p in cut("a b c d e f\tg. Then h.", 5)] == ["a b c d e", "f\tg. Then h."]


def test_a_long_word_is_cut_anywhere() -> None:
    text = "x" * 100 + " end"
    pieces = passages(text, sections(text), letters, 30)
    assert [len(p.text) for p in pieces] == [25, 25, 25, 29]


def test_a_word_that_the_tokenizer_calls_unknown_is_cut_by_length() -> None:
    assert max(len(p.text) for p in cut("x" * 10_000, 20)) <= 16 * 20


def test_a_very_small_last_passage_is_filled_from_the_one_before() -> None:
    text = "One two three. Four five six. Seven eight nine. Ten."
    assert [p.text for p in cut(text, 9)] == ["One two three. Four five six.", "Seven eight nine. Ten."]


def test_tokens_are_counted_in_one_call_where_every_sentence_fits() -> None:
    calls: list[int] = []

    def counted(texts: list[str]) -> list[int]:
        calls.append(len(texts))
        return words(texts)

    text = "One. Two. PLAN: Three. Four."
    assert passages(text, sections(text), counted, 50)
    assert calls == [4]


def test_blank_notes_have_no_passages() -> None:
    assert cut("", 5) == cut(" \r\n\t", 5) == []


@given(TEXTS, st.integers(1, 40), st.sampled_from([words, letters]))
def test_offsets_limits_and_cover(text: str, limit: int, count: object) -> None:
    assert callable(count)
    parts = sections(text)
    found = passages(text, parts, count, limit)
    assert [p.ordinal for p in found] == list(range(len(found)))
    assert all(p.text == text[p.begin : p.end] == p.text.strip() != "" for p in found)
    assert all(before.end <= after.begin for before, after in pairwise(found))
    assert all(tokens <= limit for tokens in count([p.text for p in found]))
    covered = {at for p in found for at in range(p.begin, p.end)}
    for section in parts:
        inside = [p for p in found if section.begin <= p.begin and p.end <= section.end]
        assert bool(inside) == bool(text[section.begin : section.end].strip())
        covered |= set(range(section.heading_begin, section.heading_end)) if inside else set()
    assert {at for at, c in enumerate(text) if not c.isspace()} <= covered


@given(TEXTS)
def test_sentences_that_fit_are_never_cut(text: str) -> None:
    edges = {
        edge
        for s in sections(text)
        for body in [sentences(text, s.heading_end, s.end) or sentences(text, s.heading_begin, s.heading_end)]
        for span in body
        for edge in span
    }
    assert {edge for p in cut(text, 1000) for edge in (p.begin, p.end)} <= edges
