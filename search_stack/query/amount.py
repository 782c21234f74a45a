"""An amount that plain words ask for, "creatinine over 3", and whether a passage tells one: to rank by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from search_stack.language.lexicon.concepts import Lexicon

_ABOVE = r">|over|above|(?:more|greater|higher|larger|bigger|longer|heavier)\s+than|exceeding|in\s+excess\s+of"
_FROM = r">=|≥|at\s+least|not\s+less\s+than|no\s+less\s+than"
_BELOW = r"<|under|below|(?:less|lower|smaller|fewer|shorter)\s+than"
_TO = r"<=|≤|at\s+most|not\s+more\s+than|no\s+more\s+than|up\s+to"
_NUMBER = r"\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?"
_UNITS = {
    "volume": {
        "ml": 1.0,
        "cc": 1.0,
        "milliliter": 1.0,
        "millilitre": 1.0,
        "l": 1000.0,
        "liter": 1000.0,
        "litre": 1000.0,
    },
    "length": {"mm": 1.0, "millimeter": 1.0, "cm": 10.0, "centimeter": 10.0},
    "share": {"%": 1.0, "percent": 1.0, "per cent": 1.0},
}
_OF_UNIT = {name: (kind, factor) for kind, names in _UNITS.items() for name, factor in names.items()}
_UNIT = "|".join(re.escape(name) + ("" if name == "%" else r"s?\b") for name in sorted(_OF_UNIT, key=len, reverse=True))
_OF_TIME = re.compile(
    r"\s*(?:-\s*)?(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|yrs?|times|x)\b", re.IGNORECASE
)
_ASKED = re.compile(
    rf"(?P<what>[^,;:]*?)\s*(?:(?P<from>{_FROM})|(?P<to>{_TO})|(?P<above>{_ABOVE})|(?P<below>{_BELOW}))"
    rf"\s*(?:(?P<number>{_NUMBER})(?![\d/])|an?\b)\s*(?P<unit>{_UNIT})?",
    re.IGNORECASE,
)
_TOLD = re.compile(
    rf"(?P<than>{_ABOVE}|{_BELOW})?\s*(?<![\w./])(?P<first>{_NUMBER})(?:\s*(?:%|(?:{_UNIT}))?\s*(?:-|–|to)\s*(?P<second>{_NUMBER}))?"
    rf"(?![\d/]|\.\d)\s*(?P<unit>{_UNIT})?",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?:[^.;\n]|\.(?=\d))+")
_GAP = re.compile(r"[^,;\d]{0,40}", re.IGNORECASE)
_WORD = re.compile(r"[a-z0-9]+")
MOST_WORDS = 4
"""Words before the comparison that may name the quantity."""


@dataclass(frozen=True, slots=True)
class Amount:
    """More or less of a quantity than a number."""

    names: tuple[str, ...]
    """What the quantity is called, in small letters."""
    above: bool
    """Whether more is asked for, or less."""
    number: float
    inclusive: bool = False
    kind: str = ""
    """Of its unit; empty where the line has none that is known: the number then stands behind the name."""

    def tells(self, heading: str, text: str) -> bool:
        """Whether a passage says so in one of its sentences, or under its heading.

        >>> amount = Amount(("creatinine",), True, 3.0)
        >>> amount.tells("LABS", "BUN of 69, creatinine of 5.2."), amount.tells("LABS", "Creatinine 1.1, BUN 45.")
        (True, False)
        """
        # Few passages have the words of a name at all; the rest takes its time.
        there = f"{heading} {text}".lower()
        if not any(all(word in there for word in name) for name in _words(self.names)):
            return False
        return any(self.within(sentence) for sentence in sentences(heading, text))

    def within(self, sentence: str) -> bool:
        """Whether one of `sentences` says so."""
        if not any(c.isdigit() for c in sentence):
            return False
        if self.kind:
            said = set(map(_stem, _WORD.findall(sentence)))
            if not any({_stem(w) for w in _WORD.findall(name)} <= said for name in self.names):
                return False
            return any(self._is(found) for found in _TOLD.finditer(sentence))
        named = "|".join(rf"{re.escape(name)}s?" for name in sorted(self.names, key=len, reverse=True))
        for name in re.finditer(rf"(?<![\w-])(?:{named})(?![\w-])", sentence):
            gap = _GAP.match(sentence, name.end())
            found = _TOLD.search(sentence, name.end(), len(sentence)) if gap else None
            if gap and found and found.start("first") <= gap.end() and self._is(found):
                return True
        return False

    def _is(self, found: re.Match[str]) -> bool:
        kind, factor = _OF_UNIT.get(_unit(found["unit"]), ("", 1.0))
        if kind != self.kind and (self.kind or kind != "share"):
            return False
        if _OF_TIME.match(found.string, found.end()):
            return False
        numbers = [_value(found[part]) * factor for part in ("first", "second") if found[part]]
        number = min(numbers) if self.above else max(numbers)
        than = found["than"] or ""
        beyond = bool(re.fullmatch(_ABOVE if self.above else _BELOW, than, re.IGNORECASE))
        if number == self.number:
            return self.inclusive or beyond
        return number > self.number if self.above else number < self.number


def asked_amount(line: str, lexicon: Lexicon) -> Amount | None:
    """The amount that ``line`` asks for of a quantity that the lexicon names; None where it asks for none, or for a
    time or an age.

    >>> from search_stack.language.lexicon.load import load_lexicon
    >>> amount = asked_amount("blood loss more than a liter", load_lexicon(None))
    >>> amount.number, amount.kind, "blood loss" in amount.names
    (1000.0, 'volume', True)
    """
    found = _ASKED.search(line)
    if not found or _OF_TIME.match(line, found.end()):
        return None
    names = _names(found["what"], lexicon)
    kind, factor = _OF_UNIT.get(_unit(found["unit"]), ("", 1.0))
    if not names or not (found["number"] or kind):
        return None
    number = _value(found["number"]) * factor if found["number"] else factor
    return Amount(names, bool(found["above"] or found["from"]), number, bool(found["from"] or found["to"]), kind)


def _names(what: str, lexicon: Lexicon) -> tuple[str, ...]:
    """What the last words before the comparison name, most words first."""
    words = what.split()
    if words and words[-1].lower() in ("is", "was", "of", "level", "levels"):
        words = words[:-1]
    for take in range(min(MOST_WORDS, len(words)), 0, -1):
        typed = " ".join(words[-take:])
        concept = lexicon.find(typed)
        if concept and concept.kind != "anatomy":
            known = (typed, *concept.names, *concept.abbreviations)
            return tuple(dict.fromkeys(name.lower() for name in known))
    return ()


@lru_cache(maxsize=64)
def _words(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Of each name, its words without the s of a plural."""
    return tuple(tuple(word.removesuffix("s") for word in _WORD.findall(name)) for name in names)


def sentences(heading: str, text: str) -> Iterator[str]:
    """In small letters; the first behind the heading."""
    for n, found in enumerate(_SENTENCE.finditer(text)):
        yield f"{heading}: {found[0]}".lower() if n == 0 else found[0].lower()


def _unit(word: str | None) -> str:
    """
    >>> _unit("Liters"), _unit("%"), _unit(None)
    ('liter', '%', '')
    """
    plain = " ".join((word or "").lower().split())
    return plain if plain in _OF_UNIT else plain.removesuffix("s")


def _stem(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word


def _value(number: str) -> float:
    return float(number.replace(",", ""))
