"""Ticks and signs in forms: "effusion [ ]  pneumothorax [x]", "HTN (-)", "nausea  [ ] yes  [x] no"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SHAPES: dict[tuple[str, ...], str] = {
    ("[", "]"): "absent",
    ("(", ")"): "absent",
    ("☐",): "absent",
    ("(", "-", ")"): "absent",
    ("-", "/", "-"): "absent",
    **{(left, tick, right): "present" for left, right in ("[]", "()") for tick in ("x", "+", "✓", "✔", "✗")},
    **{(tick,): "present" for tick in "☑☒✓✔"},
    ("+", "/", "+"): "present",
    ("-…",): "absent",
    ("+…",): "present",
    ("?…",): "possible",
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
SIGNS = ("+", "-", "?")
OPENS = (":", ",", ";", ".", "and", "or")
"""A mark behind one of these, or first of all, stands before its item."""
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
        group = _answers(tokens, found, n)
        if group:
            asked = begin - 1 if begin and tokens[begin - 1] == ":" else begin  # "Syncope: [ ] yes [x] no"
            out += _answered(found[n : n + len(group)], group, _item(tokens, floor, asked))
            n += len(group)
            floor = found[n - 1][1] + 1
            continue
        sign = tokens[begin].endswith("…")
        # A form keeps to one side until a new heading or sentence.
        if n == 0 or any(t in (":", ";", ".") for t in tokens[floor:begin]):
            before = begin == 0 or tokens[begin - 1] in OPENS
        after = found[n + 1][0] if n + 1 < len(found) else len(tokens)
        first, last = (end, _until(tokens, end, after)) if before or sign else (_item(tokens, floor, begin), begin)
        out.append(Mark(begin, end, first, last, found[n][2]))
        floor = end
        n += 1
    return out


def signed(tokens: list[str], starts: Sequence[int], ends: Sequence[int]) -> list[str]:
    """The tokens, with the signs of shorthand told from hyphens: "+orthopnea -fever ?weight gain".

    A sign stands right before a word and apart from the one before; one alone is no shorthand.
    """
    at = [
        n
        for n in range(1, len(tokens) - 1)
        if tokens[n] in SIGNS and ends[n] == starts[n + 1] and starts[n] > ends[n - 1] and tokens[n + 1][0].isalpha()
    ]
    if len(at) < 2:
        return tokens
    out = list(tokens)
    for n in at:
        out[n] += "…"
    return out


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


def _answers(tokens: Sequence[str], found: Sequence[tuple[int, int, str]], n: int) -> list[str]:
    """What the answers say that follow the ``n``-th mark and those right behind it: "[x] yes [ ] no"."""
    out: list[str] = []
    for begin, end, _ in found[n:]:
        if (out and begin != found[n + len(out) - 1][1] + 1) or end >= len(tokens) or tokens[end] not in ANSWERS:
            break
        out.append(ANSWERS[tokens[end]])
    return out


def _answered(found: Sequence[tuple[int, int, str]], answers: Sequence[str], first: int) -> list[Mark]:
    """The answer that is ticked says it of the item; where none is, the form waits to be filled in."""
    ticked = [a for (_, _, says), a in zip(found, answers, strict=True) if says == "present"]
    says = ticked[0] if len(ticked) == 1 else "hypothetical"
    begin = found[0][0]
    return [Mark(b, e + 1, first, begin, says) for b, e, _ in found]


def _item(tokens: Sequence[str], floor: int, begin: int) -> int:
    """The first word of the item before ``begin``."""
    n = begin
    while n > max(floor, begin - ITEM) and tokens[n - 1] not in OPENS:
        n -= 1
    return n


def _until(tokens: Sequence[str], start: int, stop: int) -> int:
    """Where the item ends that begins at ``start``."""
    return next((n for n in range(start, stop) if tokens[n] in (",", ";", ".", ":")), stop)
