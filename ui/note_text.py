"""A note's text, section by section, with one passage marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ingest.sections import tidy
from search_stack.schema import Finding, Hit, Section
from ui.highlight import Span, marked


@dataclass(frozen=True, slots=True)
class Block:
    """One section: ``before`` (blank space), ``heading`` and ``body`` side by side are its whole text."""

    anchor: str
    name: str
    before: str
    heading: Markup
    body: Markup
    current: bool


def blocks(text: str, found: Sequence[Section], hit: Hit | None, findings: Sequence[Finding] = ()) -> tuple[Block, ...]:
    """Every character of ``text``, cut at its sections; the passage of ``hit`` is marked, with id
    "passage", and every finding, the n-th with id "finding-n"."""
    return tuple(
        Block(
            anchor=f"section-{number}",
            name=_name(section, number),
            before=text[section.begin : section.heading_begin],
            heading=_part(text, section.heading_begin, section.heading_end, hit, findings),
            body=_part(text, section.heading_end, section.end, hit, findings),
            current=hit is not None and section.begin <= hit.begin < section.end,
        )
        for number, section in enumerate(found, 1)
    )


def _name(section: Section, number: int) -> str:
    return tidy(section.heading) or ("Beginning" if number == 1 else section.aspect or "Untitled")


def _part(text: str, begin: int, end: int, hit: Hit | None, findings: Sequence[Finding]) -> Markup:
    """``text[begin:end]``, and in it what of the passage lies there."""
    if hit is None or hit.end <= begin or hit.begin >= end:
        return _plain(text, begin, end, (), findings)
    left, right = max(hit.begin, begin), min(hit.end, end)
    name = Markup(' id="passage" tabindex="-1"') if left == hit.begin else Markup()
    opening = Markup('<span class="passage"{}>').format(name)
    spans = [(b + hit.begin, e + hit.begin) for b, e in hit.highlights]
    passage = opening + _plain(text, left, right, spans, findings) + Markup("</span>")
    return _plain(text, begin, left, (), findings) + passage + _plain(text, right, end, (), findings)


def _plain(text: str, begin: int, end: int, spans: Sequence[Span], findings: Sequence[Finding]) -> Markup:
    return marked(text[begin:end], spans, begin, findings, anchors=True)
