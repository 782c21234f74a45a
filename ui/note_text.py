"""A note's text, section by section, with one passage marked."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from search_stack.core.schema import Finding, Hit, Section
from search_stack.language.sections import tidy
from search_stack.retrieval.nearness import PassageNear
from ui.highlight import Hued, Span, marked


@dataclass(frozen=True, slots=True)
class Block:
    """One section: ``before`` (blank space), ``heading`` and ``body`` side by side are its whole text."""

    anchor: str
    name: str
    before: str
    heading: Markup
    body: Markup
    current: bool


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked in a note: every match of the search, and its findings; ``asked`` and ``hues`` as for
    `ui.highlight.marked`."""

    spans: tuple[Span, ...] = ()
    findings: Sequence[Finding] = ()
    asked: Container[Finding] | None = None
    hues: Sequence[Hued] = ()
    passages: Sequence[Hit] = ()
    """Told apart by their numbers, from 1, where none stands out; in the order of the text."""
    others: Sequence[PassageNear] = ()
    """Passages that a link leads to, and nothing marks."""


Stretch = tuple[int, int, Markup, Markup]
"""A passage in the note, what its element says of it where it begins, and what it says where it goes on."""
_PASSAGE = Markup(' class="passage"')


def blocks(text: str, found: Sequence[Section], hit: Hit | None, marks: Marks | None = None) -> tuple[Block, ...]:
    """Every character of ``text``, cut at its sections; the passage of ``hit`` is marked, with id
    "passage", and every finding, the n-th with id "finding-n"."""
    marks = marks or Marks()
    stretches = [_stretch(hit, Markup(' id="passage" tabindex="-1"'))] if hit else _numbered(marks)
    return tuple(
        Block(
            anchor=anchor(number),
            name=section_name(section, number),
            before=text[section.begin : section.heading_begin],
            heading=_part(text, section.heading_begin, section.heading_end, stretches, marks),
            body=_part(text, section.heading_end, section.end, stretches, marks),
            current=hit is not None and section.begin <= hit.begin < section.end,
        )
        for number, section in enumerate(found, 1)
    )


def anchor(number: int) -> str:
    return f"section-{number}"


def section_name(section: Section, number: int) -> str:
    return tidy(section.heading) or ("Beginning" if number == 1 else section.aspect or "Untitled")


def _numbered(marks: Marks) -> list[Stretch]:
    name, place = Markup(' data-match="{}" data-passage="{}"'), Markup(' data-passage="{}"')
    found = [_stretch(hit, name.format(n, hit.passage_id)) for n, hit in enumerate(marks.passages, 1)]
    found += [(one.begin, one.end, place.format(one.passage_id), Markup()) for one in marks.others]
    return sorted(found, key=lambda one: one[0])


def _stretch(hit: Hit, name: Markup) -> Stretch:
    return hit.begin, hit.end, _PASSAGE + name, _PASSAGE


def _part(text: str, begin: int, end: int, stretches: Sequence[Stretch], marks: Marks) -> Markup:
    """``text[begin:end]``, and in it what of the passages lies there."""
    out, at = Markup(), begin
    for left, right, name, going_on in stretches:
        first, last = max(left, at), min(right, end)
        if first < last:
            opening = Markup("<span{}>").format(name if left == first else going_on)
            out += _plain(text, at, first, marks) + opening + _plain(text, first, last, marks) + Markup("</span>")
            at = last
    return out + _plain(text, at, end, marks)


def _plain(text: str, begin: int, end: int, marks: Marks) -> Markup:
    return marked(text[begin:end], marks.spans, begin, marks.findings, anchors=True, asked=marks.asked, hues=marks.hues)
