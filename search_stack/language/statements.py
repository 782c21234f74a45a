"""Where a line holds several statements without a full stop: the data table ``sentences.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

_LABEL = r"[A-Z][\w /&()'+-]{0,40}:(?!\d)"
_HEADED = re.compile(rf"\s*+{_LABEL}")
_WIDE = r"(?:[ ]{2,20}|[ ]?\t[ \t]{0,20})"
_EDGE = rf"(?:[ ]?\|[ ]?|{_WIDE})"
_COLUMN = r"(?:[ ]{3,40}|[ ]?\t[ \t]{0,20})"
_OPENS = re.compile(r"(?:[:;.]|\A)\s{0,20}\Z")
_NEAR = 21


@dataclass(frozen=True, slots=True)
class Statements:
    """``answers`` in the rows of a form, lower case; ``said``: numbers from one on, as words."""

    answers: frozenset[str]
    said: tuple[str, ...]
    cell: re.Pattern[str] = field(init=False)
    """What stands between two cells with labels: ``gap`` where the one before must have one too."""
    column: re.Pattern[str] = field(init=False)
    """An answer in its column, before the next question."""
    number: re.Pattern[str] = field(init=False)
    """The number of an item, by its style: ``paren``, ``hash`` or ``said``."""

    def __post_init__(self) -> None:
        answer = "|".join(map(re.escape, sorted(self.answers, key=len, reverse=True))) or "(?!)"
        said = "|".join(self.said) or "(?!)"
        answered = rf":[ \t]*+(?i:{answer})[,;]?[ \t]{{1,20}}(?={_LABEL})"
        object.__setattr__(self, "cell", re.compile(rf"{answered}|(?P<gap>{_EDGE})(?={_LABEL})"))
        next_one = rf"(?=[^\W\d_][\w /-]{{0,30}}{_COLUMN}(?i:{answer})\b)"
        object.__setattr__(self, "column", re.compile(rf"{_COLUMN}(?i:{answer}){_COLUMN}{next_one}"))
        paren, hashed = r"\(?(?P<paren>\d{1,2})\)", r"#[ ]?(?P<hash>\d{1,2})[.):]?"
        spoken = rf"[Nn]umber (?P<said>\d{{1,2}}|{said})[,.:]?"
        object.__setattr__(self, "number", re.compile(rf"(?<!\S)(?:{paren}|{hashed}|{spoken})(?=\s)"))

    def cuts(self, text: str, begin: int, end: int) -> list[int]:
        """Where the second and each further statement of ``text[begin:end]`` begins, in order."""
        out: list[int] = []
        # Most lines hold nothing of it: looking for single characters costs less than the patterns.
        colon = text.find(":", begin, end)
        if colon >= 0 and text.find(":", colon + 1, end) >= 0:
            out += self._cells(text, begin, end)
        if text.find("\t", begin, end) >= 0 or text.find("   ", begin, end) >= 0:
            out += [found.end() for found in self.column.finditer(text, begin, end)]
        if any(text.find(sign, begin, end) >= 0 for sign in (")", "#", "umber ")):
            out += self._items(text, begin, end)
        return sorted(set(out)) if out else out

    def _cells(self, text: str, begin: int, end: int) -> list[int]:
        out: list[int] = []
        for found in self.cell.finditer(text, begin, end):
            if not found["gap"] or _HEADED.match(text, out[-1] if out else begin, found.start()):
                out.append(found.end())
        return out

    def _items(self, text: str, begin: int, end: int) -> list[int]:
        """Items from the second on, and the first behind a colon, where the first begins a statement."""
        out: list[int] = []
        last: dict[str, int] = {}
        for found in self.number.finditer(text, begin, end):
            style = str(found.lastgroup)
            number = self._value(found[style])
            if number == 1 and _OPENS.search(text[max(begin, found.start() - _NEAR) : found.start()]):
                last[style] = 1
                first = found.start()
            elif number > 1 and last.get(style) == number - 1:
                out += [first, found.start()] if number == 2 else [found.start()]
                last[style] = number
        return [at for at in out if at > begin]

    def _value(self, number: str) -> int:
        return int(number) if number.isdecimal() else self.said.index(number) + 1


def read_statements() -> dict[str, Any]:
    """The rules as they stand in the file, with their examples."""
    return tomllib.loads(files("search_stack.language").joinpath("sentences.toml").read_text("utf-8"))


@cache
def shipped_statements() -> Statements:
    """The rules that ship with the package, read once."""
    data = read_statements()
    return Statements(frozenset(data["cells"]["answers"]), tuple(data["enumerations"]["said"]))


def counted(numbers: Sequence[str]) -> str:
    """A pattern for the number of an item as it is said."""
    return rf"[Nn]umber (?:\d{{1,2}}|{'|'.join(numbers)})\b"
