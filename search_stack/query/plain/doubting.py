"""What is held for possible, by a sign, an aim, or in two words: "PE?", "queried MI", "CT to exclude fracture"."""

from __future__ import annotations

import re

from search_stack.query.items import Notice
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_MARK = re.compile(r"(?<=[\w)])\s?\?+(?=\s|$)")
_OF_UNKNOWN = re.compile(
    r"\s*(?:the\s+)?(?:cause|source|a?etiology|origin|reason|why|how|what|where|when)\b", re.IGNORECASE
)
"""Behind the sign, what is not known of the name before it."""
_OTHER_BEHIND = re.compile(r"\s+(?!(?:or|and|vs|versus|nor)(?!\w))\w", re.IGNORECASE)
_FEW = 3
"""Words of a line up to which a sign at its end tells of what is named, and asks nothing."""
_QUERIED = re.compile(r"(?<!\w)quer(?:ying|ied|ies)\s+(?=\w)", re.IGNORECASE)
_UNSURE = re.compile(
    r"(?<!\w)(?P<guess>(?:suspicious|concerning|worrisome)\s+for|suggestive\s+of|suspected|possible|probable|presumed|likely"
    r"|consistent\s+with)(?P<yet>,?\s+but\s+(?:(?:was|is|were)\s+)?(?:not\s+(?:(?:yet|entirely|fully|definitively|formally)\s+)*"
    r"(?:diagnostic|conclusive|definit(?:iv)?e(?:ly)?|confirmed|proven|pathognomonic|specific|certain|established)"
    r"|un(?:proven|confirmed|certain)|inconclusive|nondiagnostic)(?:\s+(?:of|for))?)(?=\s+[^\W\d_])",
    re.IGNORECASE,
)
"""A doubt that is told twice: "suspicious for but not diagnostic of lymphoma"."""
_TO_EXCLUDE = re.compile(
    r"\s+(?:(?:was|were|done|performed|requested|ordered|booked|in|order)\s+)*(?P<to>to\s+exclude)(?!\w)", re.IGNORECASE
)


def doubted(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with each in a word that says that it is possible."""
    shadow = _marked(s, shadow).written(_QUERIED, lambda m: "query ")
    for found in reversed(list(_UNSURE.finditer(shadow.text))):
        shadow = s.left_aside(shadow, *found.span("yet"))
        shadow = shadow.rewritten(*found.span("guess"), "possible")
    for found in reversed(list(_TO_EXCLUDE.finditer(shadow.text))):
        if s.known.ending(shadow.text, found.start(), "procedure"):
            shadow = shadow.rewritten(*found.span("to"), "query")
    return shadow


def _marked(s: Stretch, shadow: Shadow) -> Shadow:
    marks = list(_MARK.finditer(shadow.text))
    told = {m.start() for m in marks if _tells(s, shadow.text, m)}
    for found in marks:
        if found.start() in told:
            begin, end = shadow.span(*found.span())
            typed = s.line[:begin].split()[-1] + s.line[begin:end].strip()
            message = f'"{typed}" was read as possible; without "?" it is there.'
            s.reading.notices.append(Notice("denial", message, typed, s.instead(begin, end, "")))
    return shadow.written(_MARK, lambda m: _suspected(m) if m.start() in told else " ")


def _suspected(mark: re.Match[str]) -> str:
    """The doubt of what stands before it, which is no other's: "VAP? new infiltrate"."""
    return " suspected;" if _OTHER_BEHIND.match(mark.string, mark.end()) else " suspected"


def _tells(s: Stretch, text: str, mark: re.Match[str]) -> bool:
    """Whether a doubt is told, and nobody asked: nothing of the line asks, and it is a few words or goes on."""
    word = text[: mark.start()].split()[-1].strip("(,;").casefold()
    known = word in s.known.vocabulary or word in s.known.abbreviations.folded or word in s.table.abbreviated
    asks = any(w in s.table.frames and w not in s.table.loose for w in s.line.lower().split())
    if asks or not known or _OF_UNKNOWN.match(text, mark.end()):
        return False
    return len(s.line.split()) <= _FEW or bool(text[mark.end() :].strip())
