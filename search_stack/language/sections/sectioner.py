"""Cut a note at its headings."""

from __future__ import annotations

from collections.abc import Iterator

from search_stack.core.schema import Section
from search_stack.language.sections.aspects import AspectTable, aspect_of, aspect_table
from search_stack.language.sections.headings import Candidate, candidates
from search_stack.language.sections.text_model import predict_aspect

# Of a heading that the table does not list: shorter capitals are mostly measurements (BP, WBC, T1).
_MIN_LETTERS = 4
_MIN_RUNNING_LETTERS = 7


def sections(text: str) -> list[Section]:
    """The note's sections: in order, side by side, from the first character to the last.

    Text before the first heading is a section without one: ``heading`` is empty and
    ``heading_begin == heading_end == begin``. An empty text has no sections.
    """
    found: list[Section] = []
    begin, heading = 0, (0, 0)
    for following in _headings(text, aspect_table()):
        if text[begin : following.begin].strip():
            found.append(_section(text, begin, following.begin, heading))
            begin = following.begin
        heading = (following.begin, following.end)
    if text:
        found.append(_section(text, begin, len(text), heading))
    return found


def _section(text: str, begin: int, end: int, heading: tuple[int, int]) -> Section:
    words = text[slice(*heading)]
    aspect = aspect_of(words) if words else predict_aspect(text[begin:end])
    return Section(begin, end, *heading, words, aspect)


def _headings(text: str, table: AspectTable) -> Iterator[Candidate]:
    aspect = ""
    for candidate in candidates(text, table.aspects):
        if _is_heading(candidate, aspect, table):
            aspect = aspect_of(text[candidate.begin : candidate.end])
            yield candidate


def _is_heading(candidate: Candidate, aspect: str, table: AspectTable) -> bool:
    """Whether it begins a section, after a section of ``aspect``."""
    inside = aspect in table.holders
    listed = candidate.key in table.aspects
    alone = candidate.after_blank and candidate.own_line and not candidate.colon
    if inside and candidate.key in table.parts and not (listed and alone):
        return False
    if listed:
        return candidate.colon or (len(candidate.key) > 1 and (candidate.capitals or candidate.after_blank))
    letters = sum(map(str.isalpha, candidate.key))
    if candidate.running:
        return not inside and " " in candidate.key and letters >= _MIN_RUNNING_LETTERS
    if letters < _MIN_LETTERS:
        return False
    if not candidate.after_blank and (inside or candidate.numbered or not candidate.colon):
        return False
    if candidate.capitals:
        return not candidate.columns
    return candidate.colon and candidate.title_case and candidate.key.rpartition(" ")[2] in table.endings
