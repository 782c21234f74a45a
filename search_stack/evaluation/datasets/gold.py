"""Judged mentions of concepts in notes: ids, offsets and answers, as docs/annotation.md defines them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from search_stack.core.errors import AspectraError
from search_stack.core.schema import ASSERTIONS
from search_stack.evaluation import gold
from search_stack.evaluation.datasets.records import known, offsets, rows
from search_stack.language.arbiter.model import NONE

FILE = Path(gold.__file__).with_name("mentions.tsv")
FRESH_FILE = FILE.with_name("fresh.tsv")
SENTENCES = FILE.with_name("sentences.jsonl")
COLUMNS = ("note", "begin", "end", "concept", "sense", "assertion", "status", "drawn", "reading", "unsure")
Part: TypeAlias = Literal["train", "dev", "test"]
PARTS: tuple[Part, ...] = get_args(Part)
FRESH = "fresh"
"""What was judged after the test part was opened, in notes that `part_of` calls test and none of which was judged
before. It stands in `FRESH_FILE`, so that whoever reads or learns from `FILE` cannot meet it."""
RANDOM = "random"
"""How mentions were drawn that stand for all; the others were drawn by what the labels said of them."""
WRITTEN = "written"
"""Likewise, in sentences that were written for the rules."""


@dataclass(frozen=True, slots=True)
class GoldMention:
    note: str
    """Its id, as the readers of `ingest` give it."""
    begin: int
    end: int
    concept: str
    """Name in the lexicon."""
    means: bool
    """Whether the text means the concept; where it does not, there is no assertion."""
    assertion: str
    status: str
    drawn: str
    """`RANDOM`, or the assertion by which it was drawn."""
    reading: int
    """1, or 2 of the second reader's."""
    unsure: bool

    @property
    def answer(self) -> str:
        """The assertion; `NONE` where the concept is not meant."""
        return self.assertion if self.means else NONE

    @property
    def place(self) -> tuple[str, int, int, str]:
        return self.note, self.begin, self.end, self.concept


def load(file: Path = FILE) -> list[GoldMention]:
    """All readings.

    Raises:
        AspectraError: the file cannot be read, or a value is none; the message names line and field.
    """
    found = read(file)
    if not found:
        raise AspectraError(f"{file}: holds no mention.", "Give a file of judged mentions.")
    return found


def read(file: Path) -> list[GoldMention]:
    """`load` of a file that may hold none yet."""
    return [_mention(row, where) for where, row in rows(file, "judged mentions", COLUMNS, tabs=True)]


def row_of(m: GoldMention) -> str:
    """The row that `load` reads ``m`` from."""
    sense, unsure = "yes" if m.means else "no", "yes" if m.unsure else ""
    place = (m.note, str(m.begin), str(m.end), m.concept)
    return "\t".join((*place, sense, m.assertion, m.status, m.drawn, str(m.reading), unsure))


def sentences(file: Path = SENTENCES) -> tuple[list[GoldMention], dict[str, str]]:
    """Sentences written for the rules, each with one mention as judged, and their texts by id.

    Raises:
        AspectraError: the file cannot be read, or a line is none; the message names it.
    """
    mentions, texts = [], {}
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as e:
        raise AspectraError(f"{file}: cannot be read ({type(e).__name__}).", "Name a file of JSON lines.") from e
    for n, line in enumerate(lines, 1):
        try:
            said = json.loads(line)
            name, begin, end = f"sentence-{said['id']}", int(said["begin"]), int(said["end"])
            means = said["label"] != "none"
            label = said["label"] if means else ""
            if said["label"] not in (*ASSERTIONS, "none") or not 0 <= begin < end <= len(said["text"]):
                raise ValueError
            mentions.append(GoldMention(name, begin, end, said["concept"], means, label, "", WRITTEN, 1, False))
            texts[name] = said["text"]
        except (ValueError, KeyError, TypeError) as e:
            raise AspectraError(
                f"{file}:{n}: no sentence with text, begin, end, concept and label.", "docs/annotation.md tells how."
            ) from e
    return mentions, texts


def part_of(note: str) -> Part:
    """The part that a note belongs to, with all its mentions: six in ten are train, two dev, two test. By the note's id
    alone, so that more mentions change nothing."""
    share = int(hashlib.sha256(note.encode()).hexdigest(), 16) % 10
    return "train" if share < 6 else "dev" if share < 8 else "test"


def pairs(mentions: list[GoldMention]) -> Iterator[tuple[GoldMention, GoldMention]]:
    """The first and the second reading of those that were read twice."""
    first = {m.place: m for m in mentions if m.reading == 1}
    yield from ((first[m.place], m) for m in mentions if m.reading != 1 and m.place in first)


def _mention(row: Mapping[str, str], where: str) -> GoldMention:
    values: dict[str, tuple[str, ...]] = {"sense": ("yes", "no"), "reading": ("1", "2"), "unsure": ("", "yes")}
    values["assertion"] = ASSERTIONS if row["sense"] == "yes" else ("",)
    known(row, where, values)
    told = (row["note"], *offsets(row, where), row["concept"], row["sense"] == "yes", row["assertion"])
    return GoldMention(*told, row["status"], row["drawn"], int(row["reading"]), bool(row["unsure"]))
