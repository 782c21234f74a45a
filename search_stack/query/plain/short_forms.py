"""Short and misspelt forms written out: "R hip", "DRESS", "K > 6", "familiy history", "pre-eclampsia"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, partial

from search_stack.language.lexicon.english import english
from search_stack.language.lexicon.initials import AFTER, LETTERS_BETWEEN, Initials, initials
from search_stack.query.items import Notice
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import WORD, Shadow
from search_stack.query.wording import SHORTEST_DECIDING

SIDE = re.compile(
    r"(?<![\w.'/-])(?P<side>[RLrl]|[Rr][Tt]|[Ll][Tt])\b\.?(?!\s+(?:home\s+)?(?:oxygen|nasal|nc)(?!\w))(?=\s+(?P<of>[^\W\d_]{3,}))"
)
_SIDE_BEHIND = re.compile(r"(?<=[^\W\d_])\s+(?P<side>[RL])(?=\s*(?:$|[,;.)]))")
_HAVE_SIDES = ("disorder", "symptom", "procedure", "device")
_SMALL = frozenset("rl")
"""Letters that are a side only before a part of the body: "r ankle", not "l dopa"."""
_SIDES = {"r": "right", "rt": "right", "l": "left", "lt": "left"}
"""Before a part of the body: "R hip", "lt breast ca"."""
TORN = re.compile(
    r"(?<![\w-])(hyper|hypo|thrombo|gastro|entero|pneumo|ha?emo|neuro|osteo|endo|peri|myo|cardio)\s([^\W\d_]{5,})(?![\w-])",
    re.IGNORECASE,
)
HYPHENED = re.compile(r"(?<![\w-])([^\W\d_]{2,8})-([^\W\d_]{4,})(?![\w-])")
_VOWEL = re.compile(r"[aeiouy]", re.IGNORECASE)
"""What has none is no word, but a short form."""
_OPERATORS = ("and", "or", "not", "no")
_COMPARED_BEFORE = re.compile(
    r"(?:[<>≤≥]=?|\b(?:over|under|above|below|than|least|most))\s*\d[\d.,]*\s?$", re.IGNORECASE
)
"""Behind a number that is compared stands its unit: "> 500 ms"."""


def measured(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with short forms of tests before what compares, not inside longer names: "ionized calcium"."""
    if not s.table.measured.search(shadow.text):
        return shadow
    named = [p for m in s.known.named(shadow.text) for p in m.parts]

    def make(found: re.Match[str]) -> str:
        begin, end = found.span("what")
        inside = any(b <= begin and end <= e and e - b > end - begin for b, e in named)
        return found[0] if inside else s.table.measured_of[found["what"].lower()]

    return shadow.written(s.table.measured, make)


def whole_name(found: re.Match[str], meant: str) -> str:
    """``meant``, unless what it begins with stands there: "pancreatic pseudocyst"."""
    before, _, _ = meant.partition(found[0].lower())
    return found[0] if before and found.string[: found.start()].lower().endswith(before) else meant


