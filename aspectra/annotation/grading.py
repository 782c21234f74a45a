"""Passages graded at the terminal, one after the other, without a look at what brought them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from aspectra.annotation.answers import Answers, Book
from aspectra.annotation.screen import STOP, View, passage
from aspectra.annotation.session import BACK, Shows
from search_stack.core.schema import Hit
from search_stack.evaluation.datasets.judgments import COLUMNS, Asked, Judgment, read, row_of

BOOK = Book("judged passages", COLUMNS, read, row_of)
KEYS = {"2": "answers it", "1": "partly", "0": "not", BACK: "back", STOP: "stop"}


@dataclass(frozen=True, slots=True)
class Question:
    """A passage to be graded for a query; the same text under the same heading in several notes is graded once."""

    asked: Asked
    hits: tuple[Hit, ...]

    def judgments(self, grade: int, reading: int) -> list[Judgment]:
        one = self.asked
        return [Judgment(one.query, one.kind, h.note_id, h.begin, h.end, grade, reading) for h in self.hits]

    @property
    def places(self) -> set[tuple[str, str, int, int]]:
        """As `Judgment.place` has them."""
        return {j.place for j in self.judgments(0, 1)}


def questions(asked: Asked, hits: Iterable[Hit], seed: int) -> list[Question]:
    """``hits`` by their texts, in an order that tells nothing of their ranks."""
    by_text: dict[tuple[str, str], list[Hit]] = {}
    for hit in hits:
        by_text.setdefault((" ".join(hit.text.split()), hit.section), []).append(hit)
    found = [Question(asked, tuple(own)) for own in by_text.values()]
    found.sort(key=lambda q: min(q.places))
    random.Random(f"{seed} {asked.query}").shuffle(found)
    return found


def to_grade(
    pool: Iterable[Question],
    judged: Set[tuple[str, str, int, int]],
    first: Set[tuple[str, str, int, int]] | None,
) -> list[Question]:
    """Those that are not ``judged`` yet; of a second reading those that the ``first`` has."""
    return [q for q in pool if not q.places <= judged and (first is None or q.places <= first)]


def grade(todo: Sequence[Question], done: int, answers: Answers[Judgment], reading: int, screen: Shows) -> int:
    """Ask for a grade of each of ``todo``; every one is written as it is given.

    Args:
        done: of as many the grades were there.

    Returns:
        How many are left.
    """
    at, said = 0, ""
    while at < len(todo):
        question = todo[at]
        hit, asked = question.hits[0], question.asked
        heading = " | ".join(filter(None, (hit.title, hit.section))) or hit.note_type or "passage"
        about = {"Query": asked.query, **({"Need": asked.need} if asked.need else {})}
        view = View(f"{done + at + 1} of {done + len(todo)}", passage(hit.text, heading), about, said, KEYS)
        screen.forget()
        screen.show(view)
        key = screen.key()
        while key not in KEYS:
            key = screen.key()
        if key == STOP:
            break
        if key != BACK:
            answers.add(*question.judgments(int(key), reading))
            at, said = at + 1, ""
        elif at and (taken := answers.take_back(reading, len(todo[at - 1].hits))):
            at, said = at - 1, f"You said: {KEYS[str(taken[0].grade)]}."
        else:
            said = "There is nothing to go back to."
    return len(todo) - at
