"""A mention as a transformer reads it: what the rules said, and the words around."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tokenizers import Tokenizer

from search_stack.core.errors import AspectraError
from search_stack.language.arbiter.features import Judged, Overview

LEFT, RIGHT = 36, 28
"""Words before and behind the mention that are read."""
HEADING = 60
"""Characters of a heading that are read."""
TOKENS = (24, 36, 10, 24)
"""Most tokens of each of the four texts."""
LONGEST = sum(TOKENS) + 5
"""Tokens of a window with its marks, at most."""
MARKS = ("[unused0]", "[unused1]")
"""Stand around the mention (entity markers: Soares et al., ACL 2019); no text has them."""
_WORD = re.compile(r"\S+|\n")
_FURTHEST = 12
"""Characters of a word, for how far to look."""


@dataclass(frozen=True, slots=True)
class Window:
    """Four texts, read one after the other, the mention marked."""

    told: str
    """Assertion by the rules, kind of concept, its name, aspect and heading of the section, kind of note."""
    left: str
    mention: str
    right: str


def window(text: str, one: Judged, note: Overview) -> Window:
    begin, end = one.finding.begin, one.finding.end
    left = _WORD.findall(text, max(0, begin - LEFT * _FURTHEST), begin)[-LEFT:]
    right = _WORD.findall(text, end, end + RIGHT * _FURTHEST)[:RIGHT]
    of_note = "operation" if note.is_operation else "imaging" if note.is_imaging else "note"
    heading = one.section.heading.strip(": \n*#=_[]")[:HEADING]
    rule = "denial" if one.denies else one.finding.assertion
    told = f"{rule} ; {one.finding.kind} ; {one.finding.name} ; {of_note} ; {one.section.aspect} ; {heading}"
    return Window(told, _lined(left), text[begin:end], _lined(right))


@dataclass(frozen=True, slots=True)
class Marked:
    """Token ids of a window, and which are the mention with its marks (1) and which are not (0)."""

    ids: list[int]
    type_ids: list[int]


def marked(windows: Sequence[Window], tokenizer: Tokenizer) -> list[Marked]:
    """``[CLS] told [SEP] left [mention] right [SEP]``; what is too long loses what is furthest from the mention.

    Raises:
        AspectraError: the tokenizer is not one of BERT's.
    """
    cls, sep, begin, end = (_token(tokenizer, t) for t in ("[CLS]", "[SEP]", *MARKS))
    parts = zip(*((w.told, w.left, w.mention, w.right) for w in windows), strict=True)
    told, left, mention, right = (
        [e.ids for e in tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)] for texts in parts
    )
    most_told, most_left, most_mention, most_right = TOKENS
    out = []
    for t, a, m, b in zip(told, left, mention, right, strict=True):
        before = [cls, *t[:most_told], sep, *a[-most_left:]]
        inside = [begin, *m[:most_mention], end]
        behind = [*b[:most_right], sep]
        out.append(Marked([*before, *inside, *behind], [0] * len(before) + [1] * len(inside) + [0] * len(behind)))
    return out


def _token(tokenizer: Tokenizer, text: str) -> int:
    found = tokenizer.token_to_id(text)
    if found is None:
        raise AspectraError(f"The tokenizer has no token {text}.", "Take a base with the vocabulary of BERT.")
    return found


def _lined(words: list[str]) -> str:
    """Ends of lines as a sign that a tokenizer keeps."""
    return " ".join("|" if w == "\n" else w for w in words)
