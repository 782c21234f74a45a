"""A note's text without what only its layout says, character for character: offsets stay."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, TypeAlias

Letters: TypeAlias = Literal["both", "small", "capital"]
_SAME = str.maketrans(
    dict.fromkeys("\xa0\u2002\u2003\u2007\u2009\u202f\u200b\ufeff", " ")
    | dict.fromkeys("\u2018\u2019\u02bc\u2032", "'")
    | dict.fromkeys("\u201c\u201d", '"')
    | dict.fromkeys("\u2010\u2011\u2212", "-")
    | dict.fromkeys("\uf0b7\u2023\u2043\u25ba\u25aa\u25cf\u25e6", "\u2022")
)
"""Blanks, quotes, hyphens and bullets that word processors write, as typists do."""
_EMPHASIS = re.compile(r"(?<![\w*\[])\*\*(?=[^\W_])[^*\r\n]{1,120}\*\*(?![\w*\]])")
_FRAMED = re.compile(
    r"^[ \t]*(?:={2,6}|#{2,6}|\[)[ \t]*(?=[^\W\d_]{2})[^][=#\r\n]{2,80}(?:={2,6}|\])?:?[ \t]*$", re.MULTILINE
)
_RULE = re.compile(r"^[ \t]*(?:-{4,}|={4,}|_{4,}|\*{4,}|~{4,})[ \t]*$", re.MULTILINE)
_STAR = re.compile(r"^([ \t]*)[*](?=[ \t]+\S)", re.MULTILINE)
_AROUND = re.compile(r"\A[ \t*=#\[]+|[*=\]]+(?=:?[ \t]*\Z)")
_BULLET = "\u2022"
_BEGUN = re.compile(r"(?:\A|[.!?:]\s|\n)\s*+[A-Z]")


def plain(text: str) -> str:
    """The text with one character for those that mean the same.

    >>> plain("He doesn\u2019t\xa0smoke")
    "He doesn't smoke"
    """
    return text if text.isascii() else text.translate(_SAME)


def unmarked(text: str) -> str:
    """The text without the marks of emphasis and headings, and with one bullet for stars.

    >>> unmarked("**Complications:** None")
    '  Complications:   None'
    """
    if "*" in text:
        text = _STAR.sub(rf"\1{_BULLET}", _EMPHASIS.sub(_bare, text))
    if "==" in text or "##" in text or "[" in text:
        text = _FRAMED.sub(_bare, text)
    if any(rule in text for rule in ("----", "====", "____", "****", "~~~~")):
        text = _RULE.sub(lambda found: " " * len(found[0]), text)
    return text


@lru_cache(maxsize=4)
def letters(text: str) -> Letters:
    """In which letters a note is typed: capitals throughout, or small ones where no line or sentence begins with a
    capital; then their case tells nothing.

    >>> letters("pt seen today. no fever."), letters("NO FEVER."), letters("No fever.")
    ('small', 'capital', 'both')
    """
    if text.isupper():
        return "capital"
    return "both" if _BEGUN.search(text) else "small"


def _bare(found: re.Match[str]) -> str:
    return _AROUND.sub(lambda marks: " " * len(marks[0]), found[0])
