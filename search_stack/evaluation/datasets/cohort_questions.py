"""Query lines, each with the patients that somebody who read the notes says it has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.records import first, lines

_OF = "cohort questions"
_REMEDY = 'Write {"line": "...", "patients": ["..."]}; "debatable" and "among" are lists of patient ids too.'


@dataclass(frozen=True, slots=True)
class CohortQuestion:
    """A line, and who is meant by it."""

    line: str
    patients: frozenset[str]
    debatable: frozenset[str] = frozenset()
    """Whom readers could take either way: they are not counted."""
    among: frozenset[str] = frozenset()
    """Whose notes were read; everybody's, where empty."""


def load(file: Path, limit: int | None = None) -> list[CohortQuestion]:
    """
    Raises:
        AspectraError: the file cannot be read or holds none; the message names line and field.
    """
    return first((_question(row, where) for where, row in _rows(file)), limit, f"{file}: holds no question.", _OF)


def _rows(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for where, text in lines(file, _OF):
        try:
            row = json.loads(text)
        except ValueError as e:
            raise AspectraError(f"{where}: this is no JSON.", _REMEDY) from e
        if not isinstance(row, dict):
            raise AspectraError(f"{where}: this is no object.", _REMEDY)
        yield where, row


def _question(row: dict[str, Any], where: str) -> CohortQuestion:
    line = row.get("line")
    if not isinstance(line, str) or not line.strip():
        raise AspectraError(f"{where}: line: there is none.", _REMEDY)
    patients, debatable, among = (_ids(row, name, where) for name in ("patients", "debatable", "among"))
    if "patients" not in row:
        raise AspectraError(f"{where}: patients: it is missing.", _REMEDY)
    if among and not patients <= among:
        raise AspectraError(f"{where}: patients: one is not in among.", _REMEDY)
    return CohortQuestion(line.strip(), patients - debatable, debatable, among)


def _ids(row: dict[str, Any], name: str, where: str) -> frozenset[str]:
    found = row.get(name, [])
    if not isinstance(found, list) or not all(isinstance(one, str) and one for one in found):
        raise AspectraError(f"{where}: {name}: this is no list of ids.", _REMEDY)
    return frozenset(found)
