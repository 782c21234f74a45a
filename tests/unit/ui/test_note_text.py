"""A note's text in blocks."""

from __future__ import annotations

import re
from dataclasses import replace

from markupsafe import Markup

from search_stack.core.schema import Hit, Scores
from search_stack.language.sections import sections
from search_stack.retrieval.nearness import PassageNear
from ui.note_text import Block, Marks, blocks

TEXT = "Dear colleague,\n\nFINDINGS:\n  No <5 mm nodule.\tA small effusion.\n\nIMPRESSION: Effusion & cough.\n"


def _hit(words: str, *highlights: tuple[int, int]) -> Hit:
    begin = TEXT.index(words)
    return Hit(
        passage_id="1.0", note_id="n", note_key=1, patient_id="p", note_type="", date=None, title="", collection="",
        section="", aspect="", begin=begin, end=begin + len(words), text=words, highlights=highlights,
        scores=Scores(), matched="every word",
    )  # fmt: skip


def _text(found: tuple[Block, ...]) -> str:
    joined = Markup().join(part for b in found for part in (b.before, b.heading, b.body))
    return Markup(re.sub(r"<[^>]*>", "", joined)).unescape()


def test_without_a_passage_every_character_is_there_in_order() -> None:
    found = blocks(TEXT, sections(TEXT), None)
    assert _text(found) == TEXT
    assert [b.name for b in found] == ["Beginning", "FINDINGS", "IMPRESSION"]
    assert not any(b.current for b in found)


def test_the_passage_is_marked_once_with_its_words() -> None:
    at = TEXT.index("A small effusion.")
    found = blocks(TEXT, sections(TEXT), _hit("A small effusion."), Marks(((at + 8, at + 16),)))
    assert [b.current for b in found] == [False, True, False]
    assert '<span class="passage" id="passage" tabindex="-1">A small <mark>effusion</mark>.</span>' in found[1].body
    assert "No &lt;5 mm nodule.\t<span" in found[1].body


def test_a_passage_that_is_a_heading_is_marked_there() -> None:
    found = blocks(TEXT, sections(TEXT), _hit("IMPRESSION"))
    assert found[2].heading.startswith('<span class="passage" id="passage" tabindex="-1">IMPRESSION</span>')
    assert "passage" not in found[2].body


def test_a_passage_over_two_sections_has_one_anchor() -> None:
    whole = replace(_hit("No <5"), end=len(TEXT))
    found = blocks(TEXT, sections(TEXT), whole)
    parts = "".join(b.heading + b.body for b in found)
    assert parts.count('id="passage"') == 1
    assert parts.count('class="passage"') == 3


def test_a_passage_that_only_a_link_leads_to_is_found_and_not_marked() -> None:
    there = TEXT.index("A small effusion.")
    other = PassageNear("1.1", 1, 1, there, there + len("A small effusion."), "FINDINGS", 0.5)
    first = replace(_hit("Effusion & cough."), passage_id="1.2")
    found = blocks(TEXT, sections(TEXT), None, Marks(passages=[first], others=[other]))
    assert '<span data-passage="1.1">A small effusion.</span>' in found[1].body
    assert '<span class="passage" data-match="1" data-passage="1.2">Effusion &amp; cough.</span>' in found[2].body
    assert _text(found) == TEXT


def test_an_empty_note_has_no_blocks() -> None:
    assert blocks("", sections(""), None) == ()


def test_matches_outside_the_passage_are_lit_too() -> None:
    at = TEXT.index("nodule")
    found = blocks(TEXT, sections(TEXT), _hit("A small effusion."), Marks(((at, at + 6),)))
    assert "<mark>nodule</mark>" in found[1].body


def test_several_passages_are_told_apart_by_their_numbers() -> None:
    passages = (_hit("No <5 mm nodule."), replace(_hit("A small"), end=len(TEXT), passage_id="1.1"))
    found = blocks(TEXT, sections(TEXT), None, Marks(passages=passages))
    assert _text(found) == TEXT
    first = '<span class="passage" data-match="1" data-passage="1.0">No &lt;5 mm nodule.</span>\t'
    assert first + '<span class="passage" data-match="2" data-passage="1.1">A small effusion.' in found[1].body
    assert "data-match" not in found[2].heading + found[2].body
    assert found[2].heading.startswith('<span class="passage">')
