"""What a bracket gives for the words before it: examples, "(e.g. ritonavir)", or what they mean, "frail (CFS > 5)"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from search_stack.query.items import Notice
from search_stack.query.plain.bracketed import kind_named
from search_stack.query.plain.known import Known
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow
from search_stack.query.wording import wording

SUCH_AS = r"(?:e\.?g\.?|i\.?e\.?|such\s+as|like|incl(?:\.|uding)?|namely|for\s+(?:example|instance))"
"""What introduces examples."""
_EXAMPLES = re.compile(
    rf"\s*\(\s*(?:{SUCH_AS}[\s,:]+(?P<items>[^()\n\"]{{2,160}})|(?P<some>[^()\n\"]{{2,160}}?)[\s,]+etc\.?\s*)\)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"(?:\s+(?:drugs?|medicines?|medications?|agents?|ones?))?\s*,?\s+{SUCH_AS}[\s,:]+"
    r"(?P<items>[^,;.()\n\"]{2,60}(?:,\s*[^,;.()\n\"]{2,40}?)*?\s+or\s+[^,;.()\n\"]{2,40}?)(?=\s*(?:$|[;.?]))",
    re.IGNORECASE,
)
"""Examples without a bracket, up to the end: "antibiotics such as meropenem or ertapenem"."""
_MEANT = re.compile(
    r"(?:^|[,;:]|(?<!\w)(?:and|or|with|are|is|who|have|has)\s)\s*(?P<what>[^\W\d_][^,;:()\n\"]{2,40}?)\s*\((?P<items>[^()\n\"]{2,80})\)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:[,;/]|\b(?:and/or|or|and)\b)\s*(?:(?:and/or|or|and)\s+)?", re.IGNORECASE)
_DENIES = re.compile(r"(?<!\w)(?:no|not|never|without|den\w+|except|unless)(?!\w)", re.IGNORECASE)
_REST = re.compile(r"\s*,?\s*(?:etc\.?|and\s+(?:so\s+on|others?)|or\s+others?|…|\.\.\.)\s*$", re.IGNORECASE)
_MOST = 12
"""Items."""


@dataclass(frozen=True, slots=True)
class Given:
    """The bracket, from ``begin`` to ``end``, and its items; ``what`` stands before it where they say what it means."""

    begin: int
    end: int
    items: tuple[str, ...]
    what: str = ""


def given_in_brackets(known: Known, text: str) -> list[Given]:
    """Each bracket with examples, or with what unnamed words before it mean."""
    out = []
    for found in _NAMED.finditer(text):
        items = _items(found["items"])
        if items and known.ending(text, found.start()) and all(known.beginning(item, 0) for item in items):
            out.append(Given(found.start(), found.end("items"), items))
    if "(" not in text:
        return out
    for found in _EXAMPLES.finditer(text):
        items = _items(found["items"] or found["some"])
        if found["some"] and len(items) == 1:  # "(adalimumab ustekinumab etc)"
            items = tuple(found["some"].split())
        if items and text[: found.start()].strip():
            out.append(Given(found.start(), found.end(), items))
    for found in _MEANT.finditer(text):
        if _says_what_it_means(known, found):
            out.append(Given(found.end("what"), found.end(), (found["items"].strip(),), found["what"].strip()))
    return sorted(out, key=lambda g: g.begin)


def either_given(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with what stands before such a bracket, or any of what it holds; examples that are kinds of a name
    before them count with it, and are left aside."""
    for found in reversed(given_in_brackets(s.known, shadow.text)):
        begin, end = shadow.span(found.begin, found.end)
        before = shadow.text[: found.begin]
        heads = [(before[m.begin :], m.concept) for m in s.known.ending(before, len(before))]
        if any(all(kind_named(s.known, item, *head) for item in found.items) for head in heads):
            shadow = s.left_aside(shadow, found.begin, found.end, "kinds of a name count with it")
            continue
        either = "".join(f" or {item}" for item in found.items)
        s.alike.add((begin, end))
        typed = s.typed(begin, end)
        told = f'"{typed}" was read as what stands before it{either}.'
        if found.what:
            told = f'"{found.what}" names nothing: these words{either}, as the bracket says.'
        s.reading.notices.append(Notice("brackets", told, typed))
        shadow = shadow.rewritten(found.begin, found.end, either)
    return shadow


def _items(text: str) -> tuple[str, ...]:
    rest = _REST.sub("", text)
    items = tuple(item.strip() for item in _BETWEEN.split(rest) if item.strip())
    small = wording().function
    fine = len(items) <= _MOST and all(
        item[0].isalpha() and item.lower().split()[0] not in small and not _DENIES.search(item) for item in items
    )
    return items if fine else ()


def _says_what_it_means(known: Known, found: re.Match[str]) -> bool:
    """Whether words that name nothing stand before a bracket which is a name, or one with its number."""
    table, what, item = wording(), found["what"], found["items"].strip()
    small = table.frames | table.loose | table.function | table.hollow
    if known.named(what) or all(word in small for word in what.lower().split()) or _DENIES.search(found[0]):
        return False
    named = known.beginning(item, 0)
    return any(
        not known.is_of(m, "anatomy") and (m.end == len(item) or item[m.end :].strip()[0] in "<>≤≥=") for m in named
    )
