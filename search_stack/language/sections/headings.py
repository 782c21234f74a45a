"""Where a heading may stand: in every line its beginning, then what in it is signed like a heading or known as one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from search_stack.language.sections.aspects import AspectTable, key
from search_stack.language.sections.forms import Forms

Form: TypeAlias = Literal[
    "colon", "alone", "sign", "gap", "bare", "lead", "item", "capitals", "statement", "inside", "unsigned"
]
"""How a candidate is written.

At the beginning of a line: with a ``colon``; ``alone`` on it; before another ``sign``; before a wide ``gap`` or the
edge of a cell; ``bare``, before words; ``lead``, as the first words of a paragraph's sentence; as an ``item`` behind a
bullet. Further on, with a colon: in ``capitals``; at the beginning of a ``statement``; ``inside`` one. Further on,
without: ``unsigned``.
"""

# Every repetition is bounded or possessive, so the work grows with the text's length only.
# A group is never repeated possessively: Python before 3.11.5 then matches wrongly.
_LABEL = r"(?=[^\W_])(?:[^\W_]|[ \t/&,'’#+-]|\.(?=\w)|\([^()\r\n]{0,40}\)){1,110}"
_COLON = r"(?:(?<!\d):|:(?!\d))"
"""Not that of a time: "10:22"."""
_LINE = re.compile(
    rf"[ \t]*+(?P<all>[#*_=\[]{{0,6}}+[ \t]{{0,4}}+(?P<number>(?:\d{{1,2}}|[IVX]{{1,4}}|[A-Z])[.)][ \t]{{1,4}}+)?"
    rf"(?P<label>{_LABEL})(?P<close>[*_=\]]{{0,6}}+(?P<colon>{_COLON}[*_=]{{0,6}}+)?))(?P<rest>[ \t]*+(?=[\r\n]|\Z))?"
)
_CAPITALS_AND_SIGN = re.compile(r"[ \t]*+(?P<all>(?P<label>[A-Z][A-Z /&]{0,60}?)(?: -|(?<=[A-Z]{3})\.)(?=[ \t]))")
_RUNNING = re.compile(
    r"(?:(?<=[.!?;,:])|(?<=[.!?;,:)][ \t])|(?<=[.!?;,:)][ \t]{2}))[A-Z][A-Z /&,()'-]{1,70}:(?=[\s,]|\Z)"
)
_SIGNS = re.compile(rf"{_COLON}(?=[\s,;]|[^\W\d_]|\Z)")
_LONGEST_WORD = 24
_LAST = re.compile(r"[^\W_]++\Z")
_LETTERS = re.compile(r"[^\W_]{1,24}")
_OPENING = re.compile(r"[ \t]*+(?P<edge>\|[ \t]*+)?(?=[^\W\d_])")
_WORD = re.compile(r"[^\W_](?:[\w'’/]|[.&-](?=\w)){0,24}|&")
_SIGN = re.compile(r"[ \t]*+(?P<sign>[-–—=]{1,2}+)(?=\s)")
_EDGE = re.compile(r"[ \t]*+\||[ ]?+\t|[ ]{2}")
_CELL = re.compile(r"[ \t|]*+(?:[^\t|\n\r ]| (?! ))*+")
_WIDE = re.compile(r"(?:\||\t|[ ]{3}|[^.!?:; ][ ]{2})[ ]*+\Z")
_BULLET = re.compile(r"[ \t]*+[-*+•·●○▪■–>][ \t]++")
_BREAK = re.compile(r"[.!?;)•][ \t]*+\Z")
_LABEL_BEFORE = re.compile(r"(?:[.!?;)]|\A)[ \t]*+[A-Z][^\W\d_]{0,16}(?: [^\W\d_]{1,16}){0,2}[ ]\Z")
"""The first words of a label whose last are a heading: "clear. Cardiac Exam:"."""
_NEAR = 8
"""Characters before a heading in which a break is looked for."""
_LONGEST = 7
"""Words of a heading that stands in running text, at most."""
_REACH = 80
"""Its characters, at most."""
_GAP = re.compile(r"\t|   ")
_SMALL_WORD = 3
_PARENTHESES = re.compile(r"\([^()]{0,40}\)")
_COMMA = re.compile(r", *+(?=[A-Z])")
_MAX_COMMAS = 4
_LINE_BREAK = re.compile(r"\r\n|[\n\r\f]")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A stretch of text shaped like a heading, ``text[begin:end]``, its key and how it is written."""

    begin: int
    end: int
    key: str
    form: Form
    line: int
    """Where its line begins."""
    capitals: bool = False
    after_blank: bool = False
    title_case: bool = False
    numbered: bool = False
    columns: bool = False
    """With a wide gap inside, as in a row of a table; further on in a line, with one before it."""
    opens: bool = False
    """At the beginning of a statement."""
    unmistakable: bool = False


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    begin: int
    end: int
    after_blank: bool


