"""Marks in text, safe for a page."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from ui.highlight import marked


def test_text_and_marks_are_escaped() -> None:
    assert marked("<b>&pain</b>", [(3, 8)]) == Markup("&lt;b&gt;<mark>&amp;pain</mark>&lt;/b&gt;")


def test_marks_are_sorted_and_overlaps_are_cut() -> None:
    assert marked("abcdef", [(4, 6), (0, 2), (1, 3)]) == Markup("<mark>ab</mark><mark>c</mark>d<mark>ef</mark>")


def test_spans_beyond_the_text_are_cut() -> None:
    assert marked("abc", [(2, 9), (-4, 1)]) == Markup("<mark>a</mark>b<mark>c</mark>")


def test_an_offset_says_where_the_text_begins() -> None:
    assert marked("cde", [(1, 3), (4, 5)], offset=2) == Markup("<mark>c</mark>d<mark>e</mark>")


_SPANS = st.lists(st.tuples(st.integers(-3, 33), st.integers(-3, 33)), max_size=5)


@given(st.text(alphabet="a<>&\"' é\n", max_size=30), _SPANS)
def test_no_character_is_lost_or_added(text: str, spans: list[tuple[int, int]]) -> None:
    plain = marked(text, spans).replace("<mark>", "").replace("</mark>", "")
    assert Markup(plain).unescape() == text
