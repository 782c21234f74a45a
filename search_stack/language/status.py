"""How far a drug, procedure or test has come: done, planned, past; taking, stopped, allergy (docs/annotation.md)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from search_stack.language.assertion.judgement import Sentence
from search_stack.language.assertion.table import class_of, filled, words

NEAR = 8
"""Words on either side of a mention that are looked at."""
ACTS, DRUGS = ("procedure", "device"), ("drug",)
BY_ASSERTION = {
    ACTS: {"absent": "not done", "hypothetical": "planned", "possible": "planned", "historical": "past"},
    DRUGS: {"absent": "not taken", "hypothetical": "planned", "possible": "planned", "historical": "stopped"},
}
"""What the assertion settles."""
USUAL = {ACTS: "done", DRUGS: "taking"}
_FILLERS = frozenset(("taking", "the", "a", "an", "any", "her", "his", "their", "on", "using", "use", "of"))
_COPULAS = frozenset(("was", "were", "is", "are", "has", "have", "been", "therapy", "treatment"))
_BREAK = re.compile(r"[;\n]|\.(?!\d)")


@dataclass(frozen=True, slots=True)
class Row:
    status: str
    kinds: frozenset[str]
    aspects: frozenset[str]
    before: tuple[tuple[str, ...], ...]
    behind: tuple[tuple[str, ...], ...]
    examples: tuple[str, ...] = ()
    right_before: tuple[tuple[str, ...], ...] = ()
    """Phrases that end where the mention begins."""
    right_behind: tuple[tuple[str, ...], ...] = ()
    """Phrases that begin where the mention ends."""
    names: tuple[str, ...] = ()
    """Words of a mention by which the row fits."""
    present_for: tuple[str, ...] = ()
    """Assertions of the arbiter and the reader that are taken for present: "held for now" is not absent."""
    asked: bool = False
    """Whether a question means it by the same words: who asks for heparin given asks for all who have it."""


def status_of(sentence: Sentence, begin: int, end: int, kind: str, assertion: str) -> str:
    """The status of the mention at these offsets of the sentence's text; empty for other kinds than drugs, procedures
    and devices, and of somebody else's.

    >>> text = "She was started on lisinopril."
    >>> status_of(Sentence(text, 0, len(text), "plan"), 19, 29, "drug", "present")
    'started'
    """
    group = next((g for g in USUAL if kind in g), None)
    if group is None or assertion == "family":
        return ""
    row = fitting(rows(), sentence, begin, end, kind)
    settled = BY_ASSERTION[group].get(assertion)
    if row and (settled is None or row.status in ("allergy", "stopped", "held")) and assertion != "absent":
        return row.status
    return settled or USUAL[group]


def stands(sentence: Sentence, begin: int, end: int, kind: str, answer: str) -> bool:
    """Whether words near the mention say a status beside which the drug is present, whatever ``answer`` says: held for
    now, an allergy."""
    if not any(kind in row.kinds and answer in row.present_for for row in rows()):
        return False
    row = fitting(rows(), sentence, begin, end, kind)
    return row is not None and answer in row.present_for


def fitting(table: Sequence[Row], sentence: Sentence, begin: int, end: int, kind: str) -> Row | None:
    """The first row that fits."""
    text = sentence.text
    left = _tokens(_BREAK.split(text[max(sentence.begin, begin - 80) : begin])[-1])[-NEAR:]
    right = _tokens(_BREAK.split(text[end : min(sentence.end, end + 80)])[0])[:NEAR]
    named = {*words(text[begin:end])}
    before, behind = _stretches(left), _stretches(right)
    for row in table:
        if kind not in row.kinds:
            continue
        if row.names and not named.isdisjoint(row.names):
            return row
        if sentence.aspect in row.aspects or not (before.isdisjoint(row.before) and behind.isdisjoint(row.behind)):
            return row
        if any(tuple(left[-len(phrase) :]) == phrase for phrase in row.right_before):
            return row
        if any(tuple(right[: len(phrase)]) == phrase for phrase in row.right_behind):
            return row
    return None


def asked_beside(left: Sequence[str], right: Sequence[str], kind: str) -> tuple[str, int] | None:
    """The status that the words of a question say of the mention between them, and how many of them: negative for
    words before it.

    >>> asked_beside(["patients", "who", "stopped", "taking"], [], "drug")
    ('stopped', -2)
    """
    for row in rows():
        if not row.asked or kind not in row.kinds:
            continue
        skipped = next((n for n, w in enumerate(reversed(left)) if w not in _FILLERS), len(left))
        for phrase in row.before:
            for end in range(len(left) - skipped, len(left) + 1):
                begin = end - len(phrase)
                if begin >= 0 and tuple(left[begin:end]) == phrase:
                    return row.status, begin - len(left)
        skipped = next((n for n, w in enumerate(right) if w not in _COPULAS), len(right))
        for phrase in row.behind:
            for begin in range(skipped + 1):
                if tuple(right[begin : begin + len(phrase)]) == phrase:
                    return row.status, begin + len(phrase)
    return None


def _tokens(text: str) -> list[str]:
    return [class_of(w) if class_of(w) == "{year}" else w for w in words(text)]


def _stretches(tokens: Sequence[str]) -> set[tuple[str, ...]]:
    """All that stand side by side."""
    return {tuple(tokens[n:m]) for n in range(len(tokens)) for m in range(n + 1, len(tokens) + 1)}


@cache
def rows() -> tuple[Row, ...]:
    """The table, in its order."""
    raw = tomllib.loads((files("search_stack.language") / "status.toml").read_text(encoding="utf-8"))
    slots = {name: words.split() for name, words in raw["slots"].items()}
    return tuple(
        Row(
            row["status"],
            frozenset(row["kinds"]),
            frozenset(row.get("aspects", ())),
            tuple(tuple(p.split()) for p in row.get("before", ())),
            tuple(tuple(p.split()) for p in row.get("behind", ())),
            tuple(row["examples"]),
            _phrases(row.get("right_before", ()), slots),
            _phrases(row.get("right_behind", ()), slots),
            tuple(row.get("names", ())),
            tuple(row.get("present_for", ())),
            row.get("asked", False),
        )
        for row in raw["rows"]
    )


def _phrases(written: Sequence[str], slots: Mapping[str, list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(one.split()) for phrase in written for one in filled(phrase, slots))
