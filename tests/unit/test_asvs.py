"""docs/asvs.md names every requirement once, and tests and files that are there."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "asvs.md").read_text(encoding="utf-8")
STATUSES = ("test", "evidence", "does not apply", "not met")
SECTIONS = {
    **{"1.1": "22", "1.2": "111112222", "1.3": "11222222222", "1.4": "222", "1.5": "12"},
    **{"2.1": "122", "2.2": "112", "2.3": "1222", "2.4": "2"},
    **{"3.2": "11", "3.3": "1222", "3.4": "112222", "3.5": "11122", "3.7": "22"},
    **{"4.1": "122", "4.2": "2", "4.3": "22", "4.4": "1222"},
    **{"5.1": "2", "5.2": "112", "5.3": "11", "5.4": "222"},
    **{"6.1": "122", "6.2": "111111112222", "6.3": "1122", "6.4": "1122", "6.5": "22222", "6.6": "222", "6.8": "2222"},
    **{"7.1": "222", "7.2": "1111", "7.3": "22", "7.4": "11222", "7.5": "22", "7.6": "22"},
    **{"8.1": "12", "8.2": "112", "8.3": "1", "8.4": "2"},
    **{"9.1": "111", "9.2": "1222"},
    **{"10.1": "22", "10.2": "22", "10.3": "2222", "10.4": "11111222222", "10.5": "22222", "10.6": "22", "10.7": "222"},
    **{"11.1": "22", "11.2": "222", "11.3": "112", "11.4": "1222", "11.5": "2", "11.6": "2"},
    **{"12.1": "122", "12.2": "11", "12.3": "2222"},
    **{"13.1": "2", "13.2": "22222", "13.3": "22", "13.4": "12222"},
    **{"14.1": "22", "14.2": "1222", "14.3": "122"},
    **{"15.1": "122", "15.2": "122", "15.3": "1222222"},
    **{"16.1": "2", "16.2": "22222", "16.3": "2222", "16.4": "222", "16.5": "222"},
    **{"17.1": "2", "17.2": "2222", "17.3": "22"},
}
"""Levels of the requirements of ASVS 5.0.0, section by section, in order; those of level 3 are left out: of 253, 70 are
of level 1. In each section they are numbered from 1 without a gap."""
HIPAA = ["(a)(1)", *(f"(a)(2)({n})" for n in ("i", "ii", "iii", "iv")), "(b)", "(c)(1)", "(c)(2)", "(d)", "(e)(1)"]
HIPAA += ["(e)(2)(i)", "(e)(2)(ii)"]
FILE = re.compile(r"(?:[\w.-]+/)+[\w.-]+\.[a-z]+|[\w-]+\.(?:yaml|toml|lock)|Dockerfile")


class Row(NamedTuple):
    number: str
    level: str
    asks: str
    status: str
    shown: str


def rows() -> list[Row]:
    found = []
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if re.fullmatch(r"[1-9]\d?\.\d+\.\d+", cells[0]):
            found.append(Row(*cells))
        elif cells[0].startswith("(") and line.startswith("|"):
            found.append(Row(cells[0], "", *cells[1:]))
    return found


ROWS = rows()


@cache
def functions(file: str) -> set[str]:
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def named(text: str) -> tuple[list[str], list[str]]:
    """Tests and files that stand between backticks."""
    said = re.findall(r"`([^`]+)`", text)
    return [word for word in said if "::" in word], [word for word in said if FILE.fullmatch(word)]


def test_every_requirement_stands_there_once_with_its_level() -> None:
    wanted = [(f"{s}.{n}", level) for s, levels in SECTIONS.items() for n, level in enumerate(levels, 1)]
    assert Counter(level for _, level in wanted) == {"1": 70, "2": 183}
    assert [(row.number, row.level) for row in ROWS] == wanted + [(number, "") for number in HIPAA]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.number)
def test_a_row_has_a_status_and_what_it_names_exists(row: Row) -> None:
    tests, files = named(row.shown)
    assert row.status in STATUSES
    assert 0 < len(row.asks.split()) <= 13
    assert row.shown
    assert tests or row.status != "test"
    assert files or row.status != "evidence"
    assert row.status != "not met" or ("missing:" in row.shown and "The site must " in row.shown)
    for name in tests:
        file, _, function = name.partition("::")
        assert (ROOT / "tests" / file).is_file(), name
        assert function in functions(file), name
        assert function.startswith("test_"), name
    for file in files:
        assert (ROOT / file).is_file(), file


def test_the_figures_are_those_of_the_rows() -> None:
    requirements = [row for row in ROWS if row.level]
    for level in ("1", "2"):
        count = Counter(row.status for row in requirements if row.level == level)
        cells = " | ".join(str(count[status]) for status in STATUSES)
        assert f"| {level} | {cells} | {count.total()} |" in PAGE


def test_a_name_that_is_gone_is_found() -> None:
    tests, files = named(
        "`unit/test_asvs.py::test_gone`, `access/gone.py`, `ui/rights.py`, `ASPECTRA_WEB_NAMES`, `.git`"
    )
    assert (tests, files) == (["unit/test_asvs.py::test_gone"], ["access/gone.py", "ui/rights.py"])
    assert "test_gone" not in functions("unit/test_asvs.py")
