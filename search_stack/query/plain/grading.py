"""Grades as notes write them: "Gustilo 3B" stands there as "Gustilo type IIIB", "stage 2" as "stage II"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from search_stack.language.alternation import any_of as one_of
from search_stack.query.nodes import Node, Phrase, Words
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow
from search_stack.query.tree import all_of, any_of
from search_stack.query.wording import wording

_ROMAN = ("i", "ii", "iii", "iv", "v", "vi")
_NOUN = r"(?:stage|grade|class|type|category|level|phase|degree)"
_FIGURE = re.compile(r"(?P<number>[1-6]|i{1,3}|iv|vi?)(?P<letter>[a-f]?)")
LETTERED = frozenset(("weber", "dukes", "dukes'", "stanford", "binet", "bclc"))
"""Scales whose grades are letters, of which "a" and "c" are words too."""
_RADS = re.compile(r"(?P<of>[a-z]+)-?rads")
_NUMBERED = ("rads", "rads category")
"""In Arabic figures only."""
_KIDNEY = re.compile(
    r"(?<!\w)(?P<name>ckd\s+(?:stage\s+|grade\s+)?)(?:g(?P<digit>[1-5])|(?P<roman>i{1,3}|iv|v))(?P<letter>[ab]?)(?!\w)",
    re.IGNORECASE,
)
"""By the rate of filtration, or in Roman figures: "CKD G3b", "CKD IIIb"."""
_SUM = re.compile(r"(?<!\w)[1-5]\s?\+\s?[1-5](?P<sum>\s?=\s?(?:10|[2-9]))(?![\w.])")
"""A score in two numbers, and what they come to: "Gleason 3+4=7"."""
_SHORT = re.compile(r"\s(?:\d{1,2}[a-f]?|[ivx]{1,4}[a-f]?|[a-f][1-3]?)(?!\w)")
"""What may be a grade, as any text that holds one has it."""
_BARE = re.compile(
    r"\s+(?=(?:[1-5][ab]?|i{1,3}|iv|v)\s*(?:$|[,;.)]|(?:and|or|with|on|in|after|without|needing|requiring|not|no)\s))",
    re.IGNORECASE,
)


@cache
def _graded() -> re.Pattern[str]:
    """A scale, or a word for a grade, and the grade behind it."""
    scale = rf"(?P<scale>{one_of(wording().scales)})(?:\s+(?P<noun>{_NOUN}))?"
    return re.compile(
        rf"(?<![\w-])(?:(?:{scale}|(?P<word>{_NOUN}))\s+(?P<grade>{_FIGURE.pattern}|[7-9]|10)"
        rf"|(?P<by_letter>{one_of(LETTERED)})\s+(?:{_NOUN}\s+)?(?P<lettered>[a-f][1-3]?))(?![\w./-])"
    )


def as_grades_are_written(text: str) -> Node | None:
    """``text`` with its grade as a phrase in either figures, and its other words; None where it holds no grade."""
    found = _graded().search(text) if _SHORT.search(text) else None
    if found is None:
        return None
    rest = " ".join(f"{text[: found.start()]} {text[found.end() :]}".split())
    node = any_of(Phrase(way) for way in dict.fromkeys(_ways(found)))
    return all_of([Words(rest), node]) if rest else node


def _ways(found: re.Match[str]) -> Iterator[str]:
    if scale := found["by_letter"]:
        yield from (f"{scale}{noun} {found['lettered']}" for noun in ("", f" {wording().scales[scale]}"))
        return
    for name in _names(found["scale"], found["noun"]) if found["scale"] else [found["word"]]:
        for grade in [found["grade"]] if name.endswith(_NUMBERED) else _figures(found["grade"]):
            yield f"{name} {grade}"


def _names(scale: str, noun: str | None) -> list[str]:
    usual = wording().scales[scale]
    rads = _RADS.fullmatch(scale)
    spelt = [f"{rads['of']}-rads", f"{rads['of']}rads"] if rads else [scale]
    return [f"{one}{behind}" for one in spelt for behind in dict.fromkeys(("", f" {usual}", f" {noun or usual}"))]


def _figures(grade: str) -> list[str]:
    """As it stands, and in the other figures: "3b", "iiib"."""
    found = _FIGURE.fullmatch(grade)
    if found is None:
        return [grade]
    number, letter = found["number"], found["letter"]
    other = _ROMAN[int(number) - 1] if number.isdigit() else str(_ROMAN.index(number) + 1)
    return [grade, f"{other}{letter}"]


def graded_without_a_word(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with the word for the grade of what is told by a number: "AKI 2" is stage 2 of it."""
    shadow = shadow.written(_KIDNEY, _in_digits)
    for both in list(_SUM.finditer(shadow.text)):
        shadow = s.left_aside(shadow, *both.span("sum"))
    if not _BARE.search(shadow.text):
        return shadow
    graded = {c.id: noun for name, noun in s.table.graded_as.items() if (c := s.known.lexicon.find(name))}
    for mention in reversed(s.known.named(shadow.text)):
        noun, found = graded.get(mention.concept), _BARE.match(shadow.text, mention.end)
        if noun and found:
            shadow = shadow.rewritten(*found.span(), f" {noun} ")
    return shadow


def _in_digits(found: re.Match[str]) -> str:
    number = found["digit"] or str(_ROMAN.index(found["roman"].lower()) + 1)
    return f"{found['name']}{number}{found['letter']}"
