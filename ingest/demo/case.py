"""What a hand-written case is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Case:
    """One complete note, written to show one phenomenon that tools get wrong."""

    phenomenon: str
    patient_id: str
    type: str
    date: date
    title: str
    text: str


def flow(text: str) -> str:
    """Paragraphs of ``text`` with their line breaks joined; blank lines and lines after `` // `` stay apart."""
    paragraphs = (" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))
    return "\n\n".join(paragraphs).replace(" // ", "\n")
