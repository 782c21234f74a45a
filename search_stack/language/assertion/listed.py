"""Where a list of what is denied ends before something that is there: "no fracture, swelling since Monday".

Commas join what is denied, "no fever, chills", and statements too; what has its own size, side, number, time or drug is
a statement. In a question of two items at most: who asks for more writes one list.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence, Set
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

from search_stack.language.assertion.clauses import COMMAS, LINKS, is_stop
from search_stack.language.assertion.table import class_of, words

ALTERNATIVES = frozenset(("or", "nor"))
"""They join items of a denial: behind them nothing ends the list."""
PREDICATED = frozenset(("to", "about", "on", "gait", "affect", "rif", "lif", "ruq", "rlq", "luq", "llq", "epigastrium"))
"""Behind such a word it is still said of somebody, or of a part of the body."""
LONGEST = 12
"""Words of an item that is looked at, at most."""
VERBAL = frozenset(("not", "never", "didn't", "doesn't", "don't", "hasn't", "haven't", "hadn't", "refuses"))
"""Denials of what somebody does or is."""
BESIDE = frozenset(("did", "does", "do", "is", "was", "has", "could", "on", "taking", "yet"))
"""Words that such a denial may have besides; "does not have" denies things."""
SUCH = frozenset(("such", "including", "like", "e"))
TEST = ("negative for", "neg for")
OWN = frozenset(("no", "has no", "had no", "no new", "no focal", "no acute", "no obvious", "no significant"))
"""Denials that are seldom said of a list of complaints, unlike "denies"."""
MEASURES = frozenset(("cm", "mm", "%", "mg", "mcg", "ml", "degrees", "ppd", "packs", "beers", "drinks"))
SIZES = frozenset(("cm", "mm"))
COMPARED = frozenset(
    (">", "<", "over", "above", "than", "type", "within", "in", "last", "past", "least", "most", "pillow")
)
"""Before a number they say of what there is nothing: "no fever, temperature over 38"."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of `listed.toml`, phrases as their tokens."""

    opens: frozenset[tuple[str, ...]]
    but: frozenset[tuple[str, ...]]
    sides: frozenset[tuple[str, ...]]
    predicates: frozenset[tuple[str, ...]]
    states: frozenset[tuple[str, ...]]
    places: frozenset[tuple[str, ...]]
    seen: frozenset[tuple[str, ...]]
    does: frozenset[tuple[str, ...]]
    lacks: frozenset[tuple[str, ...]]


def read_listed() -> dict[str, Any]:
    """The table as it stands in the file, with its examples."""
    return tomllib.loads((files("search_stack.language.assertion") / "listed.toml").read_text(encoding="utf-8"))


@cache
def shipped_words() -> Words:
    raw = read_listed()
    raw["but"] = raw["but"]["words"]
    return Words(**{f.name: frozenset(tuple(words(p)) for p in raw[f.name]) for f in fields(Words)})


def before_what_is_there(
    tokens: Sequence[str], begin: int, start: int, last: int, named: Set[int], drugs: Set[int]
) -> int:
    """Where the scope ``start`` to ``last`` of the denial at ``begin`` ends before what is there; else ``last``.

    Args:
        named: tokens at which a mention begins.
        drugs: those at which one of a drug does.
    """
    table = shipped_words()
    first = True
    for n in range(start, last):
        if (
            tokens[n] == "with"
            and not named.isdisjoint(range(start, n))
            and _has_size(tokens, n + 1, last, named, table)
        ):
            return n
        if tokens[n] != "," or _has_alternatives(tokens, n, last, named):
            continue
        end = next((m for m in range(n + 1, len(tokens)) if tokens[m] in COMMAS or is_stop(tokens, m)), len(tokens))
        goes_on = tokens[n + 1 : n + 2] and tokens[n + 1] in SUCH  # "No complaints, such as pain".
        lacking = first and n > start and not goes_on and _is_no_finding(tokens, begin, start, n, named, table)
        if lacking or _is_there(tokens, begin, start, n + 1, min(end, n + 1 + LONGEST), drugs, table):
            return n
        first = False
    return last


def _has_size(tokens: Sequence[str], at: int, last: int, named: Set[int], table: Words) -> bool:
    """Whether what is named there has a size, also behind its side: "no cardiomegaly with bilateral small effusions",
    not "with mild exertion or dyspnea"."""
    at += _opens(tokens[at:last], table.sides)
    end = next((n for n in range(at, last) if tokens[n] in LINKS or tokens[n] in COMMAS), last)
    return _opens(tokens[at:last], table.opens) and not named.isdisjoint(range(at + 1, end))


