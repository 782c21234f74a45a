"""Ticks and signs in forms: "effusion [ ]  pneumothorax [x]", "HTN (-)", "nausea [ ] yes [x] no", "fever-, cough+"."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

SHAPES: dict[tuple[str, ...], str] = {
    ("[", "]"): "absent",
    ("(", ")"): "absent",
    ("☐",): "absent",
    **{(sign,): "absent" for sign in "✗✘❌"},
    **{(left, word, right): "absent" for left, right in ("[]", "()") for word in ("n", "no")},
    **{(left, word, right): "present" for left, right in ("[]", "()") for word in ("y", "yes")},
    ("(", "-", ")"): "absent",
    ("-", "/", "-"): "absent",
    **{(left, tick, right): "present" for left, right in ("[]", "()") for tick in ("x", "+", "✓", "✔", "✗")},
    **{(tick,): "present" for tick in "☑☒✓✔"},
    ("+", "/", "+"): "present",
    ("-…",): "absent",
    ("+…",): "present",
    ("?…",): "possible",
    ("…-",): "absent",
    ("…+",): "present",
}
"""What a mark says of the item that it belongs to; one that is not ticked is taken for denied."""
BEGINS = frozenset(shape[0] for shape in SHAPES)
ANSWERS = {
    "yes": "present",
    "y": "present",
    "present": "present",
    "no": "absent",
    "n": "absent",
    "none": "absent",
    "absent": "absent",
    "denies": "absent",
}
_LETTER_SIGNS = {"y": "…+", "n": "…-"}
_LETTERS = frozenset(_LETTER_SIGNS)
_GAP, _FEW = 2, 2
"""Blanks between the columns of a row, at least; letters that are no row yet where no gap tells it, at most."""
SIGNS = ("+", "-", "?")
ENDS_ITEM = frozenset((",", ";", "/", ".", ")", "|"))
"""Behind one of these, or last of all, a sign that stands behind its item ends it."""
ASKS = (":", "?")
"""Between what a form asks and its boxes."""
BETWEEN = frozenset(("/", ",", "|"))
"""Between two answers of a form: "yes [ ] / no [x]"."""
OPENS = (":", ",", ";", ".", "and", "or")
"""A mark behind one of these, or first of all, stands before its item."""
LISTS = frozenset((("(", "-", ")"), ("(", "+", ")")))
"""Before its item such a mark is of a whole list: "ROS: (-) fever, cough. (+) rash, fatigue"."""
ENDS_STATEMENT, ENDS_LIST = frozenset(",;.:"), frozenset(".;")
"""What ends an item behind its mark, and a list of them."""
ITEM = 6
"""Words of an item before its mark, at most."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Tokens ``begin`` to ``end``; it says ``says`` of the tokens from ``first`` to ``last``."""

    begin: int
    end: int
    first: int
    last: int
    says: str


def marks(tokens: Sequence[str]) -> list[Mark]:
    """The marks of a sentence, in order."""
    if BEGINS.isdisjoint(tokens):
        return []
    found = _found(tokens)
    out: list[Mark] = []
    n = floor = 0
    before = False
    while n < len(found):
        begin, end, _ = found[n]
        group = _answers_before(tokens, found, n, floor) or _answers(tokens, found, n)
        if group:
            opens = group[0].begin
            asked = opens - 1 if opens and tokens[opens - 1] in ASKS else opens  # "Syncope: [ ] yes [x] no"
            out += _answered(group, asked, _item(tokens, floor, asked))
            n += len(group)
            floor = group[-1].end
            continue
        if tokens[begin].startswith("…"):
            out.append(Mark(begin, end, _item(tokens, floor, begin), begin, found[n][2]))
            floor = end
            n += 1
            continue
        sign = tokens[begin].endswith("…")
        # A form keeps to one side until a new heading or sentence.
        if n == 0 or any(t in (":", ";", ".") for t in tokens[floor:begin]):
            before = begin == 0 or tokens[begin - 1] in OPENS
        after = found[n + 1][0] if n + 1 < len(found) else len(tokens)
        ends = ENDS_LIST if tuple(tokens[begin:end]) in LISTS else ENDS_STATEMENT
        first, last = (
            (end, _until(tokens, end, after, ends)) if before or sign else (_item(tokens, floor, begin), begin)
        )
        out.append(Mark(begin, end, first, last, found[n][2]))
        floor = end
        n += 1
    return out