def candidates(text: str, table: AspectTable, forms: Forms) -> Iterator[Candidate]:
    """Possible headings in the order of the text; of those that overlap at most one is a heading, the first that is."""
    begin, after_blank = 0, True
    anchored = forms.may_anchor(text)
    while begin < len(text):
        stop = _LINE_BREAK.search(text, begin)
        end, following = (stop.start(), stop.end()) if stop else (len(text), len(text))
        line = _Line(text, begin, end, after_blank)
        first = list(_at_line_start(line, table, forms))
        yield from first
        past = max(
            (c.end for c in first if c.key in table.aspects or (c.form == "colon" and not c.columns)), default=begin
        )
        rest: list[Candidate] = []
        if text.find(":", past, end) >= 0:
            rest += _in_capitals(line, past, table)
            rest += _signed(line, past, table)
        sure = any(c.unmistakable or c.key in forms.unmistakable for c in first)
        if anchored and (sure or forms.anchor.search(text, past, end)):
            rest += _unsigned(line, past, table, forms)
        if rest:
            yield from sorted(rest, key=lambda c: c.begin)
        after_blank = not text[begin:end].strip()
        begin = following


def _at_line_start(line: _Line, table: AspectTable, forms: Forms) -> Iterator[Candidate]:
    text = line.text
    signed = _CAPITALS_AND_SIGN.match(text, line.begin) if line.after_blank else None
    if signed and key(signed["label"]) in table.aspects:
        yield Candidate(*signed.span("all"), key(signed["label"]), "sign", line.begin, True, line.after_blank)
        return
    found = _LINE.match(text, line.begin)
    whole = _labelled(found, line) if found and (found["colon"] or found["rest"] is not None) else None
    opening = _opening(line, table, forms) if whole is None or whole.key not in table.aspects else None
    if opening and not (whole and opening.form == "bare" and _is_one_label(whole, opening, forms)):
        yield opening
    if whole:
        yield whole


def _is_one_label(whole: Candidate, opening: Candidate, forms: Forms) -> bool:
    """Whether the words up to the colon belong together, and those known at their beginning do not head the rest."""
    return whole.form == "colon" and (whole.title_case or not opening.unmistakable)


def _labelled(found: re.Match[str], line: _Line) -> Candidate:
    label = found["label"].strip()
    return Candidate(
        *found.span("all"),
        key=key(label),
        form="colon" if found["colon"] else "alone",
        line=line.begin,
        capitals=_PARENTHESES.sub("", label).isupper(),
        after_blank=line.after_blank,
        title_case=all(word[:1].isupper() for word in label.split() if len(word) > _SMALL_WORD),
        numbered=bool(found["number"]),
        columns=_GAP.search(label) is not None,
    )


def _opening(line: _Line, table: AspectTable, forms: Forms) -> Candidate | None:
    """The longest known words that the line begins with, before a sign, a gap or other words."""
    text = line.text
    found = _OPENING.match(text, line.begin, line.end)
    known = _known_from(text, found.end(), line.end, table) if found else None
    if not found or not known:
        return None
    end, words = known
    sign = _SIGN.match(text, end, line.end + 1)
    form: Form
    edge = _EDGE.match(text, end, line.end)
    if found["edge"] or edge:
        if not edge or _is_column(text, edge.end(), line.end, forms):
            return None
        form = "gap"
    elif sign and sign["sign"] in forms.signs:
        end, form = sign.end(), "sign"
    elif line.after_blank and _is_lead(text, words, end, line.end, forms):
        form = "lead"
    elif text[end : end + 1] == " " and not _goes_on(text, end, line.end, forms):
        form = "bare"
    else:
        return None
    begin = found.end()
    written = text[begin:end]
    return Candidate(
        begin,
        end,
        words,
        form,
        line.begin,
        capitals=written.isupper(),
        after_blank=line.after_blank,
        title_case=written[0].isupper(),
        unmistakable=forms.is_unmistakable(words, written),
    )


def _is_lead(text: str, words: str, at: int, end: int, forms: Forms) -> bool:
    """Whether a heading's words begin a sentence that says what stands under it."""
    if words in forms.phrases:
        return text[at : at + 1] in (" ", ",")
    verb = _WORD.match(text, at + 1, end) if words in forms.leads else None
    return verb is not None and verb[0] in forms.verbs


