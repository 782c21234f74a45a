"""The engine's hits, read into ours."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from search_stack.core.context import Surroundings
from search_stack.core.schema import Finding, Hit, Scores
from search_stack.retrieval import dsl
from search_stack.retrieval.evidence import Shown, ShownFact, Spot, held


def spans(marked: str, text: str) -> tuple[tuple[int, int], ...]:
    """Offsets into ``text`` of what stands between `dsl.MARKS` in ``marked``.

    None where the marks cannot be told from the text itself.

    >>> spans("a \\ue000bc\\ue001 d", "a bc d")
    ((2, 4),)
    """
    begin_mark, end_mark = dsl.MARKS
    if marked.replace(begin_mark, "").replace(end_mark, "") != text:
        return ()
    found: list[tuple[int, int]] = []
    position = begin = 0
    for c in marked:
        if c == begin_mark:
            begin = position
        elif c == end_mark:
            found.append((begin, position))
        else:
            position += 1
    return tuple(found)


def merged(*lists: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Spans of all ``lists`` in order, those that overlap made one.

    >>> merged(((5, 9),), ((0, 2), (8, 12)))
    ((0, 2), (5, 12))
    """
    out: list[tuple[int, int]] = []
    for begin, end in sorted(s for spans_ in lists for s in spans_):
        if out and begin < out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((begin, end))
    return tuple(out)


def read_around(source: Mapping[str, Any]) -> Surroundings:
    """What surrounds a stored passage."""
    return Surroundings(*(source.get(name) or "" for name in ("title", "section", *dsl.AROUND)))


def read_shown(raw: Mapping[str, Any]) -> Shown:
    """A hit of `dsl.evidence`."""
    text, marked = raw["_source"]["text"], raw.get("highlight", {})
    words, phrases = (spans(marked[f][0], text) if f in marked else () for f in ("text", "text.exact"))
    return Shown(
        read_hit({**raw, "matched_queries": ()}),
        int(raw["_source"]["note_version"]),
        held(raw.get("matched_queries", ())),
        words,
        phrases,
    )


def read_spot(raw: Mapping[str, Any]) -> Spot:
    """A hit of `dsl.spots`."""
    return Spot(raw["sort"][0], raw["_id"], held(raw.get("matched_queries", ())))


def read_fact(raw: Mapping[str, Any]) -> ShownFact:
    """A hit of `dsl.fact_evidence`."""
    source = raw["_source"]
    return ShownFact(source["patient_no"], source["day"], source["fact_key"], held(raw["matched_queries"]))


def read_hit(raw: Mapping[str, Any], named: Container[Finding] = ()) -> Hit:
    """A hit of `dsl.fetch`, the mentions that are ``named`` among its highlights; the scores come later."""
    source = raw["_source"]
    findings = tuple(Finding.stored(f) for f in source.get("findings") or ())
    marked = [(f.begin - source["begin"], f.end - source["begin"]) for f in findings if f in named]
    length = len(source["text"])
    found = [tuple((b, min(e, length)) for b, e in marked if 0 <= b < length)]
    found += [spans(parts[0], source["text"]) for parts in raw.get("highlight", {}).values()]
    return Hit(
        passage_id=raw["_id"],
        **{name: source.get(name) for name in dsl.HIT_FIELDS if name != "findings"},
        findings=findings,
        around=read_around(source),
        highlights=merged(*found),
        scores=Scores(),
        matched=next(iter(raw.get("matched_queries", ())), ""),
    )