def signed(tokens: list[str], starts: Sequence[int], ends: Sequence[int]) -> list[str]:
    """The tokens, with the signs of shorthand told from hyphens: "+orthopnea -fever ?weight gain", "fever-, cough+",
    "+ orthopnea, - fever".

    A sign stands right before a word and apart from the one before, or behind a word at the end of its item; one alone
    is no shorthand.
    """
    if not _LETTERS.isdisjoint(tokens):
        tokens = _answered_in_columns(tokens, starts, ends)
    if {"+", "-", "?"}.isdisjoint(tokens):
        return tokens
    last = len(tokens) - 1
    at = [n for n in range(last + 1) if tokens[n] in SIGNS]
    apart = [
        n
        for n in range(last)
        if tokens[n] in ("+", "-") and (n == 0 or tokens[n - 1] in OPENS) and tokens[n + 1][0].isalpha()
    ]
    before = [
        n
        for n in at
        if n < last
        and ends[n] == starts[n + 1]
        and (n == 0 or starts[n] > ends[n - 1])
        and tokens[n + 1][0].isalpha()
        and tokens[n + 1] != "ve"
    ]
    behind = [
        n
        for n in at
        if n
        and tokens[n] != "?"
        and tokens[n - 1][0].isalpha()
        and (n == last or tokens[n + 1] in ENDS_ITEM)
        and tokens[n + 1 : n + 3] not in (["/", "-"], ["/", "+"])
    ]
    out = list(tokens)
    if {"+", "-"} <= {tokens[n] for n in apart}:  # "+ dysuria, - hematuria"; dashes alone are those of a list.
        before += [n for n in apart if n not in before]
    alone = before and tokens[before[0]] == "+" and before[0] and tokens[before[0] - 1][0].isalpha()
    if len(before) > 1 or alone:
        for n in before:
            out[n] += "…"
    # One alone where its statement ends and blanks part it: "Panic -."
    closing = [n for n in behind if tokens[n] == "-" and tokens[n + 1 : n + 2] == ["."] and starts[n] > ends[n - 1]]
    for n in behind if len(behind) > 1 else closing:
        out[n] = f"…{out[n]}"
    return out


def _answered_in_columns(tokens: list[str], starts: Sequence[int], ends: Sequence[int]) -> list[str]:
    """Letters behind the items of a row as signs: "Angina N  MI N  Hypertension Y"."""
    last = len(tokens) - 1
    at = [
        n
        for n in range(1, last + 1)
        if tokens[n] in _LETTERS
        and tokens[n - 1][0].isalpha()
        and tokens[n - 1] not in _LETTERS
        and tokens[n + 1 : n + 2] != ["/"]
    ]
    wide = [n for n in at if n == last or starts[n + 1] - ends[n] >= _GAP]
    answers = at if len(wide) > 1 or len(at) > _FEW else []
    return [_LETTER_SIGNS[token] if n in answers else token for n, token in enumerate(tokens)]


def _found(tokens: Sequence[str]) -> list[tuple[int, int, str]]:
    """Where marks stand and what their shape says."""
    out = []
    at = 0
    while at < len(tokens):
        end, says = at + 1, ""
        if tokens[at] in BEGINS:
            shapes = ((n, tuple(tokens[at : at + n])) for n in (1, 2, 3))
            end, says = next(((at + n, SHAPES[shape]) for n, shape in shapes if shape in SHAPES), (end, says))
        if says:
            out.append((at, end, says))
        at = end
    # Empty parentheses are a box only beside ticked ones.
    round_ones = any(says == "present" and tokens[begin] == "(" for begin, _, says in out)
    return [m for m in out if round_ones or tokens[m[0] : m[1]] != ["(", ")"]]


@dataclass(frozen=True, slots=True)
class _Answer:
    """Tokens of a box and its answer: what the answer says, and whether it is ticked."""

    begin: int
    end: int
    says: str
    ticked: bool


def _answers(tokens: Sequence[str], found: Sequence[tuple[int, int, str]], n: int) -> list[_Answer]:
    """The answers right behind the ``n``-th mark and those that follow it: "[x] yes [ ] no"."""
    out: list[_Answer] = []
    for begin, end, says in found[n:]:
        if (out and not _follows(tokens, out[-1].end, begin)) or end >= len(tokens) or tokens[end] not in ANSWERS:
            break
        out.append(_Answer(begin, end + 1, ANSWERS[tokens[end]], says == "present"))
    return out


def _answers_before(tokens: Sequence[str], found: Sequence[tuple[int, int, str]], n: int, floor: int) -> list[_Answer]:
    """The answers right before the ``n``-th mark and those that follow it: "yes [ ] no [x]"."""
    out: list[_Answer] = []
    for begin, end, says in found[n:]:
        at = begin - 1
        if at < floor or tokens[at] not in ANSWERS or (out and not _follows(tokens, out[-1].end, at)):
            break
        out.append(_Answer(at, end, ANSWERS[tokens[at]], says == "present"))
    return out


def _follows(tokens: Sequence[str], end: int, begin: int) -> bool:
    """Whether what begins there stands right behind what ends there."""
    return begin == end or (begin == end + 1 and tokens[end] in BETWEEN)


def _answered(answers: Sequence[_Answer], asked: int, first: int) -> list[Mark]:
    """The answer that is ticked says it of the item; where none is, the form waits to be filled in.

    Args:
        asked: where the item ends; a mark of its own answers, not of a question.
    """
    ticked = [a.says for a in answers if a.ticked]
    says = ticked[0] if len(ticked) == 1 else "hypothetical"
    return [Mark(asked if n == 0 else a.begin, a.end, first, asked, says) for n, a in enumerate(answers)]


def _item(tokens: Sequence[str], floor: int, begin: int) -> int:
    """The first word of the item before ``begin``."""
    n = begin
    while n > max(floor, begin - ITEM) and tokens[n - 1] not in OPENS:
        n -= 1
    return n


def _until(tokens: Sequence[str], start: int, stop: int, ends: Container[str]) -> int:
    """Where what begins at ``start`` ends, before one of ``ends``."""
    return next((n for n in range(start, stop) if tokens[n] in ends), stop)
