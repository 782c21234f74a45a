"""Sections with the headers that people gave them (the format of MTS-Dialog)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets import headed_notes
from search_stack.evaluation.datasets.records import first, rows
from search_stack.language.sections import sections
from search_stack.language.sections.text_model import header_table

COLUMNS = ("section_header", "section_text")
SHORTEST = 8
"""Characters of a section below which it teaches nothing."""


@dataclass(frozen=True, slots=True)
class HeadedSection:
    header: str
    text: str


def load(file: Path, limit: int | None = None) -> list[HeadedSection]:
    """Sections with their headers.

    Raises:
        AspectraError: the file cannot be read, lacks a column, or names an unknown header.
    """
    found = (_section(row, where) for where, row in rows(file, "sections", COLUMNS))
    return first(found, limit, f"{file}: holds no section.", "sections")


def _section(row: dict[str, str], where: str) -> HeadedSection:
    known = header_table()["aspects"]
    if row["section_header"] not in known:
        raise AspectraError(f"{where}: section_header: unknown.", f"It is one of: {', '.join(known)}.")
    return HeadedSection(row["section_header"], row["section_text"])


def _none(_text: str) -> str:
    """No guess: only what a heading says is learnt from."""
    return ""


def of_notes(file: Path) -> list[HeadedSection]:
    """Sections of notes (JSON lines with ``text``) whose heading stands for one of the headers: further examples."""
    table = header_table()
    of_aspect = {aspect: header for header, aspect in table["aspects"].items() if header not in table["skipped"]}
    of_aspect |= table["also"]
    out = []
    for note in headed_notes.load(file):
        for section in sections(note.text, guess=_none):
            header = of_aspect.get(section.aspect) if section.heading else None
            body = note.text[section.heading_end : section.end].strip()
            if header and len(body) > SHORTEST:
                out.append(HeadedSection(header, body))
    return out
