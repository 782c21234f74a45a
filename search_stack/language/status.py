"""How far a drug, procedure or test has come: done, planned, past; taking, stopped, allergy (docs/annotation.md)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Any, TypeAlias

from search_stack.language.assertion.judgement import Sentence
from search_stack.language.assertion.table import CLASSES, class_of, filled, words

NEAR = 8
"""Words on either side of a mention that are looked at."""
LISTED = 200
"""Characters before a mention in which the list that it is in may begin."""
ACTS, DRUGS = ("procedure", "device"), ("drug",)
BY_ASSERTION = {
    ACTS: {"absent": "not done", "hypothetical": "planned", "possible": "planned", "historical": "past"},
    DRUGS: {"absent": "not taken", "hypothetical": "planned", "possible": "planned", "historical": "stopped"},
}
"""What the assertion settles."""
USUAL = {ACTS: "done", DRUGS: "taking"}
_FILLERS = frozenset(("taking", "the", "a", "an", "any", "her", "his", "their", "on", "using", "use", "of"))
_OF_ALL = frozenset(("was", "were", "is", "are", "has", "have"))
"""They speak of a whole list before them; a bare "held" of the last thing in it."""
_COPULAS = frozenset(("was", "were", "is", "are", "has", "have", "been", "therapy", "treatment"))
_OTHERS = re.compile(
    r"\((?!(?:known|severe|drug|prior|previous|past|true|mild|documented|reported|listed|her|his)\s)(?=[\w-]+\s+(?:allergy|allergic|intolerance)\b)",
    re.IGNORECASE,
)
"""In brackets behind a drug, what somebody is allergic to: "azithromycin (PCN allergy)"."""
_BREAK = re.compile(r"[;\n]|\.(?!\d)|\bbut\b")
_ASIDE = re.compile(r"\([^()]*\)")
"""What is said in parentheses of another: "doxazosin (stopped), bumetanide"."""
_CLOSED = re.compile(
    r"\b(?:stopped|held|given|discontinued|d/?c'?d|started|added|resumed|restarted|omit(?:ted)?|withheld|off|on hold"
    r"|continues?|finished|completed)"
    r"(?:\s*[,)]|\s+and\b)|\b(?:therefore|hence|instead)\b|\band\s+(?:then\s+)?(?=(?:re)?(?:start|sum|commenc|initiat)|begin|add\b|continu|switch)",
    re.IGNORECASE,
)
"""What became of one drug, before the next: "heparin stopped, on argatroban", "no penicillin, hence doxycycline"."""
_CLOSED_WHY = re.compile(
    r"\w (?:withheld|held|stopped|omit(?:ted)?|paused|suspended|discontinued|finished|completed)\s*"
    r"(?:\([^()]*\)|\b(?:for|until|till|due|as|because|pending|while|inr|on|pre|\d+\w*|last|yesterday|today)\b)[^,;:]*,",
    re.IGNORECASE,
)
"""Likewise with why, when or how long: "amlodipine withheld (BP 98/50) GP to review, bisoprolol"."""
_OF_ITS_OWN = re.compile(
    r"(?:[,;/]|\band|\bso|\bbut|\bexcept)\s+(?:(?:was|is|were|he|she|has|had|been|now)\s+){0,2}"
    r"(?=(?:continue[sd]?|start(?:ed)?|stop(?:ped)?|holds?|held|increased?|decreased?|add(?:ed)?|uses?|takes?|given|give|on|managed\s+(?:with|on)|controlled\s+(?:with|on)|maintained\s+on"
    r"|no\s+issues\s+with|changed\s+to|switched\s+to|bridged\s+with|bridging\s+with)\s)",
    re.IGNORECASE,
)
"""Behind a comma or link a drug has a verb of its own: "hold aspirin, continue statin"."""
_PRESCRIBED = re.compile(r"\bprescriptions?\s+for\b(?:[^.;:\n]|\.(?=[\w,]|\s*[a-z\d#(]))*\Z")
"""A prescription for a list of drugs with their doses: "prescriptions for Keflex 500 mg p.o. t.i.d. and Ultram"."""
_OF_DOSE = re.compile(r"\d[\d,]*(?:mg|mcg|g|ml|units?|u|l|h|hrs?|hourly|x|k)?|q\d{1,2}h?|x\d{1,2}|\d{1,2}x")
_NOTHING = frozenset(
    ("nil", "none", "no", "nkda", "nka", "nkma", "not", "denied", "denies", "unknown", "reviewed", "noted", "n")
)
OPENING = 30
"""Characters of a sentence that hold what it begins with."""
END = "$"
"""Stands behind the last word of what is looked at."""


ByWord: TypeAlias = Mapping[str, Sequence[tuple[str, ...]]]
"""Phrases by their first word, or their last."""


@dataclass(frozen=True)
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
    dosed: frozenset[str] = frozenset()
    """Words of the dose behind it by which the row fits."""
    names: tuple[str, ...] = ()
    """Words of a mention by which the row fits."""
    but: frozenset[str] = frozenset()
    """Words of a mention by which it never fits."""
    present_for: tuple[str, ...] = ()
    """Assertions of the arbiter and the reader that are taken for present: "held for now" is not absent."""
    bare: bool = False
    """Whether it fits by the section only where no dose is named: no list of allergies has any."""
    asked: bool = False
    """Whether a question means it by the same words: who asks for heparin given asks for all who have it."""
    opens: tuple[tuple[str, ...], ...] = ()
    """Phrases that begin the sentence, of a list that may go on to its end."""

    @cached_property
    def before_by_word(self) -> ByWord:
        return _by_word(self.before)

    @cached_property
    def behind_by_word(self) -> ByWord:
        return _by_word(self.behind)

    @cached_property
    def of_all_by_word(self) -> ByWord:
        """Of those behind it, what speaks of a whole list before it: "were held"."""
        return {word: phrases for word, phrases in self.behind_by_word.items() if word in _OF_ALL}

    @cached_property
    def right_before_by_word(self) -> ByWord:
        return _by_word(self.right_before, -1)

    @cached_property
    def right_behind_by_word(self) -> ByWord:
        return _by_word(self.right_behind)


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
    row = _row(sentence, begin, end, kind)
    settled = BY_ASSERTION[group].get(assertion)
    if row and (settled is None or row.status in ("allergy", "stopped", "held")) and assertion != "absent":
        return row.status
    return settled or USUAL[group]


def stands(sentence: Sentence, begin: int, end: int, kind: str, answer: str) -> bool:
    """Whether words near the mention say a status beside which the drug is present, whatever ``answer`` says: held for
    now, an allergy."""
    if not any(kind in row.kinds and answer in row.present_for for row in rows()):
        return False
    row = _row(sentence, begin, end, kind)
    return row is not None and answer in row.present_for


def worded(sentence: Sentence, begin: int, end: int, kind: str, status: str) -> bool:
    """Whether words near the mention, or its section, say this status of it."""
    row = _row(sentence, begin, end, kind)
    return row is not None and row.status == status


@lru_cache(maxsize=1)
def _row(sentence: Sentence, begin: int, end: int, kind: str) -> Row | None:
    """The row of the table that fits; of one mention it is asked for some three times, one after the other."""
    return fitting(rows(), sentence, begin, end, kind)


def fitting(table: Sequence[Row], sentence: Sentence, begin: int, end: int, kind: str) -> Row | None:
    """The first row that fits."""
    text = sentence.text
    before = _BREAK.split(text[max(sentence.begin, begin - 80) : begin])[-1]
    before = before[max((m.end() for m in _CLOSED_WHY.finditer(before)), default=0) :]
    before = _ASIDE.sub(" ", before) if "(" in before else before
    closed = max((m.end() for m in _CLOSED.finditer(before)), default=0)
    closed = max((closed, *(m.end() for m in _OF_ITS_OWN.finditer(before))))
    left = _tokens(before[closed:])[-NEAR:]
    if not closed and _PRESCRIBED.search(text, max(sentence.begin, begin - LISTED), begin):
        left = ["prescriptions", "for", *left]
    parts = _BREAK.split(_OTHERS.split(text[end : min(sentence.end, end + 80)])[0], maxsplit=1)
    right = _tokens(parts[0])
    right = [*right[:NEAR], END] if len(right) <= NEAR else right[:NEAR]
    past = _dose(right)
    dose, behind = right[:past], right[past:]
    own = right[: right.index(",")] if "," in right else right
    named = {*words(text[begin:end])}
    opening = _tokens(text[sentence.begin : min(begin, sentence.begin + OPENING)])
    for row in table:
        if kind not in row.kinds or not named.isdisjoint(row.but):
            continue
        if not named.isdisjoint(row.names) or not row.dosed.isdisjoint(dose):
            return row
        if sentence.aspect in row.aspects and not (row.bare and behind != right):
            return row
        if _holds(row.before_by_word, left) or _holds(row.behind_by_word, own) or _holds(row.of_all_by_word, right):
            return row
        if not closed and any(tuple(opening[: len(p)]) == p and _goes_on(opening[len(p) :]) for p in row.opens):
            return row
        if left and any(tuple(left[-len(p) :]) == p for p in row.right_before_by_word.get(left[-1], ())):
            return row
        if any(tuple(t[: len(p)]) == p for t in (right, behind) for p in row.right_behind_by_word.get(t[0], ())):
            return row
    return None


def _goes_on(behind: Sequence[str]) -> bool:
    """Whether a list follows, and no answer that there is none: "allergies nil, ramipril 5 mg"."""
    return not behind or behind[0] not in _NOTHING


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


def _dose(tokens: Sequence[str]) -> int:
    """How many words of a dose stand first: how much of it, by which way, how often."""
    dose = _dose_words()
    return next(
        (n for n, t in enumerate(tokens) if t not in dose and t not in CLASSES and not _OF_DOSE.fullmatch(t)), 0
    )


def _tokens(text: str) -> list[str]:
    return [class_of(w) if w.isdigit() else w for w in words(text)]


def _holds(begun: ByWord, tokens: Sequence[str]) -> bool:
    return any(tuple(tokens[n : n + len(p)]) == p for n, word in enumerate(tokens) for p in begun.get(word, ()))


def _by_word(phrases: Sequence[tuple[str, ...]], at: int = 0) -> ByWord:
    out: dict[str, list[tuple[str, ...]]] = {}
    for phrase in phrases:
        out.setdefault(phrase[at], []).append(phrase)
    return out


@cache
def _dose_words() -> frozenset[str]:
    return frozenset(_written()["dose"].split())


@cache
def _written() -> dict[str, Any]:
    return tomllib.loads((files("search_stack.language") / "status.toml").read_text(encoding="utf-8"))


@cache
def rows() -> tuple[Row, ...]:
    """The table, in its order."""
    raw = _written()
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
            frozenset(row.get("dosed", ())),
            tuple(row.get("names", ())),
            frozenset(row.get("but", ())),
            tuple(row.get("present_for", ())),
            row.get("bare", False),
            row.get("asked", False),
            tuple(tuple(p.split()) for p in row.get("opens", ())),
        )
        for row in raw["rows"]
    )


def _phrases(written: Sequence[str], slots: Mapping[str, list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(one.split()) for phrase in written for one in filled(phrase, slots))
