"""Lexicon files: CSV that a spreadsheet can edit, checked whole before any of it is used."""

from __future__ import annotations

import csv
import difflib
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from search_stack.core.errors import AspectraError
from search_stack.core.files import unreadable
from search_stack.language.lexicon.concepts import KINDS, Concept, folded

REQUIRED = ("id", "name", "kind")
LISTS = ("parents", "synonyms", "abbreviations", "exclusions", "denials", "phrases", "codes")
_NAMES = LISTS[1:-1]
REMARK = "#"
"""Begins the lines of remarks at the top of a file."""
COLUMNS = (*REQUIRED, *LISTS)
SEPARATOR = ";"
LONGEST_NAME = 200
LONGEST_ABBREVIATION = 12
MOST_SHOWN = 20
_ID = re.compile(r"[^\s;,]{1,80}")


class LexiconError(AspectraError):
    """A lexicon file cannot be used; the message names file, line and column."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A concept and where it stands."""

    concept: Concept
    file: str
    line: int

    def problem(self, column: str, what: str) -> str:
        return f"{self.file}:{self.line}: column {column}: {what}"


def read_lexicon(path: Path) -> list[Concept]:
    """The concepts of one file.

    Raises:
        LexiconError: anything is wrong with it; every problem is named, up to `MOST_SHOWN`.
    """
    return [p.concept for p in read_placed(path)]


def read_placed(path: Path) -> list[Placed]:
    """The concepts of one file, each with its line."""
    try:
        return parse_lexicon(path.read_bytes(), str(path))
    except OSError as e:
        raise unreadable(path, e, "Name a lexicon file.", LexiconError) from None


def read_remarks(path: Path) -> list[str]:
    """The lines of remarks at the top of a file."""
    with path.open(encoding="utf-8") as source:
        return [line.removeprefix(REMARK).strip() for line in takewhile(lambda line: line.startswith(REMARK), source)]


def parse_lexicon(content: bytes, file: str) -> list[Placed]:
    """The concepts in ``content``; ``file`` is what errors call it."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        line = content[: e.start].count(b"\n") + 1
        raise LexiconError(f"{file}:{line}: not UTF-8.", 'Save it as "CSV UTF-8".') from None
    rows = _rows(text, file)
    at, cells = next(rows, (1, []))
    header = _header(cells, f"{file}:{at}")
    found: list[Placed] = []
    problems: list[str] = []
    lines: dict[str, int] = {}
    for line, row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) < len(header) or any(cell.strip() for cell in row[len(header) :]):
            problems.append(f"{file}:{line}: {_counted(row, header)}")
            continue
        placed = Placed(_concept(dict(zip(header, row, strict=False))), file, line)
        problems += _problems(placed)
        if (first := lines.setdefault(placed.concept.id, line)) != line and placed.concept.id:
            problems.append(placed.problem("id", f"{placed.concept.id} is in line {first} too"))
        found.append(placed)
    refuse(problems)
    return found


def refuse(problems: Sequence[str]) -> None:
    """Raise for ``problems``, where there are any."""
    if problems:
        more = [f"and {len(problems) - MOST_SHOWN:,} more"] if len(problems) > MOST_SHOWN else []
        raise LexiconError("\n".join([*problems[:MOST_SHOWN], *more]), "docs/lexicon.md describes each field.")


def write_lexicon(concepts: Sequence[Concept], remarks: Sequence[str] = ()) -> str:
    """The text of a file that holds ``concepts``, below a line for each of ``remarks``."""
    out = io.StringIO()
    out.writelines(f"{REMARK} {remark}\n" for remark in remarks)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for c in concepts:
        writer.writerow([c.id, c.name, c.kind, *(f"{SEPARATOR} ".join(getattr(c, name)) for name in LISTS)])
    return out.getvalue()


def _rows(text: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """Rows with the line in which each begins; remarks at the top are none."""
    source = io.StringIO(text, newline="")
    over = 0
    while text.startswith(REMARK, source.tell()):
        source.readline()
        over += 1
    reader = csv.reader(source, strict=True)
    line = over + 1
    try:
        for row in reader:
            yield line, row
            line = over + reader.line_num + 1
    except csv.Error:
        # The reader notices a missing quote at the next one, or at the end of the file.
        raise LexiconError(
            f"{file}:{line}: a quote is not closed, or stands inside a cell.",
            "Put a cell that holds a comma or a quote in quotes, and write a quote in it twice.",
        ) from None


def _header(cells: Sequence[str], file: str) -> list[str]:
    """The names of the columns; a spreadsheet's empty ones at the end are none."""
    header = [cell.strip().lower() for cell in cells]
    while header and not header[-1]:
        header.pop()
    if len(header) == 1 and header[0].count(SEPARATOR) >= len(REQUIRED) - 1:
        raise LexiconError(
            f"{file}: semicolons stand between the columns.", "Save it with commas; semicolons part a cell's items."
        )
    missing = [name for name in REQUIRED if name not in header]
    out = [f"{file}: column {name}: is missing" for name in missing]
    for name in dict.fromkeys(header):
        if name not in COLUMNS:
            out.append(f"{file}: column {name[:40] or 'without a name'}: is not known{_meant(name, COLUMNS)}")
        elif header.count(name) > 1:
            out.append(f"{file}: column {name}: is there twice")
    refuse(out)
    return header


