"""A note's text, section by section, with one passage marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from ingest.sections import tidy
from search_stack.schema import Hit, Section
from ui.highlight import marked


@dataclass(frozen=True, slots=True)
class Block:
    """One section: ``before`` (blank space), ``heading`` and ``body`` side by side are its whole text."""

    anchor: str
    name: str
    before: str
    heading: Markup
    body: Markup
    current: bool


def blocks(text: str, found: Sequence[Section], hit: Hit | None) -> tuple[Block, ...]:
    """Every character of ``text``, cut at its sections; the passage of ``hit`` is marked, with id "passage"."""
    return tuple(
        Block(
            anchor=f"section-{number}",
            name=_name(section, number),
            before=text[section.begin : section.heading_begin],
            heading=_part(text, section.heading_begin, section.heading_end, hit),
            body=_part(text, section.heading_end, section.end, hit),
            current=hit is not None and section.begin <= hit.begin < section.end,
        )
        for number, section in enumerate(found, 1)
    )


def _name(section: Section, number: int) -> str:
    return tidy(section.heading) or ("Beginning" if number == 1 else section.aspect or "Untitled")


def _part(text: str, begin: int, end: int, hit: Hit | None) -> Markup:
    """``text[begin:end]``, and in it what of the passage lies there."""
    if hit is None or hit.end <= begin or hit.begin >= end:
        return escape(text[begin:end])
    left, right = max(hit.begin, begin), min(hit.end, end)
    name = Markup(' id="passage" tabindex="-1"') if left == hit.begin else Markup()
    opening = Markup('<span class="passage"{}>').format(name)
    passage = marked(text[left:right], hit.highlights, offset=left - hit.begin)
    return escape(text[begin:left]) + opening + passage + Markup("</span>") + escape(text[right:end])
