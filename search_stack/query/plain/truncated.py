"""Words cut short, "epilep*", as the few names that begin so, which is told with the way to ask for the words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from search_stack.core.schema import DENIED
from search_stack.language.lexicon.concepts import CONDITIONS, Concept, folded
from search_stack.language.lexicon.forms import american
from search_stack.query.asked import CUT_SHORT, no_wildcards
from search_stack.query.items import Notice
from search_stack.query.nodes import Finding, Leaf, Node, Topic
from search_stack.query.plain.known import Known
from search_stack.query.plain.stretch import Said, Stretch
from search_stack.query.tree import all_of, any_of, mapped

MOST = 5
"""Names that one word cut short may stand for."""
MOST_WORDS = 8
"""Words that are offered instead of them."""
_WORD = re.compile(r"[^\W_]+")
_BEFORE = re.compile(r"(?:[^\W_]+[ -]+){1,3}\Z")
_BEHIND = re.compile(r"(?:[ -]+[^\W_]+){1,2}")
_SAID_OF_CONDITIONS = frozenset((*DENIED, "possible"))
_SEVERAL = 2
"""Names of which a part of the body must begin so many to be read as them: "thyroid*", not "lung*"."""
_LONG = 6
"""Letters from which a stem that begins no name of one word stands for names of several: "nephrotic*"."""
_FEW = 3
"""Letters that a brand may lack."""
_KINDS = ("disorder", "symptom", "finding", "procedure", "drug", "device")
"""Of what a word cut short may name, what is likeliest meant first."""


def truncated(s: Stretch) -> None:
    """The stretch with each word that is cut short, and the words of its name around it, as that name.

    Raises:
        WildcardError: it begins no name, or too many.
    """
    told: list[Notice] = []
    for found in reversed(list(CUT_SHORT.finditer(s.shadow.text))):
        text = s.shadow.text
        begin, end, names, written = _read(s.known, text, found)
        if not names:
            raise no_wildcards(found[0], found[0][-2:])
        place = s.shadow.span(begin, end)
        told.append(_told(s, names, place, s.shadow.span(*found.span()), found["stem"]))
        s.begun[place] = names
        s.shadow = s.shadow.rewritten(begin, end, written)
    s.reading.notices += reversed(told)


def _read(known: Known, text: str, found: re.Match[str]) -> tuple[int, int, list[str], str]:
    """Where what is cut short stands, what it is read as, and how that is written: a name that the stem ends, unless a
    longer one begins so ("acute kidney injur*"), or the part of the body that it is."""
    stem = found.end("stem")
    begin, end, names = _begun(known, text, found)
    named = max(known.ending(text, stem, *_KINDS), key=lambda m: m.end - m.begin, default=None)
    if named and not (names and begin < named.begin):
        name = known.lexicon.concepts[named.concept].name
        return named.begin, found.end(), [name], text[named.begin : stem]
    if len(names) < _SEVERAL and known.is_anatomy(found["stem"]) and end - begin == len(found[0]):
        return *found.span(), [found["stem"]], found["stem"]
    return begin, end, names, names[0] if names else ""


def with_others(s: Stretch, said: Sequence[Said]) -> list[Said]:
    """The findings, what is cut short as any of the names that begin so."""
    out: list[Said] = []
    for one in said:
        names = s.begun.get(s.shadow.span(one.mention.begin, one.mention.end), ())
        concepts = [concept for name in names if (concept := s.known.lexicon.find(name))]
        if len(concepts) > 1:
            one = replace(one, node=mapped(one.node, partial(_any_named, s.known, concepts)))
            s.reading.ways.append(one.node)
        out.append(one)
    return out


def _any_named(known: Known, concepts: Sequence[Concept], leaf: Leaf) -> Node:
    """The leaf of the first of ``concepts`` as one of any; what may be, or is not there, is no act: "no pneumon*"."""
    name = known.name_of(concepts[0].id)
    if isinstance(leaf, Topic) and leaf.entity == name:
        return any_of(replace(leaf, entity=known.name_of(c.id)) for c in concepts)
    if not isinstance(leaf, Finding) or leaf.name != name:
        return leaf
    had = [c for c in concepts if c.kind in CONDITIONS] if leaf.assertion in _SAID_OF_CONDITIONS else []
    each = [replace(leaf, name=known.name_of(c.id)) for c in had or concepts]
    return all_of(each) if leaf.assertion in DENIED else any_of(each)


def _begun(known: Known, text: str, found: re.Match[str]) -> tuple[int, int, list[str]]:
    """Where what is cut short stands with the words around it that belong to the name, and the names that begin so;
    none where they are too many."""
    stem = found["stem"].casefold()
    spelt = sorted({stem, american(f"{stem}x")[:-1]})  # Of a word, the last letter has no spelling of its own.
    whole = rf"(?:{'|'.join(spelt)})\w*"
    named = [found for one in spelt for found in known.begun(one)]
    before, behind = _BEFORE.search(text, 0, found.start()), _BEHIND.match(text, found.end())
    begins = [found.start(), *(m.start() for m in _WORD.finditer(text, *before.span()))] if before else [found.start()]
    ends = [found.end(), *(m.end() for m in _WORD.finditer(text, *behind.span()))] if behind else [found.end()]
    for begin, end in sorted(((b, e) for b in begins for e in ends), key=lambda place: place[0] - place[1]):
        head, tail = folded(text[begin : found.start()]), folded(text[found.end() : end])
        matching = re.compile(" ".join(filter(None, (head, whole, tail))))
        around = ((n, c) for n, c in named if n.startswith(head) and n.endswith(tail))
        if ids := {c for n, c in around if matching.fullmatch(n) and _is_meant(known.lexicon.concepts[c], n, stem)}:
            return begin, end, _widest(known, ids)
    if len(stem) < _LONG:
        return found.start(), found.end(), []
    ids = {c for n, c in named if n.startswith(tuple(spelt)) and _is_meant(known.lexicon.concepts[c], n, stem)}
    return found.start(), found.end(), _widest(known, ids)


def _is_meant(concept: Concept, name: str, stem: str) -> bool:
    """Whether ``name`` of it is likely meant; a drug's brand only where a few letters lack: not Signifor by "sign"."""
    brand = concept.kind == "drug" and name != folded(concept.name)
    return concept.kind in _KINDS and not (brand and len(name) - len(stem) > _FEW)


def _widest(known: Known, ids: Iterable[str]) -> list[str]:
    """The names of those of ``ids`` that are below no other, as a line names them; none where they are too many."""
    wanted = set(ids)
    tops = [known.lexicon.concepts[i] for i in wanted if wanted.isdisjoint(known.lexicon.ancestors(i))]
    tops.sort(key=lambda c: (_KINDS.index(c.kind), c.name))
    return [c.name for c in tops if [m.concept for m in known.named(c.name)] == [c.id]] if len(tops) <= MOST else []


def _told(s: Stretch, names: Sequence[str], place: tuple[int, int], cut: tuple[int, int], stem: str) -> Notice:
    typed = s.typed(*place)
    words = s.known.words_begun(stem.casefold())
    either = " OR ".join(f'words:"{word}"' for word in words)
    way = f"({either})" if len(words) > 1 else either
    line = s.instead(*cut, way) if 0 < len(words) <= MOST_WORDS else ""
    return Notice(
        "spelling", f'"{typed}" was read as {" or ".join(names)}, and as no other word that begins so.', typed, line
    )
