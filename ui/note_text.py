"""A note's text, section by section, with one passage marked."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from search_stack.core.schema import Finding, Hit, Section
from search_stack.language.sections import tidy
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


def blocks(text: str, found: Sequence[Section], hit: Hit | None, marks: Marks | None = None) -> tuple[Block, ...]:
    """Every character of ``text``, cut at its sections; the passage of ``hit`` is marked, with id
    "passage", and every finding, the n-th with id "finding-n"."""
    marks = marks or Marks()
    return tuple(
        Block(
            anchor=anchor(number),
            name=section_name(section, number),
            before=text[section.begin : section.heading_begin],
            heading=_part(text, section.heading_begin, section.heading_end, hit, marks),
            body=_part(text, section.heading_end, section.end, hit, marks),
            current=hit is not None and section.begin <= hit.begin < section.end,
        )
        for number, section in enumerate(found, 1)
    )


def anchor(number: int) -> str:
    return f"section-{number}"


def section_name(section: Section, number: int) -> str:
    return tidy(section.heading) or ("Beginning" if number == 1 else section.aspect or "Untitled")


def _part(text: str, begin: int, end: int, hit: Hit | None, marks: Marks) -> Markup:
    """``text[begin:end]``, and in it what of the passage lies there."""
    if hit is None or hit.end <= begin or hit.begin >= end:
        return _plain(text, begin, end, marks)
    left, right = max(hit.begin, begin), min(hit.end, end)
    name = Markup(' id="passage" tabindex="-1"') if left == hit.begin else Markup()
    opening = Markup('<span class="passage"{}>').format(name)
    passage = opening + _plain(text, left, right, marks) + Markup("</span>")
    return _plain(text, begin, left, marks) + passage + _plain(text, right, end, marks)


def _plain(text: str, begin: int, end: int, marks: Marks) -> Markup:
    return marked(text[begin:end], marks.spans, begin, marks.findings, anchors=True, asked=marks.asked, hues=marks.hues)
