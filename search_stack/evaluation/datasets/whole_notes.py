"""Notes of which every heading and every clinical mention was annotated: ids, offsets and answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from search_stack.core.errors import AspectraError
from search_stack.core.schema import ASSERTIONS
from search_stack.evaluation import gold
from search_stack.evaluation.datasets.records import known, offsets, rows

FILE = Path(gold.__file__).with_name("notes.tsv")
FRESH_FILE = FILE.with_name("fresh_notes.tsv")
"""Those of the fresh part (`datasets.gold.FRESH`)."""
COLUMNS = ("note", "what", "begin", "end", "kind", "assertion", "status")
KINDS = ("finding", "disorder", "symptom", "procedure", "device", "drug")
"""Of mentions, as the lexicon has them."""


@dataclass(frozen=True, slots=True)
class Heading:
    """Of a section; empty where a note begins without one."""

    begin: int
    end: int
    about: str
    """What its section is about, in the annotator's words."""


@dataclass(frozen=True, slots=True)
class WholeMention:
    begin: int
    end: int
    kind: str
    """One of `KINDS`."""
    assertion: str
    status: str


@dataclass(frozen=True, slots=True)
class WholeNote:
    note: str
    """Its id, as the readers of `ingest` give it."""
    headings: tuple[Heading, ...]
    mentions: tuple[WholeMention, ...]


def load(file: Path = FILE) -> list[WholeNote]:
    """The notes, in the order of the file.

    Raises:
        AspectraError: the file cannot be read, or a value is none; the message names line and field.
    """
    found: dict[str, tuple[list[Heading], list[WholeMention]]] = {}
    for where, row in rows(file, "notes annotated in full", COLUMNS, tabs=True):
        if not row["note"]:
            raise AspectraError(f"{where}: note: empty.", "Give the note's id.")
        known(row, where, {"what": ("section", "mention")})
        headings, mentions = found.setdefault(row["note"], ([], []))
        if row["what"] == "section":
            headings.append(_heading(row, where))
        else:
            mentions.append(_mention(row, where))
    if not found:
        raise AspectraError(f"{file}: holds no note.", "Give a file of notes annotated in full.")
    return [WholeNote(note, tuple(headings), tuple(mentions)) for note, (headings, mentions) in found.items()]


def _heading(row: Mapping[str, str], where: str) -> Heading:
    known(row, where, {"assertion": ("",), "status": ("",)})
    if not row["kind"]:
        raise AspectraError(f"{where}: kind: empty.", "Say what the section is about.")
    return Heading(*offsets(row, where, empty=True), row["kind"])


def _mention(row: Mapping[str, str], where: str) -> WholeMention:
    known(row, where, {"kind": KINDS, "assertion": ASSERTIONS})
    return WholeMention(*offsets(row, where), row["kind"], row["assertion"], row["status"])
