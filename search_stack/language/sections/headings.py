"""Where a heading may stand: lines that look like one, and capitals with a colon in running text."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass

from search_stack.language.sections.aspects import key

# Every repetition is bounded or possessive, so the work grows with the text's length only.
# A group is never repeated possessively: Python before 3.11.5 then matches wrongly.
_LABEL = r"(?=[^\W_])(?:[^\W_]|[ \t/&,'’#+-]|\.(?=\w)|\([^()\r\n]{0,40}\)){1,110}"
_LINE = re.compile(
    rf"[ \t]*+(?P<all>[#*_=]{{0,6}}+[ \t]{{0,4}}+(?P<number>(?:\d{{1,2}}|[IVX]{{1,4}}|[A-Z])[.)][ \t]{{1,4}}+)?"
    rf"(?P<label>{_LABEL})(?P<close>[*_=]{{0,6}}+(?P<colon>:[*_=]{{0,6}}+)?))(?P<rest>[ \t]*+(?=[\r\n]|\Z))?"
)
_CAPITALS_AND_SIGN = re.compile(r"[ \t]*+(?P<all>(?P<label>[A-Z][A-Z /&]{0,60}?)(?: -|(?<=[A-Z]{3})\.)(?=[ \t]))")
_RUNNING = re.compile(
    r"(?:(?<=[.!?;,:])|(?<=[.!?;,:)][ \t])|(?<=[.!?;,:)][ \t]{2}))[A-Z][A-Z /&,()'-]{1,70}:(?=[\s,]|\Z)"
)
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
    capitals: bool
    colon: bool
    own_line: bool
    after_blank: bool
    title_case: bool = False
    numbered: bool = False
    columns: bool = False
    """With a wide gap inside, as in a row of a table."""
    running: bool = False


def candidates(text: str, known: Container[str]) -> Iterator[Candidate]:
    """Possible headings in the order of the text, not overlapping; ``known`` holds keys of headings."""
    begin, after_blank = 0, True
    while begin < len(text):
        stop = _LINE_BREAK.search(text, begin)
        end, following = (stop.start(), stop.end()) if stop else (len(text), len(text))
        first = _at_line_start(text, begin, known, after_blank)
        if first:
            yield first
        yield from _in_line(text, first.end if first else begin, end, known)
        after_blank = not text[begin:end].strip()
        begin = following


def _at_line_start(text: str, begin: int, known: Container[str], after_blank: bool) -> Candidate | None:
    signed = _CAPITALS_AND_SIGN.match(text, begin) if after_blank else None
    if signed and key(signed["label"]) in known:
        return Candidate(*signed.span("all"), key(signed["label"]), True, True, False, after_blank)
    found = _LINE.match(text, begin)
    if found and (found["colon"] or found["rest"] is not None):
        label = found["label"].strip()
        return Candidate(
            *found.span("all"),
            key=key(label),
            capitals=_PARENTHESES.sub("", label).isupper(),
            colon=bool(found["colon"]),
            own_line=found["rest"] is not None,
            after_blank=after_blank,
            title_case=all(word[:1].isupper() for word in label.split() if len(word) > _SMALL_WORD),
            numbered=bool(found["number"]),
            columns=_GAP.search(label) is not None,
        )
    return None


def _in_line(text: str, begin: int, end: int, known: Container[str]) -> Iterator[Candidate]:
    """Capitals with a colon after the end of a sentence or a comma: the longest known words, else all."""
    for found in _RUNNING.finditer(text, begin, end):
        start, stop = found.span()
        later = [start + comma.end() for comma in _COMMA.finditer(found[0])][-_MAX_COMMAS:]
        start = next((at for at in (start, *later) if key(text[at:stop]) in known), start)
        yield Candidate(start, stop, key(text[start:stop]), True, True, False, False, running=True)
