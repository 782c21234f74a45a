"""What is denied, in brackets behind it: "no contraindication to MRI (pacemaker, metal)" is none of these."""

from __future__ import annotations

import re
from dataclasses import dataclass

from search_stack.query.items import Notice
from search_stack.query.plain.bracketed import kinds_of
from search_stack.query.plain.examples import SUCH_AS
from search_stack.query.plain.known import Known
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_DENIED = re.compile(
    r"(?<!\w)(?P<no>no|without|not|denie[sd]|denying)\s+(?P<what>[^,;.:()\n\"]{2,60}?)\s*\((?P<items>[^()\n\"]{2,120})\)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:[,;/]|\b(?:and/or|or|and|nor)\b)\s*", re.IGNORECASE)
_SUCH_AS = re.compile(rf"^\s*(?:{SUCH_AS}|any\s+of)[\s,:]+", re.IGNORECASE)
_NAMES = re.compile(
    r"(?!(?:by|on|in|at|for|since|after|before|from|to|per|last|past|see|if|when|as)\s)[^\W\d_][\w\s'’-]*",
    re.IGNORECASE,
)
"""What may be denied by itself, and no remark on how or when: "(on CT)", "(since 2019)"."""
_MOST, _LONGEST = 8, 4
"""Items, and words of an item that names nothing."""


@dataclass(frozen=True, slots=True)
class Item:
    """What stands from ``begin`` to ``end``, ``written`` in full; what is not ``named`` is but words."""

    begin: int
    end: int
    written: str
    named: bool


_EXCEPT = re.compile(
    r"(?<!\w)(?:no|without|not|never|denie[sd])\s[^,;.()\n\"]{2,60}?(?P<opens>\s*\()\s*(?:except|other\s+than|apart\s+from|excluding)\s[^()\n\"]{2,80}"
    r"(?P<closes>\))",
    re.IGNORECASE,
)
"""What is allowed of what is denied before it: "no cancer (except skin cancer)"."""


def excepted_in_brackets(text: str) -> re.Match[str] | None:
    return _EXCEPT.search(text)


def without_brackets(shadow: Shadow) -> Shadow:
    """``shadow`` with what is allowed right behind what is denied."""
    while found := excepted_in_brackets(shadow.text):
        shadow = shadow.blank(*found.span("closes")).blank(*found.span("opens"))
    return shadow


def denied_in_brackets(known: Known, text: str) -> re.Match[str] | None:
    """The first denial whose bracket lists what is denied; a bracket with kinds of a name is read with that."""
    if "(" not in text:
        return None
    kinds = {found.end for found in kinds_of(known, text)}
    return next((m for m in _DENIED.finditer(text) if m.end() not in kinds and _items(known, m)), None)


def each_denied(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with each of them denied by itself; before them, words that name nothing are left aside; told."""
    while found := denied_in_brackets(s.known, shadow.text):
        no = "without" if found["no"].lower() in ("without", "not") else "no"
        items = _items(s.known, found)
        typed = s.typed(*shadow.span(*found.span()))
        told = f'"{typed}" was read as {" and ".join(f"{no} {item.written}" for item in items)}.'
        s.reading.notices.append(Notice("brackets", told, typed))
        shadow = shadow.blank(items[-1].end, found.end())
        for item in reversed(items):
            before = items[items.index(item) - 1].end if item is not items[0] else found.end("what")
            shadow = shadow.rewritten(item.begin, item.end, item.written)
            shadow = shadow.rewritten(before, item.begin, f"; {no if item.named else 'without'} ")
        if not s.known.named(found["what"]):
            shadow = s.left_aside(shadow, *found.span("what")).blank(*found.span("no"))
    return shadow


def _items(known: Known, found: re.Match[str]) -> list[Item]:
    """The items of the bracket; none where they are no such list."""
    text, begin, end = found.string, *found.span("items")
    if such := _SUCH_AS.match(found["items"]):
        begin += such.end()
    edges = [begin, *(at for m in _BETWEEN.finditer(text, begin, end) for at in m.span()), end]
    places = [(b, e) for b, e in zip(edges[::2], edges[1::2], strict=True) if text[b:e].strip()]
    head = found["what"].split()[-1]
    items = [_item(known, text, b, e, head) for b, e in places]
    listed = len(items) > 1 and all(
        _NAMES.fullmatch(text, i.begin, i.end) and len(text[i.begin : i.end].split()) <= _LONGEST for i in items
    )
    named = [item.named for item in items]
    return items if len(items) <= _MOST and (listed or all(named)) and any(named) else []


def _item(known: Known, text: str, begin: int, end: int, head: str) -> Item:
    """What stands there, or what it makes of the head's last word, "liver" of "organ failure", where that is a name."""
    begin += len(text[begin:end]) - len(text[begin:end].lstrip())
    end = begin + len(text[begin:end].rstrip())
    typed = text[begin:end]
    whole = (m for m in known.named(typed) if m.begin == 0 and m.end == len(typed))
    if any(not known.is_of(m, "anatomy") for m in whole):
        return Item(begin, end, typed, named=True)
    both = f"{typed} {head}"
    return Item(begin, end, both, named=True) if known.lexicon.find(both) else Item(begin, end, typed, named=False)
