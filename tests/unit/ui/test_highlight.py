"""Marks in text, safe for a page."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from search_stack.core.schema import ASSERTIONS, Finding, Hit, Scores
from ui.highlight import SIGNS, because, marked
from ui.hit_view import said_of
from ui.hues import Lights

TOLD = "No pleural effusion & cough."


def test_what_shows_a_criterion_has_its_colour_whatever_else_is_marked() -> None:
    out = marked("no small effusion", [(3, 17)], hues=[(9, 17, 1), (3, 11, 0)])
    assert out == ('no <mark class="hue-0">small </mark><mark class="hue-0">ef</mark><mark class="hue-1">fusion</mark>')
    assert marked("ab<", [], 10, hues=[(11, 99, 3)]) == 'a<mark class="hue-3">b&lt;</mark>'


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


def finding(words: str, assertion: str, trigger: str = "", text: str = TOLD) -> Finding:
    begin = text.index(words)
    at = text.index(trigger) if trigger else None
    end = None if at is None else at + len(trigger)
    return Finding("c", words.lower(), "finding", begin, begin + len(words), assertion, at, end)


def test_a_finding_tells_its_assertion_without_colour_and_names_its_trigger() -> None:
    out = marked(TOLD, [(11, 19)], findings=[finding("effusion", "absent", "No")])
    assert out == (
        '<span class="trigger" data-triggers="0">No</span> pleural '
        '<span class="finding is-absent" data-finding="0" title="effusion: absent, because of “No”">'
        '<span class="sign">no</span><mark>effusion</mark></span> &amp; cough.'
    )


def test_an_allergy_is_not_shown_as_a_drug_that_is_taken() -> None:
    allergic = Finding("penicillin", "penicillin", "drug", 0, 10, "present", status="allergy")
    out = marked("Penicillin.", [], findings=[allergic])
    assert 'is-allergy" data-finding="0" title="penicillin: allergy"><span class="sign">allergy</span>' in out
    taken = Finding("penicillin", "penicillin", "drug", 0, 10, "present", status="taking")
    assert 'is-present" data-finding="0" title="penicillin: present, taking">Penicillin' in marked(
        "Penicillin.", [], findings=[taken]
    )


def test_a_finding_inside_another_and_a_mark_across_both_lose_no_character() -> None:
    inner, outer = finding("effusion", "possible"), finding("pleural effusion", "family")
    out = marked(TOLD, [(5, 22)], findings=[outer, inner], anchors=True)
    assert out.replace(Markup('<span class="sign">family</span>'), "").striptags() == TOLD
    assert out.count('id="finding-0"') == 1


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(0, 45), st.integers(0, 45), st.sampled_from(ASSERTIONS))))
def test_findings_of_any_extent_lose_no_character(text: str, extents: list[tuple[int, int, str]]) -> None:
    findings = [Finding("c", "x", "finding", min(b, e), max(b, e), a, min(b, e), max(b, e)) for b, e, a in extents]
    out = str(marked(text, [], findings=findings))
    for sign in SIGNS.values():
        out = out.replace(f'<span class="sign">{sign}</span>', "")
    assert unescape(re.sub(r"</?span[^>]*>", "", out)) == text


def test_a_normal_statement_is_not_struck_through() -> None:
    text = "Trachea is midline."
    one = Finding("deviation", "tracheal deviation", "finding", 0, 18, "absent", 0, 18)
    out = marked(text, [], findings=[one])
    assert 'class="finding is-normal"' in out
    assert "is-absent" not in out
    assert because(one, text, 0) == "normal: no tracheal deviation"


def test_what_nobody_asked_for_is_quiet_and_what_was_asked_can_be_reached() -> None:
    asked, other = finding("effusion", "absent", "No"), finding("cough", "present")
    out = marked(TOLD, [], findings=[asked, other], asked=[asked])
    assert out.count('tabindex="0"') == 1
    assert re.search(r'class="finding is-absent" data-finding="0"[^>]*tabindex="0"', out)
    assert 'class="finding is-present is-other"' in marked(TOLD, [], findings=[other], asked=[asked])
    assert "is-other" not in marked(TOLD, [], findings=[asked, other])


@pytest.mark.parametrize(
    ("assertion", "status", "told"),
    [
        ("present", "stopped", ("present", "stopped")),
        ("present", "taking", ("present", "")),
        ("absent", "not taken", ("absent", "")),
        ("present", "allergy", ("allergy", "")),
    ],
)
def test_a_hit_tells_a_status_where_it_adds_something(assertion: str, status: str, told: tuple[str, str]) -> None:
    finding = Finding("aspirin", "aspirin", "drug", 0, 7, assertion, status=status)
    hit = Hit("1.0", "n", 1, "P", "", None, "", "", "", "", 0, 8, "Aspirin.", (), Scores(), "filters", (finding,))
    assert [(s.assertion, s.status) for s in said_of(hit, Lights([finding]))] == [told]
