"""HTML as lines of text: what stays, what goes, and what broken pages cost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.readers.html_text import html_text
from search_stack.language.sections import sections

BROKEN = [
    *("<p>", "</p>", "<td>", "</td>", "<table>", "</table>", "<tr>", "<li>", "<pre>", "</pre>", "<del>", "</del>"),
    *("<script>", "</script>", "<![x", "<!--", "-->", "&lt;", "&", "<", ">", "a"),
]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>No <b>pleural</b>\n effusion.</p>", "No pleural effusion."),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("a<br><br>b", "a\n\nb"),
        ("<p>a<p>b", "a\n\nb"),
        ("<div><div>a</div><div>b</div></div>c", "a\nb\nc"),
        ("<ul><li>cough<li><p>fever</p></li></ul>after", "- cough\n- fever\n\nafter"),
        ("<h1>Impression</h1>Clear.", "Impression:\n\nClear."),
        ("<h1>Impression:</h1>Clear.", "Impression:\n\nClear."),
        ("pH &lt; 7.2 &amp; K&#43; &gt; 5", "pH < 7.2 & K+ > 5"),
        ("pH < 7.2 and K > 5", "pH < 7.2 and K > 5"),
        ("<pre>  Hb\n    7.2</pre>x", "  Hb\n    7.2\n\nx"),
        ("<!-- effusion -->none", "none"),
        ("<script>if (a<b) {}</script><style>p {}</style>none", "none"),
        ("<html><head><title>Viewer</title></head><body>none</body></html>", "none"),
        ("<head><meta charset=utf-8><body>none", "none"),
        ("no <del>effusion</del> <s>cough</s>fever", "no fever"),
        ("<del>a <del>b</del> c</del>d", "d"),
        ("<![CDATA[none]]>", "none"),
        ("<![if !lists]>none<![endif]>", "none"),
        ("", ""),
        ("<p> </p>", ""),
    ],
)
def test_elements(html: str, text: str) -> None:
    assert html_text(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<table><tr><th>Test<th>Value<tr><td>Hb<td><p>7.2</p><td>g/dL</table>", "Test\tValue\nHb\t7.2\tg/dL"),
        ("<table><tr><td></td><td>x</td></tr></table>y", "x\n\ny"),
        ("<table><tr><td><p>a</p><p>b</p></td><td>c</td></tr></table>", "a\n\nb\nc"),
        ("<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>", "a\tb"),
        ("<table>a<tr>b<td>c", "ab\nc"),
        ("<td>a</td>b", "ab"),
    ],
)
def test_tables(html: str, text: str) -> None:
    assert html_text(html) == text


@pytest.mark.parametrize(
    "html", ["<del>effusion", "<script>effusion", "<title>effusion", "effusion <p", "<!--effusion"]
)
def test_what_is_never_closed_is_not_lost(html: str) -> None:
    assert "effusion" in html_text(html)


def test_a_heading_begins_a_section() -> None:
    text = html_text("<h2>Impression</h2><p>No effusion.</p>")
    assert [s.aspect for s in sections(text)] == ["impression"]


@pytest.mark.parametrize(
    "piece", ["<!--", "<", "<a ", "</", "<![CDATA[", "&#", "<script>", "<!", "<a b='", "<?", "<del>"]
)
def test_a_long_page_of_broken_tags_comes_to_its_end(piece: str) -> None:
    assert html_text(f"effusion {piece * 30_000}").startswith("effusion")


@given(st.lists(st.sampled_from(BROKEN)))
def test_nothing_is_too_broken(pieces: list[str]) -> None:
    html_text("".join(pieces))


@given(
    st.lists(st.sampled_from(["<p>", "</p>", "<td>", "</td>", "<table>", "</table>", "<tr>", "</tr>", "<li>", "w1 "]))
)
def test_no_word_is_lost(pieces: list[str]) -> None:
    assert html_text("".join(pieces)).count("w1") == pieces.count("w1 ")
