"""The tokens of a sentence as triggers are looked for in them."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import pairwise

from search_stack.language.assertion.marks import ANSWERS, signed
from search_stack.language.assertion.predicates import CONTRACTED
from search_stack.language.assertion.table import TOKEN, class_of
from search_stack.language.sentences import LEADERS, NAMED_BY_LETTER

_IN_NAME = "_"
_LETTER = "abc"
"""Stands for each token of a name of letters: a word that no trigger holds."""
_GAP = re.compile(r"[ \t]*(?:\t|[ ]{2})[ \t]*")
_MARKER = re.compile(r"\s*\(?(?:\d{1,2}|[a-zA-Z])[.)]\s+")
"""The number of an item of a list."""
SWITCHED = "⇒"
"""Stands between a drug and the one that takes its place, for triggers."""
SWITCHES = frozenset(
    ("change", "switch", "swap", "replace", "convert", "changing", "switching", "swapping", "replacing")
)
SWITCHED_FROM = frozenset(("changed", "switched", "swapped", "converted", "transitioned", *SWITCHES))
"""Before "from" and the drug of before."""
INSTEAD = frozenset(("to", "for", "with", "→"))
ALIASES = {"prev": "previous"}
"""Short forms that triggers know by their long ones."""
SHORTENED = (("prev",), ("hx",), ("poss",), ("prob",), ("susp",), ("e", ".", "g"), ("i", ".", "e"))
"""Words that a full stop shortens, wherever it stands."""
TITLES = frozenset(("Dr", "Mr", "Mrs", "Ms"))
"""Likewise before a name; "MR" and "MS" are none."""
SPECIES = 4
"""Letters of a species' name, at least."""
RESULTS = frozenset(
    ("neg", "negative", "pos", "positive", "detected", "isolated", "reactive", "nonreactive", "nil", "absent")
)
"""Behind one of these a slash parts two statements, and in a row of them a wide gap."""
ACTIONS = frozenset(
    ("stop", "stopped", "withhold", "withheld", "hold", "held", "discontinue", "discontinued", "cease", "ceased")
)
"""What became of a drug, in a column of its own."""
SAID = {"no": "…-", "nil": "…-", "yes": "…+"}
"""Answers, as the signs of shorthand."""
UNITS = frozenset(("iu", "units", "unit", "u", "mg", "mcg", "ml", "cc", "kcal", "g"))


def unbroken(
    tokens: list[str], places: Sequence[tuple[int, int]], starts: Sequence[int], ends: Sequence[int]
) -> list[str]:
    """The tokens without what says nothing in a name: full stops of initials, where no clause ends, "C. diff toxin was
    negative", and names of letters alone, whose "n" is no answer: "fever, n/v"."""
    inside = {n for first, last in places for n in range(first + 1, last) if tokens[n] == "."}
    said = {n: _IN_NAME for n in inside if len(tokens[n - 1]) == 1 and ends[n - 1] == starts[n]}
    for first, last in places:
        if last > first and all(len(token) == 1 for token in tokens[first : last + 1]):
            said |= dict.fromkeys(range(first, last + 1), _LETTER)
    return [said.get(n, token) for n, token in enumerate(tokens)] if said else tokens


def switched(tokens: list[str], drugs: Sequence[tuple[int, int]]) -> list[str]:
    """The tokens with one sign for what stands between a drug and the one that takes its place: "change ramipril to
    losartan", "citalopram → sertraline"."""
    firsts = {first for first, _ in drugs}
    out = tokens
    for first, last in drugs:
        at = last + 1
        told = tokens[at : at + 1] == ["→"] or (tokens[first - 1] in SWITCHES if first else False)
        told = told or (first > 1 and tokens[first - 1] == "from" and tokens[first - 2] in SWITCHED_FROM)
        if told and at + 1 in firsts and tokens[at] in INSTEAD:
            out = [*out[:at], SWITCHED, *out[at + 1 :]]
    return out


def answered(tokens: list[str], lasts: Set[int]) -> list[str]:
    """The tokens, with answers as signs where each stands right behind what it answers and one of them ends the
    sentence: "chest pain no SOB no"."""
    at = [n + 1 for n in sorted(lasts) if tokens[n + 1 : n + 2] and tokens[n + 1] in SAID]
    end = len(tokens) - (tokens[-1:] == ["."])
    if len(at) < 2 or at[-1] != end - 1:
        return tokens
    return [SAID[word] if n in at else word for n, word in enumerate(tokens)]


