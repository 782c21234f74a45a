"""Kinds of a name, in brackets behind it: "stroke (ischemic or hemorrhagic)", "diabetes (type 2)"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from search_stack.query.plain.known import Known
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_BRACKET = re.compile(r"\s*\((?P<kinds>[^()\n\"]{1,80})\)")
_ALLERGIC_TO = re.compile(r"(?<=\w)\s+to$", re.IGNORECASE)
_BEFORE_ALLERGY = re.compile(r"\((?P<kinds>[^()\n\"]{1,80})\)\s+(?=(?P<head>allerg(?:y|ies))(?!\w))", re.IGNORECASE)
"""What somebody is allergic to may stand before: "(milk or egg) allergy"."""
_BETWEEN = re.compile(r"\s*(?:[,;/&]\s*|\b(?:and/or|or|and|but|not)\b\s*)+", re.IGNORECASE)
_RANGE = re.compile(r"(?P<of>[^\W\d_]+)\s+(?P<first>\d)[a-d]?\s?(?:-|–|to)\s?(?P<last>\d)(?!\w)", re.IGNORECASE)
_GRADE = re.compile(r"\d[a-d]?|[ivx]{1,4}|[a-e]", re.IGNORECASE)
"""Of a list, what leaves its first word out: "type 1 or 2"."""
_ALLERGY = "allerg"
_MOST = 8


@dataclass(frozen=True, slots=True)
class Kinds:
    """The name and its bracket, from ``begin`` to ``end``, are ``written`` in full."""

    begin: int
    end: int
    written: str


def kinds_of(known: Known, text: str) -> list[Kinds]:
    """Each bracket whose items all are kinds of the name before it."""
    if "(" not in text:
        return []
    behind = [found for m in _BRACKET.finditer(text) if (found := _kinds(known, text[: m.start()], m))]
    return sorted([*behind, *kinds_before(known, text)], key=lambda found: found.begin)


def kinds_before(known: Known, text: str) -> list[Kinds]:
    """Likewise each whose items are what the allergy behind it is to."""
    both = ((m, _kinds(known, m["head"], m)) for m in _BEFORE_ALLERGY.finditer(text))
    return [Kinds(m.start(), m.end("head"), found.written) for m, found in both if found]


def kinds_in_brackets(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with them in full, alternatives as one item of what stands around them."""
    for found in reversed(kinds_of(s.known, shadow.text)):
        if re.search(r"\bor\b", found.written):
            s.alike.add(shadow.span(found.begin, found.end))
        shadow = shadow.rewritten(found.begin, found.end, found.written)
    return shadow


def _kinds(known: Known, before: str, found: re.Match[str]) -> Kinds | None:
    before = _ALLERGIC_TO.sub("", before) if _ALLERGY in before.lower() else before
    named = [m for m in known.ending(before, len(before)) if not known.is_of(m, "anatomy") and len(m.parts) == 1]
    if not named:
        return None
    head = min(named, key=lambda m: m.begin)
    kinds = _RANGE.sub(_each, found["kinds"].strip())
    items = [item for item in _BETWEEN.split(kinds) if item]
    if not items or len(items) > _MOST or _BETWEEN.match(kinds):
        return None
    first = items[0].split()
    written = []
    for item in items:
        short = _GRADE.fullmatch(item) and len(first) > 1
        name = _name(known, f"{first[0]} {item}" if short else item, before[head.begin :], head.concept)
        name = name or (item if known.lexicon.narrower(head.concept, item) else None)
        if name is None:
            return None
        written.append(name)
    names, listed = iter(written), before[head.begin :].lower().startswith(_ALLERGY)
    between = (part if listed else _either(part) for part in _parts(kinds)[1::2])
    whole = "".join(next(names) if n % 2 == 0 else next(between) for n, _ in enumerate(_parts(kinds)))
    return Kinds(head.begin, found.end(), whole)


def kind_named(known: Known, item: str, head: str, concept: str) -> bool:
    """Whether ``item`` is a kind of ``concept``, or makes one of its name ``head``: "gestational" of "diabetes"."""
    if _name(known, item, head, concept):
        return True
    named = known.named(item)
    return any((m.begin, m.end) == (0, len(item)) and m.concept in known.lexicon.descendants(concept) for m in named)


def _parts(kinds: str) -> list[str]:
    """Items and what stands between them, in turn."""
    out, at = [], 0
    for between in _BETWEEN.finditer(kinds):
        out += [kinds[at : between.start()], f" {between[0].strip()} "]
        at = between.end()
    return [*out, kinds[at:]] if kinds[at:] else out[:-1]


def _either(between: str) -> str:
    """A list of kinds means any of them: "stroke (ischemic, hemorrhagic)"."""
    words = frozenset(re.split(r"[\W_]+", between.lower()))
    return between if words & {"not", "but", "and"} else " or "


def _each(found: re.Match[str]) -> str:
    first, last = int(found["first"]), int(found["last"])
    if first >= last:
        return found[0]
    return f"{found['of']} {', '.join(map(str, range(first, last)))} or {last}"


def _name(known: Known, item: str, head: str, concept: str) -> str | None:
    """What ``item`` makes of the name ``head``; none where that is no name of its own."""
    if head.lower().startswith(_ALLERGY):
        drug = known.lexicon.find(item)
        named = (drug and drug.kind == "drug") or known.is_name(f"{item} allergy")
        return f"{item} allergy" if named else None
    full = known.abbreviations.folded.get(head.casefold(), head)
    names = [f"{item} {full}", f"{full} {item}"]
    if _GRADE.fullmatch(item):
        names.reverse()
    last = f"{item} {full.split()[-1]}"
    for name in (*names, last):
        whole = known.named(name)
        found = [m.concept for m in whole if (m.begin, m.end) == (0, len(name)) and len(m.parts) == 1]
        # "Open fractures (tibia)" stay open.
        if any(c != concept and (name != last or c in known.lexicon.descendants(concept)) for c in found):
            return name
    return None