def _has_alternatives(tokens: Sequence[str], begin: int, end: int, named: Set[int]) -> bool:
    """Whether they are joined there, also by a stroke before a name: "large effusion/pneumothorax"."""
    if not ALTERNATIVES.isdisjoint(tokens[begin:end]):
        return True
    return any(tokens[n] == "/" and n + 1 in named for n in range(begin, end - 1))


def _is_no_finding(tokens: Sequence[str], begin: int, start: int, comma: int, named: Set[int], table: Words) -> bool:
    """Whether the first that is denied is nothing that a list of findings could go on with."""
    denied = tokens[start:comma]
    if any(_holds(denied, phrase) for phrase in table.lacks):
        return True
    return _is_verbal(tokens[begin:start]) and named.isdisjoint(range(begin, comma))


def _is_verbal(denial: Sequence[str]) -> bool:
    """Whether it denies what somebody does or is, and no things."""
    return not VERBAL.isdisjoint(denial) and (VERBAL | BESIDE).issuperset(denial)


def _is_there(tokens: Sequence[str], begin: int, start: int, at: int, end: int, drugs: Set[int], table: Words) -> bool:
    """Whether the item ``at`` to ``end`` of a list of denials says by its words that it is there."""
    item = list(tokens[at:end])
    if not item:
        return False
    if _opens(item, table.opens) and not _opens(item[1:], table.but):
        return True
    denial = " ".join(tokens[begin:start])
    if denial in OWN and (_opens(item, table.sides) or any(_holds(item[1:], p) for p in table.places)):
        return True
    if VERBAL.isdisjoint(tokens[begin:start]) and _is_predicate(item, table):
        return True
    if _opens(item, table.does) or any(_holds(item[1:], phrase) for phrase in table.states):
        return True
    if (denial.startswith("den") or denial in TEST) and len(item) > 1 and (item[-1],) in table.seen:
        return True
    return _is_measured(item) or _is_treated(tokens, at, end, drugs)


def _is_predicate(item: Sequence[str], table: Words) -> bool:
    """Whether it says of somebody, or of a part of the body, how it is, and names nothing with that word."""
    n = next((n for n, word in enumerate(item[:2]) if (word,) in table.predicates), None)
    if n is None:
        return False
    behind = item[n + 1 : n + 2]
    return not behind or behind[0] in LINKS or behind[0] in PREDICATED or not behind[0][0].isalpha()


def _is_measured(item: Sequence[str]) -> bool:
    """Whether a number, a count or how long it has lasted stands behind the name, or its size before it."""
    if class_of(item[0]) and item[0] != "0" and item[1:2] and item[1] in SIZES:
        return True  # "No hydroureter, 6 mm stone, cyst".
    for n in range(1, len(item)):
        if class_of(item[n]) == "{year}" and item[n - 1] in ("in", "since"):
            return True
        if not class_of(item[n]) or item[n] == "0" or item[n - 1] in COMPARED:
            continue
        if item[n + 1 : n + 2] == ["."] and item[n + 2 : n + 3] and item[n + 2].isdigit():
            return True  # "Prediabetes with A1c 6.2".
        behind = item[n + 1] if n + 1 < len(item) else ""
        if item[n - 1] in ("x", "since", "grade", "every") or behind in MEASURES or behind == "times":
            return True
        if item[n - 1] == "/" and n > 1 and class_of(item[n - 2]) and not behind:
            return True  # "Sore throat 2/7".
    return any(_is_count(word) for word in item[1:])


def _is_count(word: str) -> bool:
    """Whether it is "x5" or "x3d"."""
    return word[0] == "x" and word[1:2].isdigit()


def _is_treated(tokens: Sequence[str], at: int, end: int, drugs: Set[int]) -> bool:
    """Whether somebody takes a drug, for it or instead: "AF on warfarin", "on Plavix"."""
    return any(tokens[n] == "on" and n + 1 in drugs for n in range(at, end - 1))


def _opens(item: Sequence[str], phrases: Set[tuple[str, ...]]) -> bool:
    return any(tuple(item[:n]) in phrases for n in range(1, 4))


def _holds(item: Sequence[str], phrase: Sequence[str]) -> bool:
    size = len(phrase)
    return any(tuple(item[n : n + size]) == tuple(phrase) for n in range(len(item) - size + 1))