def tokenized(
    text: str, begin: int, end: int, lead: tuple[int, int] = (0, 0)
) -> tuple[list[str], list[int], list[int]]:
    """The tokens of a sentence as triggers are matched against them, and where in ``text`` each begins and ends."""
    marker = _MARKER.match(text, begin, end) if lead[1] else None  # No sentence ends there: "call if: 1. fever".
    words = [*TOKEN.finditer(text, *lead), *TOKEN.finditer(text, marker.end() if marker else begin, end)]
    starts, ends = [w.start() for w in words], [w.end() for w in words]
    plain = (w[0].lower().replace("’", "'") for w in words)
    tokens = signed([CONTRACTED.get(word, ALIASES.get(word, word)) for word in plain], starts, ends)
    for n, (token, unit) in enumerate(pairwise(tokens)):
        if unit in UNITS and class_of(token) == "{year}":
            tokens[n] = "1"  # No year but a dose: "vitamin D 2000 IU".
    at = sum(start < lead[1] for start in starts)
    if at and tokens[at : at + 1] and tokens[at].isdigit() and tokens[at + 1 : at + 2] == ["."]:
        tokens[at + 1] = _IN_NAME  # The number of an item, over which the words before the list hold.
    tokens, starts, ends = _without_stops_of_short_forms(text, tokens, starts, ends)
    if "/" in tokens:
        tokens = _parted(tokens, starts, ends)
    if "  " in text[begin:end] or "\t" in text[begin:end]:
        tokens, starts, ends = _in_cells(text, tokens, starts, ends)
    stops = [n for n, word in enumerate(tokens) if word == "."]
    for n in stops:
        if _is_of_species(text, tokens, starts, ends, n):
            tokens[n] = _IN_NAME
    return _led(tokens, starts, ends) if len(stops) >= LEADERS else (tokens, starts, ends)


def _parted(tokens: list[str], starts: Sequence[int], ends: Sequence[int]) -> list[str]:
    """The tokens with the end of a statement for a slash between two results: "flu A neg / RSV pos"."""
    return [
        ";"
        if 0 < n < len(tokens) - 1
        and word == "/"
        and tokens[n - 1] in RESULTS
        and tokens[n + 1] not in RESULTS
        and ends[n - 1] < starts[n]
        and ends[n] < starts[n + 1]
        else word
        for n, word in enumerate(tokens)
    ]


def _in_cells(
    text: str, tokens: list[str], starts: list[int], ends: list[int]
) -> tuple[list[str], list[int], list[int]]:
    """The tokens with the end of a statement behind a result or an action that a wide gap parts from the next cell:
    "blood NEG  protein NEG", "metformin 1 g bd  STOP  eGFR 24"."""
    wide = [_GAP.fullmatch(text, end, start) is not None for end, start in zip(ends, starts[1:], strict=False)]
    results = [n for n, gap in enumerate(wide) if gap and tokens[n] in RESULTS]
    cells = {n for n, gap in enumerate(wide) if gap and n and wide[n - 1] and tokens[n] in ACTIONS}
    cells |= {*results} if len(results) > 1 else set()
    if not cells:
        return tokens, starts, ends
    kept: list[tuple[str, int, int]] = []
    for n, token in enumerate(tokens):
        kept.append((token, starts[n], ends[n]))
        if n in cells:
            kept.append((";", ends[n], ends[n]))
    return [k[0] for k in kept], [k[1] for k in kept], [k[2] for k in kept]


def _is_of_species(text: str, tokens: Sequence[str], starts: Sequence[int], ends: Sequence[int], stop: int) -> bool:
    """Whether the full stop shortens a genus before its species: "no E. coli or C. difficile"."""
    if not 0 < stop < len(tokens) - 1 or ends[stop - 1] != starts[stop] or len(tokens[stop - 1]) != 1:
        return False
    species = text[starts[stop + 1] : ends[stop + 1]]
    capital = text[starts[stop - 1] : ends[stop - 1]].isupper()
    named = stop > 1 and tokens[stop - 2] in NAMED_BY_LETTER
    return capital and len(species) >= SPECIES and species.isalpha() and species.islower() and not named


def _without_stops_of_short_forms(
    text: str, tokens: list[str], starts: list[int], ends: list[int]
) -> tuple[list[str], list[int], list[int]]:
    """The tokens without the full stops that shorten a word, where no clause ends: "no hx. of stroke", "e.g. AKI",
    "start Ms. Smith on"."""
    gone: set[int] = set()
    for n, word in enumerate(tokens):
        if word != "." or n + 1 == len(tokens) or ends[n - 1] != starts[n]:
            continue
        if text[starts[n - 1] : ends[n - 1]] in TITLES:
            gone.add(n)
        for short in SHORTENED:
            begin = n - len(short)
            if begin >= 0 and tuple(ALIASES.get(w, w) for w in short) == tuple(tokens[begin:n]):
                gone |= {n, *(at for at in range(begin, n) if tokens[at] == ".")}
    if not gone:
        return tokens, starts, ends
    kept = [n for n in range(len(tokens)) if n not in gone]
    return [tokens[n] for n in kept], [starts[n] for n in kept], [ends[n] for n in kept]


def _led(tokens: list[str], starts: list[int], ends: list[int]) -> tuple[list[str], list[int], list[int]]:
    """The tokens with the dots of a form, which lead from an item to its answer, as a colon: "murmur ....... no"."""
    kept: list[tuple[str, int, int]] = []
    n = 0
    while n < len(tokens):
        past = n
        while past < len(tokens) and tokens[past] == ".":
            past += 1
        if past - n >= LEADERS and past < len(tokens) and tokens[past] in ANSWERS:
            kept.append((":", starts[n], ends[past - 1]))
        else:
            past = max(past, n + 1)
            kept += zip(tokens[n:past], starts[n:past], ends[n:past], strict=True)
        n = past
    return [k[0] for k in kept], [k[1] for k in kept], [k[2] for k in kept]
