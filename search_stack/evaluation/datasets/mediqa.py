"""Questions with answers that a system ranked and people judged: the files of MEDIQA 2019, task 3.

Ben Abacha, Shivade and Demner-Fushman, Overview of the MEDIQA 2019 Shared Task, BioNLP 2019.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.xml_lines import Placed, parse

CORRECT = 3
"""The least reference score of a correct answer: 3 is correct but incomplete, 4 excellent."""
HEADING = 160
"""Characters within which a colon ends the heading that an answer begins with."""


@dataclass(frozen=True, slots=True)
class Answer:
    id: str
    text: str
    system_rank: int
    """Its place in the list of the system that found it, from 1."""
    reference_rank: int
    score: int
    """1 to 4."""

    @property
    def correct(self) -> bool:
        return self.score >= CORRECT

    @property
    def heading(self) -> str:
        """What the answer was about in its source: what stands before the first colon; empty where none is near."""
        found = self.text.find(":", 0, HEADING)
        return self.text[:found].strip() if found > 0 else ""

    @property
    def body(self) -> str:
        return self.text[len(self.heading) :].lstrip(": \n")


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    text: str
    answers: tuple[Answer, ...]
    """In the system's order."""


def load(files: Iterable[Path]) -> list[Question]:
    """The questions of all ``files``.

    Raises:
        AspectraError: a file cannot be read, is no such XML, or an answer lacks something or stands there twice; the
            message names the line.
    """
    found = [question for file in files for question in _questions(file)]
    if not found:
        raise AspectraError("The files hold no question.", "Give files of MEDIQA 2019, task 3: Question, AnswerList.")
    return found


def _questions(file: Path) -> list[Question]:
    placed = parse(file, "MEDIQA 2019, task 3")
    return [_question(placed, node) for node in placed.root.iter("Question")]


def _question(placed: Placed, node: Element) -> Question:
    id_ = node.get("QID", "")
    place = f"{placed.place(node)}: question {id_ or '?'}"
    text = (node.findtext("QuestionText") or "").strip()
    if not id_ or not text:
        raise AspectraError(f"{place} has no QID or no QuestionText.", "Add it.")
    answers = sorted((_answer(placed, id_, one) for one in node.iter("Answer")), key=lambda a: a.system_rank)
    if not answers:
        raise AspectraError(f"{place} has no Answer.", "Leave the question out.")
    if len({a.id for a in answers}) < len(answers):
        raise AspectraError(f"{place} has two answers with one AID.", "Give each its own.")
    return Question(f"{placed.file.stem}:{id_}", text, tuple(answers))


def _answer(placed: Placed, question: str, node: Element) -> Answer:
    id_ = node.get("AID", "")
    place = f"{placed.place(node)}: question {question}, answer {id_ or '?'}"
    text = (node.findtext("AnswerText") or "").strip()
    if not id_ or not text:
        raise AspectraError(f"{place}: no AID or no AnswerText.", "Add it.")
    ranks = [_number(place, node, name) for name in ("SystemRank", "ReferenceRank", "ReferenceScore")]
    return Answer(id_, text, *ranks)


def _number(place: str, node: Element, name: str) -> int:
    value = node.get(name, "")
    if not value.isdecimal() or int(value) < 1:
        raise AspectraError(f"{place}: {name} is no number from 1.", "Write it as a whole number.")
    return int(value)