def _is_column(text: str, begin: int, end: int, forms: Forms) -> bool:
    """Whether the cell that begins there names a column of a table."""
    cell = _CELL.match(text, begin, end)
    return cell is not None and key(cell[0]) in forms.columns


def _known_from(text: str, begin: int, end: int, table: AspectTable) -> tuple[int, str] | None:
    """Where the longest known heading ends that begins there, and its key."""
    first = _LETTERS.match(text, begin, end)
    if not first or first[0].lower() not in table.first_words:
        return None
    ends: list[int] = []
    at = begin
    while len(ends) < _LONGEST and (word := _WORD.match(text, at, end)):
        ends.append(word.end())
        at = word.end() + 1
        if text[at - 1 : at] != " ":
            break
    for stop in reversed(ends):
        words = key(text[begin:stop])
        if words in table.aspects and len(words) > 1:
            return stop, words
    return None


def _in_capitals(line: _Line, begin: int, table: AspectTable) -> Iterator[Candidate]:
    """Capitals with a colon after the end of a sentence or a comma: the longest known words, else all."""
    text = line.text
    for found in _RUNNING.finditer(text, begin, line.end):
        start, stop = found.span()
        later = [start + comma.end() for comma in _COMMA.finditer(found[0])][-_MAX_COMMAS:]
        start = next((at for at in (start, *later) if key(text[at:stop]) in table.aspects), start)
        yield Candidate(start, stop, key(text[start:stop]), "capitals", line.begin, True)


def _signed(line: _Line, begin: int, table: AspectTable) -> Iterator[Candidate]:
    """Known words in any case before a colon: the most of them."""
    text = line.text
    past = begin
    at = begin
    while (colon := text.find(":", at, line.end)) >= 0:
        at = stop = colon + 1
        after, past = past, stop
        last = _LAST.search(text, max(after, colon - _LONGEST_WORD), colon)
        if not last or last[0].lower() not in table.last_words or not _SIGNS.match(text, colon):
            continue
        words = list(_WORD.finditer(text, max(after, stop - _REACH), stop - 1))[-_LONGEST:]
        joined = len(words) - 1
        while joined and text[words[joined - 1].end() : words[joined].start()] == " ":
            joined -= 1
        starts = (word.start() for word in words[joined:])
        start = next((at for at in starts if key(text[at:stop]) in table.aspects), None)
        if start is None or not text[line.begin : start].strip(" \t#*_="):
            continue
        before = text[max(line.begin, start - _NEAR) : start]
        wide = _WIDE.search(before) is not None
        opens = wide or _BREAK.search(before) is not None
        bullet = _BULLET.fullmatch(text, line.begin, start) is not None
        if not (opens or bullet) and _LABEL_BEFORE.search(text[max(line.begin, start - _REACH) : start]):
            continue
        form: Form = "item" if bullet else "statement" if opens else "inside"
        written = text[start:stop]
        yield Candidate(
            start,
            stop,
            key(written),
            form,
            line.begin,
            written.isupper(),
            False,
            written[0].isupper(),
            False,
            wide,
            opens,
        )


def _unsigned(line: _Line, begin: int, table: AspectTable, forms: Forms) -> Iterator[Candidate]:
    """Known words without a sign on a line that holds an unmistakable one."""
    text = line.text
    at = begin
    before = text[line.begin : begin].rpartition(" ")[2]
    for word in _WORD.finditer(text, begin, line.end):
        if word.start() < at:
            continue
        known = _known_from(text, word.start(), line.end, table)
        if known and _stands_alone(text, known, before, line.end, forms) and text[line.begin : word.start()].strip():
            at, words = known
            near = text[max(line.begin, word.start() - _NEAR) : word.start()]
            opens = (_BREAK.search(near) or _WIDE.search(near)) is not None
            upper = word[0][0].isupper()
            sure = forms.is_unmistakable(words, text[word.start() : at])
            yield Candidate(
                word.start(), at, words, "unsigned", line.begin, title_case=upper, opens=opens, unmistakable=sure
            )
        before = word[0]


def _stands_alone(text: str, known: tuple[int, str], before: str, end: int, forms: Forms) -> bool:
    """Whether the words up to there are no part of a sentence, by the words beside them."""
    stop, words = known
    if (words not in forms.usual and words not in forms.beside) or key(before) in forms.before:
        return False
    return stop < end and text[stop] in " \t" and not _goes_on(text, stop, end, forms)


def _goes_on(text: str, at: int, end: int, forms: Forms) -> bool:
    """Whether the sentence goes on behind a heading's words, or has no more words."""
    word = _WORD.match(text, at + 1, end)
    return word[0] in forms.behind if word else text[at + 1 : at + 2] in ("", " ")
