"""Where a line holds several statements without a full stop: the data table ``sentences.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from search_stack.language.sections.aspects import aspect_table

_LABEL = r"[A-Z][\w /&()'+-]{0,40}:(?!\d)"
_HEADED = re.compile(rf"\s*+{_LABEL}")
_WIDE = r"(?:[ ]{2,20}|[ ]?\t[ \t]{0,20})"
_EDGE = rf"(?:[ ]?\|[ ]?|{_WIDE})"
_COLUMN = r"(?:[ ]{3,40}|[ ]?\t[ \t]{0,20}|[ ]?\|[ ]?)"
_BULLET = re.compile(r"(?<=\s)[•●○▪■◦](?=\s?\w)")
_STARRED = re.compile(r"(?<!\S)\*(?=\w)")
_HASHED = re.compile(r"(?<!\S)#(?=[^\W\d_])")
_SLASHED = re.compile(r"(?<=\w) / (?=[A-Z][a-z])")
_PIPED = re.compile(r"[ ]\|[ ]")
_PART = re.compile(r"(?<!\S)([A-Z][A-Za-z]{1,24}):(?!\d)")
_LABEL_BEGUN = re.compile(r"(?:[.;,]|\A)[ ]{0,20}(?:[A-Z][\w'-]{0,24}[ ]){1,3}\Z")
"""Words of a label whose last one is a part's name: "Hip Joints:", "Deep Tendon Reflexes:"."""
_DASHED_PART = re.compile(r"(?<!\S)([A-Z][A-Za-z]{1,24}) - ")
_BARE_PART = re.compile(r"(?<!\S)(?:CVS|RS|CNS|PA|Abdo|ABDO)(?= [a-z])")
_ANSWERED = re.compile(
    r"(?<=\w) (?:Yes|No)[ ]{1,3}(?=[A-Z][a-z]+(?: [A-Za-z]{1,20}){0,3} (?:Yes|No)\b)"
    r"|(?<=\w)-(?:yes|no)[ ]{1,3}(?=[A-Za-z]{1,20}-(?:yes|no)\b)"
)
_SEVERAL = 2
"""Signs or labels of a kind that a line has, at least, where they cut it."""
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
        paren, hashed = (
            r"\(?(?P<paren>\d{1,2})\)|\((?P<letter>[a-h])\)|(?P<slash>\d{1,2})/|(?P<dash>\d{1,2})-",
            r"#[ ]?(?P<hash>\d{1,2})[.):]?",
        )
        spoken = rf"[Nn]umber (?P<said>\d{{1,2}}|{said})[,.:]?"
        object.__setattr__(self, "number", re.compile(rf"(?<!\S)(?:{paren}|{hashed}|{spoken})(?=\s)"))

    def cuts(self, text: str, begin: int, end: int) -> list[int]:
        """Where the second and each further statement of ``text[begin:end]`` begins, in order."""
        out: list[int] = []
        # Most lines hold nothing of it: looking for single characters costs less than the patterns.
        colon = text.find(":", begin, end)
        if colon >= 0 and text.find(":", colon + 1, end) >= 0:
            out += self._cells(text, begin, end)
        if any(text.find(sign, begin, end) >= 0 for sign in ("\t", "   ", "|")):
            out += [found.end() for found in self.column.finditer(text, begin, end)]
        if any(text.find(sign, begin, end) >= 0 for sign in (")", "#", "umber ", "2/ ", "2- ")):
            out += self._items(text, begin, end)
        out += self._marked(text, begin, end)
        return sorted(set(out)) if out else out

    def _marked(self, text: str, begin: int, end: int) -> list[int]:
        """Where a bullet, or one of several signs or labels of parts of an examination, begins the next item."""
        out: list[int] = [m.end() for m in _ANSWERED.finditer(text, begin, end)]
        for pattern, least in ((_BULLET, 1), (_STARRED, _SEVERAL), (_HASHED, _SEVERAL), (_SLASHED, _SEVERAL)):
            at = [m.start() for m in pattern.finditer(text, begin, end)]
            out += at if len(at) >= least else []
        edges = [m.start() for m in _PIPED.finditer(text, begin, end)]
        cells = [cell.strip().lower() for cell in text[begin:end].split("|")]
        out += edges if len(edges) >= _SEVERAL and self.answers.isdisjoint(cells) else []
        dashed = [m.start() for m in _DASHED_PART.finditer(text, begin, end) if m[1].lower() in _parts()]
        out += dashed if len(dashed) >= _SEVERAL else []
        bare = [m.start() for m in _BARE_PART.finditer(text, begin, end)]
        out += bare if len(bare) >= _SEVERAL else []
        return [at for at in out if at > begin]

    def _cells(self, text: str, begin: int, end: int) -> list[int]:
        out: list[int] = []
        for found in self.cell.finditer(text, begin, end):
            if not found["gap"] or _HEADED.match(text, out[-1] if out else begin, found.start()):
                out.append(found.end())
        labels = [
            m.start()
            for m in _PART.finditer(text, begin, end)
            if m[1].lower() in _parts() and not _LABEL_BEGUN.search(text[max(begin, m.start() - _NEAR * 2) : m.start()])
        ]
        headed = _HEADED.match(text, begin)
        if len(labels) < _SEVERAL and not (headed and labels and headed.end() <= labels[0]):
            return out
        # "Neck: no JVD Lungs: clear": the last word before the colon is the label, and not the two.
        return [at for at in out if not any(at < label < text.find(":", at) for label in labels)] + [
            at for at in labels if at > begin
        ]

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
        if number.isdecimal():
            return int(number)
        return ord(number) - ord("a") + 1 if len(number) == 1 else self.said.index(number) + 1


@cache
def _parts() -> frozenset[str]:
    """Labels inside an examination or a review of systems, and those of what was found or not."""
    return (frozenset(aspect_table().parts) - {"pain"}) | {
        "positive",
        "negative",
        "sleep",
        "abdo",
        "cvs",
        "rs",
        "endo",
        "resp",
    }


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
