"""UMLS MRCONSO: a row for each name of a concept, as the Metathesaurus' Rich Release Format has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from ingest.vocab.entry import OTHER_LANGUAGE, SUPPRESSED, Entry, Left
from ingest.vocab.lines import wrong

FIELDS = 18
CUI, LAT, TS, STT, ISPREF, TTY, STR, SUPPRESS = 0, 1, 2, 4, 6, 12, 14, 16
_CUI = re.compile(r"C\d{7}")
_PREFERRED = ("PT", "PN", "MH", "HT")
_Row = tuple[int, list[str]]


def looks_like(line: str) -> bool:
    cells = line.split("|")
    return len(cells) >= FIELDS and _CUI.fullmatch(cells[CUI]) is not None


def read_mrconso(path: Path, lines: Iterable[tuple[int, str]], left: Left) -> Iterator[Entry]:
    """The English names that are not suppressible, by concept. One concept is held at a time.

    Raises:
        AspectraError: a row has not 18 fields, or no concept's id; file and line are named.
    """
    for cui, rows in groupby(_rows(path, lines), key=lambda row: row[1][CUI]):
        kept = [row for row in rows if _is_wanted(row[1], left)]
        if kept:
            # The first is the Metathesaurus' own choice, where it marks one.
            ranked = sorted(kept, key=lambda row: _rank(row[1]))
            yield Entry(cui, tuple(dict.fromkeys(cells[STR] for _, cells in ranked)), kept[0][0])


def _rows(path: Path, lines: Iterable[tuple[int, str]]) -> Iterator[_Row]:
    for number, line in lines:
        if not line:
            continue
        cells = line.removesuffix("|").split("|") if line.count("|") >= FIELDS else line.split("|")
        if len(cells) != FIELDS:
            raise wrong(path, number, f"{len(cells)} fields, not {FIELDS}", "Is it MRCONSO.RRF, and whole?")
        if not _CUI.fullmatch(cells[CUI]):
            raise wrong(path, number, "CUI: not a concept's id, such as C0032285", "Is it MRCONSO.RRF, and whole?")
        yield number, cells


def _is_wanted(cells: list[str], left: Left) -> bool:
    if cells[LAT] != "ENG":
        left[OTHER_LANGUAGE] += 1
        return False
    if cells[SUPPRESS] in ("O", "E", "Y"):
        left[SUPPRESSED] += 1
        return False
    return True


def _rank(cells: list[str]) -> tuple[bool, bool, bool, bool]:
    return cells[TS] != "P", cells[STT] != "PF", cells[ISPREF] != "Y", cells[TTY] not in _PREFERRED
