"""Text with spans marked, safe to put into a page."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from markupsafe import Markup, escape

from search_stack.core.schema import Finding

Span = tuple[int, int]
Hued = tuple[int, int, int]
"""A span with the number of a colour."""
_EMPTY_LINES = re.compile(r"\s*\n\s*\n\s*\n\s*")
NORMAL = "normal"
SIGNS = {
    "present": "",
    "absent": "no",
    "possible": "?",
    "historical": "past",
    "hypothetical": "if",
    "family": "family",
    "unaffected": "not family",
    "allergy": "allergy",
    NORMAL: "normal",
}
"""What stands before a finding in the text, so that its assertion is never told by colour alone."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of text, with the finding that it is part of, the triggers, and whether it is marked."""

    begin: int
    end: int
    finding: int | None
    triggers: tuple[int, ...]
    marked: bool
    hue: int | None


def marked(
    text: str,
    spans: Sequence[Span],
    offset: int = 0,
    findings: Sequence[Finding] = (),
    anchors: bool = False,
    asked: Container[Finding] | None = None,
    hues: Sequence[Hued] = (),
) -> Markup:
    """``text`` escaped, what lies in ``spans`` inside ``<mark>``, findings and their triggers in spans of their own.

    Args:
        spans: half-open; where they overlap or reach beyond the text they are cut.
        offset: where ``text`` begins in the text that the spans and findings count in.
        anchors: whether each finding gets an id, "finding-" and its number among ``findings``.
        asked: mentions that were asked for; others are quiet. None where nothing was asked.
        hues: marked in their colour, whatever else is; where they overlap, in that of the first.

    >>> marked("no <1 cm nodule", [(9, 15)])
    Markup('no &lt;1 cm <mark>nodule</mark>')
    """
    out = Markup()
    near = [(n, f) for n, f in enumerate(findings) if f.begin < offset + len(text) and f.end > offset]
    lit = [(*_cut((begin, end), offset, len(text)), hue) for begin, end, hue in sorted(hues)]
    pieces = _pieces(len(text), _apart([_cut(s, offset, len(text)) for s in spans]), near, offset, lit)
    for number, group in groupby(pieces, key=lambda p: p.finding):
        inner = Markup().join(_piece(text, p) for p in group)
        out += inner if number is None else _finding(findings[number], number, inner, text, offset, anchors, asked)
    return out


def close_up(text: Markup) -> Markup:
    """What `marked` made, with one empty line at most between two others, as a hit shows it: notes taken from pages or
    forms hold dozens.

    >>> close_up(Markup("a\\n \\n\\n\\n<mark>b</mark>"))
    Markup('a\\n\\n<mark>b</mark>')
    """
    return Markup(_EMPTY_LINES.sub("\n\n", text))  # noqa: S704  # escaped; white space alone is taken out


def because(finding: Finding, text: str, offset: int) -> str:
    """What was found and why, as a sentence; ``text`` begins at ``offset`` of the note."""
    if finding.is_normal:
        return f"normal: no {finding.name}"
    said = f"{finding.name}: {', '.join(filter(None, dict.fromkeys((finding.says, finding.status, finding.result))))}"
    begin, end = finding.trigger_begin, finding.trigger_end
    if begin is None or end is None or not offset <= begin < end <= offset + len(text):
        return said
    return f"{said}, because of “{' '.join(text[begin - offset : end - offset].split())}”"


def shown_as(finding: Finding) -> str:
    """The class of a finding: what it says, or "normal" where the statement denies nothing in its own words."""
    return NORMAL if finding.is_normal else finding.says


def _finding(
    finding: Finding,
    number: int,
    inner: Markup,
    text: str,
    offset: int,
    anchors: bool,
    asked: Container[Finding] | None,
) -> Markup:
    shown = shown_as(finding)
    sign = Markup('<span class="sign">{}</span>').format(SIGNS[shown]) if SIGNS[shown] else ""
    quiet = asked is not None and finding not in asked
    # A finding that a section's edge cuts is named at its beginning only.
    named = anchors and finding.begin >= offset
    name = Markup(' id="finding-{}"').format(number) if named else Markup()
    # The words that decided it are shown to whoever comes by keyboard too.
    reach = (
        Markup(' tabindex="0"') if finding.trigger_begin is not None and asked is not None and not quiet else Markup()
    )
    opening = Markup('<span class="finding is-{}{}" data-finding="{}" title="{}"{}{}>').format(
        shown, " is-other" if quiet else "", number, because(finding, text, offset), name, reach
    )
    return opening + sign + inner + Markup("</span>")


def _piece(text: str, piece: _Piece) -> Markup:
    out = escape(text[piece.begin : piece.end])
    if piece.hue is not None:
        out = Markup('<mark class="hue-{}">{}</mark>').format(piece.hue, out)
    elif piece.marked:
        out = Markup("<mark>{}</mark>").format(out)
    if piece.triggers:
        numbers = " ".join(map(str, piece.triggers))
        out = Markup('<span class="trigger" data-triggers="{}">{}</span>').format(numbers, out)
    return out


def _cut(span: Span, offset: int, length: int) -> Span:
    begin, end = (min(max(edge - offset, 0), length) for edge in span)
    return begin, end


def _apart(spans: Sequence[Span]) -> list[Span]:
    """``spans`` in order, what overlaps one before it cut off."""
    out: list[Span] = []
    position = 0
    for begin, end in sorted(spans):
        begin = max(begin, position)
        if begin < end:
            out.append((begin, end))
            position = end
    return out


def _pieces(
    length: int,
    marks: Sequence[Span],
    findings: Sequence[tuple[int, Finding]],
    offset: int,
    hues: Sequence[Hued],
) -> list[_Piece]:
    """The text cut wherever anything begins or ends."""
    named = [(n, _cut((f.begin, f.end), offset, length)) for n, f in findings]
    triggers = [
        (n, _cut((f.trigger_begin, f.trigger_end), offset, length))
        for n, f in findings
        if f.trigger_begin is not None and f.trigger_end is not None
    ]
    edges = {0, length}
    for begin, end in (*marks, *(s for _, s in named), *(s for _, s in triggers), *(h[:2] for h in hues)):
        if begin < end:
            edges |= {begin, end}
    out = []
    for begin, end in pairwise(sorted(edges)):
        inside = next((n for n, (b, e) in named if b <= begin < e), None)
        because_of = tuple(n for n, (b, e) in triggers if b <= begin < e)
        hue = next((h for b, e, h in hues if b <= begin < e), None)
        out.append(_Piece(begin, end, inside, because_of, any(b <= begin < e for b, e in marks), hue))
    return out
