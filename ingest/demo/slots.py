"""Invented patients, and the words that a template's slots stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from ingest.demo.files import phrases
from ingest.demo.prose import Chooser
from ingest.demo.schema import Sex
from search_stack.core.schema import Person

WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True)
class Patient:
    """Facts hold for all notes of the patient; a value may be a template."""

    patient_id: str
    sex: Sex
    birth: date
    facts: Mapping[str, str]

    @property
    def person(self) -> Person:
        return Person("female" if self.sex == "F" else "male", self.birth)


def age_on(birth: date, day: date) -> int:
    """Whole years."""
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))


def elapsed(begin: date, end: date) -> str:
    """The time between in words, as one says it: "five days", "three weeks", "18 months", "two years"."""
    days = (end - begin).days
    units = (("day", 1.0, 14), ("week", 7.0, 60), ("month", 30.4, 700), ("year", 365.25, 36525))
    unit, length = next((unit, length) for unit, length, below in units if days < below)
    count = max(1, round(days / length))
    spelled = WORDS[count] if count < len(WORDS) else str(count)
    return f"{spelled} {unit}{'' if count == 1 else 's'}"


def long_date(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"


class Slots:
    """Looks up a slot for one patient on one day; ``kept`` holds the patient's numbers from note to note."""

    def __init__(
        self, patient: Patient, dates: Mapping[str, date], today: date, chooser: Chooser, kept: dict[str, str]
    ) -> None:
        self.patient = patient
        self._dates, self._today, self._chooser, self._kept = dates, today, chooser, kept
        age, facts = age_on(patient.birth, today), patient.facts
        person = phrases().pronouns[patient.sex]
        article = "an" if age in (8, 11, 18) or 80 <= age < 90 else "a"
        self._words: dict[str, str] = {
            **phrases().phrases,
            **facts,
            **person,
            "age": str(age),
            "man": person["man" if age >= 18 else "boy"],
            "an_age": f"{article} {age}-year-old",
            "today": long_date(today),
            "who": facts["first"] if age < 18 else f"{person['Mr']} {facts['last']}",
            "other": {"left": "right", "right": "left"}.get(facts.get("side", ""), ""),
        }

    def __call__(self, name: str) -> str:
        """Value of the slot ``name``.

        Raises:
            KeyError: no such slot.
        """
        kind, _, rest = name.partition(":")
        if not rest:
            return self._word(name)
        if kind in ("n", "f"):
            return self._number(kind, rest)
        if kind == "kept":
            return self._kept[rest]
        if kind in ("list", "join", "Join"):
            return _enumerate(self._word(rest).split("; "), kind)
        begin = self._dates[rest]
        if kind == "days":
            return str((self._today - begin).days)
        return {"m": f"{begin:%B %Y}", "d": long_date(begin), "since": elapsed(begin, self._today)}[kind]

    def kept(self, label: str) -> str | None:
        """The number that the patient's notes so far name so."""
        return self._kept.get(label)

    def _number(self, kind: str, spec: str) -> str:
        bounds, _, label = spec.partition("=")
        least, most = map(float, bounds.split("-"))
        if label in self._kept:
            return self._kept[label]
        rng = self._chooser.rng
        drawn = str(rng.randint(int(least), int(most))) if kind == "n" else f"{rng.uniform(least, most):.1f}"
        if label:
            self._kept[label] = drawn
        return drawn

    def _word(self, name: str) -> str:
        if name in self._words:
            return self._words[name]
        return _capital(self._words[name[0].lower() + name[1:]])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _enumerate(items: list[str], kind: str) -> str:
    if kind == "list":
        return "".join(f"\n- {_capital(item)}" for item in items)
    joined = items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
    return _capital(joined) if kind == "Join" else joined
