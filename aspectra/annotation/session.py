"""One sitting: mention after mention, until all are judged or the reader stops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from aspectra.annotation.answers import Answers
from aspectra.annotation.mentions import ASSERTION_KEYS, NOT_MEANT, status_keys
from aspectra.annotation.places import Place, kind_of, place_of
from aspectra.annotation.screen import STOP, View, context
from search_stack.evaluation.datasets.gold import GoldMention
from search_stack.evaluation.datasets.own_notes import OwnNote
from search_stack.evaluation.tasks.gold import finding_at
from search_stack.language.arbiter.model import NONE
from search_stack.language.labeller import Labeller

UNSURE, BACK = "u", "b"
OTHER_KEYS = {UNSURE: "unsure", BACK: "back", STOP: "stop"}


class Shows(Protocol):
    """What a `Screen` does."""

    def show(self, view: View) -> None: ...

    def key(self) -> str: ...

    def forget(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Sitting:
    """What does not change while one judges."""

    notes: Mapping[str, OwnNote]
    labeller: Labeller
    answers: Answers[GoldMention]
    reading: int
    show: bool
    """Whether one sees what the labels say, once one has answered."""

    def judge(self, places: Sequence[Place], before: int, screen: Shows) -> int:
        """Ask for each of ``places``; every answer is written as it is given.

        Args:
            before: of as many the answers were there.

        Returns:
            How many are left.
        """
        left, done, said = list(places), before, ""
        while left:
            head = f"{done + 1} of {done + len(left)}"
            answer = self._ask(left[0], head, said, screen)
            if answer == STOP:
                break
            if isinstance(answer, GoldMention):
                self.answers.add(answer)
                left, done, said = left[1:], done + 1, self._labels(answer) if self.show else ""
            elif (taken := self._taken_back()) is not None:
                left, done, said = [place_of(taken), *left], done - 1, f"You said: {_words(taken)}."
            else:
                said = "There is nothing to go back to."
        return len(left)

    def _ask(self, place: Place, head: str, said: str, screen: Shows) -> GoldMention | str:
        """The answer, or `BACK` or `STOP`."""
        note = self.notes[place.note]
        view = View(
            f"{head}   {note.type}",
            context(note.text, place.begin, place.end),
            {"Concept": place.concept},
            said,
            _offered(),
        )
        keys = status_keys(kind_of(place, note.text, self.labeller))
        unsure, assertion = False, ""
        screen.forget()
        screen.show(view)
        while True:
            key = screen.key()
            key = "0" if key == "?" else key
            if key == STOP or (key == BACK and not assertion):
                return key
            if key == BACK:
                assertion = ""
            elif key == UNSURE:
                unsure = not unsure
            elif not assertion and key in ASSERTION_KEYS:
                assertion = ASSERTION_KEYS[key]
                if assertion == NOT_MEANT or not keys:
                    return self._answer(place, assertion, "", unsure)
            elif assertion and key in keys:
                return self._answer(place, assertion, keys[key], unsure)
            told = ", ".join(filter(None, (assertion, "unsure" if unsure else "")))
            screen.show(replace(view, said=told, keys={**keys, **OTHER_KEYS} if assertion else _offered()))

    def _answer(self, place: Place, assertion: str, status: str, unsure: bool) -> GoldMention:
        means = assertion != NOT_MEANT
        said = assertion if means else ""
        return GoldMention(*place.key, means, said, status, place.drawn, self.reading, unsure)

    def _taken_back(self) -> GoldMention | None:
        mine = self.answers.of(self.reading)
        taken = self.answers.take_back(self.reading) if mine and mine[-1].note in self.notes else []
        return taken[0] if taken else None

    def _labels(self, answer: GoldMention) -> str:
        findings = self.labeller.label(self.notes[answer.note].text).findings
        found = finding_at(answer, findings, self.labeller)
        said = ", ".join(filter(None, (found.assertion, found.status))) if found else NONE
        return f"The one before: you said {_words(answer)}; the labels say {said}."


def _offered() -> dict[str, str]:
    return {**ASSERTION_KEYS, **OTHER_KEYS}


def _words(answer: GoldMention) -> str:
    said = (answer.assertion or NOT_MEANT, answer.status, "unsure" if answer.unsure else "")
    return ", ".join(filter(None, said))
