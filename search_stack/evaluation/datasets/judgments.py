"""Judged passages of queries: ids, offsets and grades, as docs/judging.md defines them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from search_stack.core.errors import AspectraError
from search_stack.core.halves import half_of
from search_stack.evaluation import gold
from search_stack.evaluation.datasets.records import known, lines, offsets, rows

FILE = Path(gold.__file__).with_name("judgments.tsv")
COLUMNS = ("query", "kind", "note", "begin", "end", "grade", "reading")
TOLD = ("query", "kind", "need")
GRADES = ("0", "1", "2")
Part: TypeAlias = Literal["tuning", "test"]
PARTS: tuple[Part, ...] = get_args(Part)


@dataclass(frozen=True, slots=True)
class Judgment:
    """That ``note.text[begin:end]`` answers a query: 0 not, 1 partly, 2 fully."""

    query: str
    """The line as typed."""
    kind: str
    note: str
    begin: int
    end: int
    grade: int
    reading: int
    """1, or 2 of the second reader's."""

    @property
    def place(self) -> tuple[str, str, int, int]:
        return self.query, self.note, self.begin, self.end


def load(file: Path = FILE) -> list[Judgment]:
    """All readings.

    Raises:
        AspectraError: the file cannot be read, or a value is none; the message names line and field.
    """
    found = read(file)
    if not found:
        raise AspectraError(f"{file}: holds no judgment.", "Give a file of judged passages: aspectra judge.")
    return found


def part_to_read(file: Path, part: Part | None = None) -> Part | None:
    """``part``; where it is not told, of the shipped queries those to tune on, and None, for all, of a site's own."""
    return part or ("tuning" if file.resolve() == FILE else None)


def load_part(file: Path, part: Part | None) -> list[Judgment]:
    """`load` of the queries of ``part``, or of all.

    Raises:
        AspectraError: as of `load`; or no query is of that part.
    """
    found = [j for j in load(file) if part is None or part_of(j.query) == part]
    if not found:
        raise AspectraError(f"{file}: no query is of the part {part}.", "Choose another part.")
    return found


def read(file: Path) -> list[Judgment]:
    """`load` of a file that may hold none yet."""
    return [_judgment(row, where) for where, row in rows(file, "judged passages", COLUMNS, tabs=True)]


@dataclass(frozen=True, slots=True)
class Asked:
    """A query to be judged."""

    query: str
    """The line as typed."""
    kind: str = ""
    need: str = ""
    """What the asker wants to know, in a sentence."""


def queries(file: Path) -> list[Asked]:
    """A query a line; or tab-separated, with the columns query, kind and need. Each once.

    Raises:
        AspectraError: the file cannot be read, or holds none.
    """
    of = "queries"
    plain = [text.strip() for _, text in lines(file, of)]
    if plain and plain[0].split("\t")[0] == "query":
        found = [Asked(*(row[c].strip() for c in TOLD)) for _, row in rows(file, of, TOLD, tabs=True)]
    else:
        found = [Asked(" ".join(text.split())) for text in plain]
    by_query = {one.query: one for one in found if one.query}
    if not by_query:
        raise AspectraError(f"{file}: holds no query.", "Write one a line, as people type them.")
    return list(by_query.values())


def row_of(j: Judgment) -> str:
    """The row that `load` reads ``j`` from."""
    return "\t".join((j.query, j.kind, j.note, str(j.begin), str(j.end), str(j.grade), str(j.reading)))


def part_of(query: str) -> Part:
    """The part that a query belongs to with all its judgments, by its words alone: one half to tune on, the other to
    measure on."""
    return PARTS[half_of(query) == "second"]


def pairs(judgments: Iterable[Judgment]) -> Iterator[tuple[Judgment, Judgment]]:
    """The first and the second reading of what was read twice."""
    judgments = list(judgments)
    first = {j.place: j for j in judgments if j.reading == 1}
    yield from ((first[j.place], j) for j in judgments if j.reading != 1 and j.place in first)


@dataclass(frozen=True, slots=True)
class Place:
    """A passage that a system brings."""

    note: str
    begin: int
    end: int

    def __str__(self) -> str:
        return f"{self.note}:{self.begin}-{self.end}"


def judged_ids(found: Sequence[Place], judged: Mapping[str, Sequence[Judgment]]) -> list[str]:
    """What each passage of a ranking is called in the judgments: the judged one, by note in ``judged``, that it shares
    most with and at least half of the shorter, so that judgments hold where passages are cut otherwise; else its own
    place. No judgment stands for two."""
    taken: set[str] = set()
    out = []
    for place in found:
        best = max(judged.get(place.note, ()), key=lambda j: _shared(place, j), default=None)
        name = str(place)
        if best and 2 * _shared(place, best) >= min(place.end - place.begin, best.end - best.begin):
            judged_name = str(Place(best.note, best.begin, best.end))
            name = name if judged_name in taken else judged_name
        taken.add(name)
        out.append(name)
    return out


def _shared(place: Place, judged: Judgment) -> int:
    return max(0, min(place.end, judged.end) - max(place.begin, judged.begin))


def _judgment(row: dict[str, str], where: str) -> Judgment:
    known(row, where, {"grade": GRADES, "reading": ("1", "2")})
    begin, end = offsets(row, where)
    for name in ("query", "note"):
        if not row[name].strip():
            raise AspectraError(f"{where}: {name}: is empty.", "Each row names its query and its note.")
    return Judgment(row["query"], row["kind"], row["note"], begin, end, int(row["grade"]), int(row["reading"]))
