"""The answer to a question of somebody who must not learn of single patients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

import numpy as np
from pyroaring import BitMap

from search_stack.core.errors import AspectraError
from search_stack.core.schema import Hit
from search_stack.disclosure.deidentify import deidentified
from search_stack.disclosure.masking import is_small, shown_parts, shown_steps
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.query.nodes import AllOf, FieldIs, Node
from search_stack.query.tree import all_of, criteria, fields_of, is_filter
from search_stack.query.write import readable
from search_stack.retrieval.searcher import Searcher

OF_SINGLE_PEOPLE = ("patient", "note", "cohort")
"""Fields that name somebody, or a list of them."""
SHOWN, VALUES = 10, 6
"""Passages, and values of a facet."""


class May(Enum):
    """What becomes of a number beside all that were told before."""

    BE_TOLD = auto()
    NOT_BESIDE_OTHERS = auto()
    """Together they would give few patients away."""
    NOT_AS_TOO_MANY = auto()
    """So many were told that no new one can be held against them."""


MayTell = Callable[[BitMap], May]
"""Of such a group; where it may be told, it was told."""


@dataclass(frozen=True, slots=True)
class Told:
    """Patients, in words; None where they are too few, or would give few away."""

    name: str
    patients: int | None


@dataclass(frozen=True, slots=True)
class Part:
    """Something by which the patients are told apart."""

    name: str
    values: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Viewed:
    patients: int | None
    may: May = May.BE_TOLD
    steps: tuple[Told, ...] = ()
    parts: tuple[Part, ...] = ()
    hits: tuple[Hit, ...] = ()
    """Passages of different patients, as they are: `without_names` is what may be shown of each."""


def viewed(searcher: Searcher, query: Node, may_tell: MayTell, least: int) -> Viewed:
    """
    Args:
        least: patients of whom a number may be told.

    Raises:
        AspectraError: the query names somebody; the engine is away.
    """
    if named := sorted(fields_of(query) & frozenset(OF_SINGLE_PEOPLE)):
        raise AspectraError(
            f"Your role asks of groups, and {named[0]}: names single people.", "Leave it out, or ask for another role."
        )
    whole = _patients(searcher, query)
    if is_small(len(whole), least):
        return Viewed(None)
    if (may := may_tell(whole)) is not May.BE_TOLD:
        return Viewed(None, may)
    return Viewed(
        len(whole),
        steps=_steps(searcher, query, may_tell, least),
        parts=_parts(searcher, query, len(whole), may_tell, least),
        hits=_hits(searcher, query, len(whole)),
    )


def _patients(searcher: Searcher, query: Node) -> BitMap:
    found, _ = searcher.cohort(query, "patient")
    return BitMap(found.patients.astype(np.uint32))


def _steps(searcher: Searcher, query: Node, may_tell: MayTell, least: int) -> tuple[Told, ...]:
    asked = criteria(query)
    groups = [_patients(searcher, all_of(asked[:n])) for n in range(1, len(asked) + 1)]
    return tuple(
        Told(readable(criterion), n if n is not None and may_tell(group) is May.BE_TOLD else None)
        for criterion, group, n in zip(asked, groups, shown_steps([len(g) for g in groups], least), strict=True)
    )


def _parts(searcher: Searcher, query: Node, whole: int, may_tell: MayTell, least: int) -> tuple[Part, ...]:
    _, _, facets = searcher.described(query, "patient")
    types = [one.value for one in facets.get("type", ()) if one.value][:VALUES]
    sexes = [one.value for one in facets.get("sex", ()) if one.value]
    asked = (("Sex", "sex", sexes, True), ("Note type", "type", types, False))
    found = (_part(searcher, query, whole, part, may_tell, least) for part in asked)
    return tuple(part for part in found if part.values)


def _part(
    searcher: Searcher,
    query: Node,
    whole: int,
    part: tuple[str, str, Sequence[str], bool],
    may_tell: MayTell,
    least: int,
) -> Part:
    name, field, values, apart = part
    # A value that was found takes the place of what the query says of its field, to which it would be an alternative.
    asked = query.children if isinstance(query, AllOf) else (query,)
    others = [one for one in asked if not (is_filter(one) and fields_of(one) == {field})]
    groups = [_patients(searcher, all_of([*others, FieldIs(field, value)])) for value in values]
    rest = [whole - sum(map(len, groups))] if apart else []
    told = shown_parts([*map(len, groups), *rest], whole, apart, least)[: len(groups)]
    return Part(
        name,
        tuple(
            Told(value, n if n is not None and may_tell(group) is May.BE_TOLD else None)
            for value, group, n in zip(values, groups, told, strict=True)
        ),
    )


def _hits(searcher: Searcher, query: Node, whole: int) -> tuple[Hit, ...]:
    groups = searcher.search(query, "patient", size=SHOWN, rerank=False).groups[:whole]
    return tuple(group.hits[0] for group in groups)


def without_names(hit: Hit, lexicon: Lexicon) -> Hit:
    """``hit`` without who it is of: its text de-identified, of its day the year, no id and no title."""
    mentions = [(f.begin - hit.begin, f.end - hit.begin) for f in hit.findings]
    own = (hit.note_id, hit.patient_id)
    return replace(
        hit,
        text=deidentified(hit.text, lexicon, mentions, own),
        note_type=deidentified(hit.note_type, lexicon, own=own),
        date=hit.date[:4] if hit.date else None,
        note_id="",
        patient_id="",
        title="",
        section="",
    )