def _meant(written: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(written.lower(), known, n=1)
    return f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"


def _counted(row: Sequence[str], header: Sequence[str]) -> str:
    return f"{len(row)} cells under {len(header)} columns; a cell that holds a comma must be in quotes"


def _concept(cells: dict[str, str]) -> Concept:
    id, name, kind = (cells.get(column, "").strip() for column in REQUIRED)
    return Concept(id, name, kind, *(_items(cells.get(column, "")) for column in LISTS))


def _items(cell: str) -> tuple[str, ...]:
    return tuple(" ".join(item.split()) for item in cell.split(SEPARATOR) if item.strip())


def is_id(text: str) -> bool:
    """Whether it may be a concept's id."""
    return _ID.fullmatch(text) is not None


def _problems(placed: Placed) -> list[str]:
    c = placed.concept
    out = []
    if not is_id(c.id):
        out.append(placed.problem("id", "is empty, too long, or holds a blank, comma or semicolon"))
    if c.kind not in KINDS:
        out.append(placed.problem("kind", f'"{c.kind[:40]}" is no kind{_meant(c.kind, KINDS)}'))
    for column, items in (("name", (c.name,)), *((n, getattr(c, n)) for n in _NAMES)):
        out += [placed.problem(column, wrong) for item in items if (wrong := _wrong_name(item, column))]
    lists = ("name", (c.name, *c.synonyms)), *((n, getattr(c, n)) for n in ("exclusions", "denials", "phrases"))
    for column, items in lists:
        if len(items) < 2:
            continue
        twice = [n for n, times in Counter(map(folded, items)).items() if times > 1]
        out += [placed.problem("synonyms" if column == "name" else column, f'"{n}" is there twice') for n in twice]
    wrong_codes = [code for code in c.codes if not is_id(code)]
    out += [placed.problem("codes", f'"{code[:40]}" holds a blank, or is too long') for code in wrong_codes]
    short = [n for n, times in Counter(c.abbreviations).items() if times > 1]
    return out + [placed.problem("abbreviations", f'"{n}" is there twice') for n in short]


def _wrong_name(item: str, column: str) -> str:
    """What is wrong with a name, or with what stands among the names."""
    if not item:
        return "is empty"
    if len(item) > LONGEST_NAME:
        return f"longer than {LONGEST_NAME} characters"
    if not any(ch.isalpha() for ch in item):
        return f'"{item}" holds no letter'
    if column == "abbreviations" and len(item) > LONGEST_ABBREVIATION:
        return f'"{item}" is longer than {LONGEST_ABBREVIATION} characters: is it a synonym?'
    return ""
