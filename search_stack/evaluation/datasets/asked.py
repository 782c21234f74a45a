"""What people ask, each line with the passage that it was asked of: to learn from, not to measure on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note, Section
from search_stack.evaluation import gold
from search_stack.evaluation.datasets.records import offsets, rows
from search_stack.language.passages import passages
from search_stack.language.sections import sections
from search_stack.language.sections.aspects import tidy

FILE = Path(gold.__file__).with_name("asked.tsv")
COLUMNS = ("query", "note", "begin", "end")
WORDS = 90
"""Longest passage that nobody asked of: about what the shipped encoder has tokens for."""


@dataclass(frozen=True, slots=True)
class AskedLine:
    """A query line, and that ``note.text[begin:end]`` answers it, or how well."""

    query: str
    note: str
    begin: int
    end: int
    where: str = ""
    """File and line."""
    grade: int | None = None
    """0: it does not answer, 1: partly, 2: it does (docs/judging.md); None: nobody graded, it answers."""


def load(file: Path = FILE) -> list[AskedLine]:
    """
    Raises:
        AspectraError: the file cannot be read or holds none; the message names line and field.
    """
    found = [
        AskedLine(row["query"].strip(), row["note"], *offsets(row, where), where, _grade(row["grade"], where))
        for where, row in rows(file, "asked lines", COLUMNS, tabs=True, besides=("grade", "reading"))
        if row["reading"] in ("", "1")
    ]
    if not found:
        raise AspectraError(f"{file}: holds no asked line.", f"Give tab-separated rows of {', '.join(COLUMNS)}.")
    return found


def _grade(cell: str, where: str) -> int | None:
    if cell not in ("", "0", "1", "2"):
        raise AspectraError(f"{where}: grade: it is none.", "Give 0, 1 or 2, or nothing.")
    return int(cell) if cell else None


def pairs(asked: Iterable[AskedLine], notes: Mapping[str, Note], name: str) -> dict[str, Any]:
    """``asked`` of ``notes`` in the entity/aspect format, a document a note; passages stand under their headings.

    What else the notes say is cut into passages as an ingest would, fragments too, that no line is answered by: to
    draw wrong ones from. A line is its own entity, so that in training none counts as wrong for another that asks for
    the same. Of graded lines each asks once, for all its passages with their grades, those of 0 among them.

    Raises:
        AspectraError: a note is not there, or ends before the passage.
    """
    documents: list[dict[str, Any]] = []
    queries: list[dict[str, Any]] = []
    graded: dict[str, list[dict[str, Any]]] = {}
    by_note = attrgetter("note")
    for note_id, lines in groupby(sorted(asked, key=lambda a: (a.note, a.begin, a.end)), by_note):
        of_note = list(lines)
        documents.append(_document(note_id, of_note, notes))
        for line in of_note:
            result = {"id": _place(line), "relevance": 1 if line.grade is None else line.grade}
            if line.grade is None:
                queries.append(_query(line.query, [result]))
            else:
                graded.setdefault(line.query, []).append(result)
    # A line that nothing answers teaches nothing.
    queries += [_query(text, own) for text, own in graded.items() if any(r["relevance"] for r in own)]
    return {"name": name, "documents": documents, "queries": queries}


def _place(line: AskedLine) -> str:
    return f"{line.note}#{line.begin}-{line.end}"


def _query(text: str, results: list[dict[str, Any]]) -> dict[str, Any]:
    return {"text": text, "annotations": [{"entity": text, "aspect": ""}], "results": results}


def _document(note_id: str, lines: list[AskedLine], notes: Mapping[str, Note]) -> dict[str, Any]:
    note = notes.get(note_id)
    if note is None:
        raise AspectraError(f"{lines[0].where}: note: it is not among the notes.", "Give the notes that were asked.")
    if wrong := next((a for a in lines if a.end > len(note.text)), None):
        raise AspectraError(f"{wrong.where}: end: the note is shorter.", "Give the notes that were asked.")
    places = {(a.begin, a.end): _place(a) for a in lines}
    parts = sections(note.text)
    annotations = [_annotation(name, *place, heading_at(parts, place[0])) for place, name in places.items()]
    for other in passages(note.text, parts, _words, WORDS):
        if all(other.end <= begin or end <= other.begin for begin, end in places):
            annotations.append(_annotation(f"{note_id}#{other.ordinal}", other.begin, other.end, other.section))
    return {"id": note_id, "title": note.title, "text": note.text, "annotations": annotations}


def _annotation(name: str, begin: int, end: int, heading: str) -> dict[str, Any]:
    return {"id": name, "begin": begin, "length": end - begin, "section": heading}


def _words(texts: list[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def heading_at(parts: Sequence[Section], begin: int) -> str:
    """The heading over a place, as passages carry it; empty where there is none."""
    return next((tidy(s.heading) for s in parts if s.begin <= begin < s.end), "")