def spelt(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with the words that decide what is asked as they are spelt: "familiy history"."""

    def make(found: re.Match[str]) -> str:
        typed, word = found[0], found[0].casefold()
        if word in english() or word in s.known.vocabulary or len(word) < SHORTEST_DECIDING:
            return typed
        meant = next(iter(s.table.deciding.suggestions(word)), None)
        if meant is None:
            return typed
        s.reading.notices.append(Notice("spelling", f'"{typed}" was read as {meant}.', typed))
        return meant

    return shadow.written(WORD, make)


def side_of(s: Stretch, found: re.Match[str]) -> str:
    """A side before what has one, or a name of what has: "R hip", "L AKA"."""
    named = found["side"] not in _SMALL and s.known.beginning(found.string, found.start("of"), *_HAVE_SIDES)
    sided = _is_sided(s, found["of"]) or named
    return _SIDES[found["side"].lower()] if sided else found[0]


def sides_behind(s: Stretch, shadow: Shadow) -> Shadow:
    """ "THR L" likewise."""
    for found in reversed(list(_SIDE_BEHIND.finditer(shadow.text))):
        if s.known.ending(shadow.text, found.start(), *_HAVE_SIDES):
            shadow = shadow.rewritten(*found.span("side"), _SIDES[found["side"].lower()])
    return shadow


def _is_sided(s: Stretch, word: str) -> bool:
    return word.lower() in ("sided", "side") or s.is_part(word)


def shouted(s: Stretch) -> bool:
    """Whether capitals say nothing: the line has no small letter, and is not of short forms alone."""
    if s.line.upper() != s.line:
        return False
    short = {*s.known.abbreviations.folded, *map(str.casefold, s.table.abbreviated), *_OPERATORS}
    return any(word.casefold().rstrip("-") not in short for word in WORD.findall(s.line) if _VOWEL.search(word))


def in_letters(shadow: Shadow) -> Shadow:
    """ "F/C/N/V" as what its letters stand for, side by side.

    >>> lines = "abd pain/N/V", "no f/c, cough", "d/c n/c"
    >>> [in_letters(Shadow.of(line, 0, len(line))).text for line in lines]
    ['abd pain, nausea, vomiting', 'no fever, chills, cough', 'd/c n/c']
    """
    if LETTERS_BETWEEN.isdisjoint(shadow.text):
        return shadow
    for row, pattern in _initials():
        shadow = shadow.written(pattern, partial(_meant, row))
    return shadow


@cache
def _initials() -> Sequence[tuple[Initials, re.Pattern[str]]]:
    """The rows that name what may be there, with the mark before them: "pain/n/v"."""
    rows = (row for row in initials() if not row.denies)
    return [(row, re.compile(f"(?P<{AFTER}>(?<=\\w)/)?{row.written.pattern}", re.IGNORECASE)) for row in rows]


def _meant(row: Initials, found: re.Match[str]) -> str:
    names = ", ".join(concept.replace("-", " ") for concept in row.concepts(found))
    return f"{', ' if found[AFTER] else ''}{names}" if names else found[0]


def torn(s: Stretch, found: re.Match[str]) -> str:
    """ "Hyper tension" as one word, where that is a name."""
    return whole if s.known.lexicon.find(whole := found[1] + found[2]) else found[0]


def one_word(s: Stretch, found: re.Match[str]) -> str:
    """ "Pre-eclampsia" as the lexicon writes it."""
    whole = found[1] + found[2]
    return whole if whole.casefold() in s.known.vocabulary else found[0]


def abbreviated(s: Stretch, shadow: Shadow) -> Shadow:
    loud = shouted(s)

    def make(found: re.Match[str]) -> str:
        typed, senses = found[0], s.table.abbreviates(found[0], s.line)
        if loud and not {typed.lower(), typed.lower().removesuffix("s")} & s.table.abbreviated.keys():
            return typed  # "IT", where nothing tells capitals that are meant
        if senses is None or _COMPARED_BEFORE.search(found.string, 0, found.start()):
            return typed
        (meant, other), (begin, end) = senses, shadow.span(*found.span())
        if any(one and _begins_with(found, one) for one in (meant, other)):
            return typed  # "anorexia nervosa" is written in full
        as_typed = s.typed(begin, end)
        typed = as_typed if as_typed.lower() == typed.lower() else typed
        line = s.instead(begin, end, other or f"words:{typed}")
        told = f"{typed} was read as {meant}.{f' Did you mean {other}?' if other else ''}"
        s.reading.notices.append(Notice("abbreviation", told, typed, line))
        *first, last = meant.split()
        again = re.match(rf"\s+{last}s?(?!\w)", found.string[found.end() :], re.IGNORECASE)
        return " ".join(first) if again and first else meant  # "DRESS syndrome"

    return shadow.written(s.table.abbreviations, make)


def _begins_with(found: re.Match[str], name: str) -> bool:
    """Whether the name that begins with what was found stands there."""
    whole = rf"{re.escape(found[0])}(?=\s)" + r"\s+".join(["", *map(re.escape, name.split()[1:])]) + r"(?!\w)"
    return " " in name and re.match(whole, found.string[found.start() :], re.IGNORECASE) is not None
