"""Parts of the body: what each lies in, and what it is called."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from search_stack.core.sites import GRADES, SIDES, graded, joined, split
from search_stack.language.lexicon.concepts import VITAL_SIGN

SITELESS = frozenset(("drug", VITAL_SIGN))
"""Kinds of concepts of which nobody asks where in the body they are."""
PAIR = frozenset(("left", "right"))
"""What is on both sides is on each of these."""
SHORT = {
    "RUL": "right upper lobe",
    "RML": "right middle lobe",
    "RLL": "right lower lobe",
    "LUL": "left upper lobe",
    "LLL": "left lower lobe",
    "RUQ": "right upper quadrant",
    "RLQ": "right lower quadrant",
    "LUQ": "left upper quadrant",
    "LLQ": "left lower quadrant",
    "RUE": "right arm",
    "LUE": "left arm",
    "BUE": "bilateral arm",
    "RLE": "right leg",
    "LLE": "left leg",
    "BLE": "bilateral leg",
    "RIJ": "right jugular vein",
    "LIJ": "left jugular vein",
    "RICA": "right internal carotid artery",
    "LICA": "left internal carotid artery",
}
"""Abbreviations of a side of a part."""
SIDED = {
    "bibasilar": "bilateral lung base",
    "bibasal": "bilateral lung base",
    "biapical": "bilateral lung apex",
    "lingula": "left lingula",
    "lingular": "left lingula",
}
"""Words for a part that tell its side."""


@cache
def _rows() -> Mapping[str, tuple[str, tuple[str, ...]]]:
    text = (files("search_stack.language.sites") / "sites.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return {row["name"]: (row["within"], tuple(filter(None, row["also"].split(";")))) for row in rows}


@cache
def parts() -> Mapping[str, str]:
    """The part that each name stands for, as it is written; those in capitals are abbreviations."""
    return {called: name for name, (_, also) in _rows().items() for called in (name, *also)}


@cache
def names() -> tuple[str, ...]:
    """The grades, the sides, and every part under its own name."""
    return (*GRADES, *SIDES, *sorted(_rows()))


@cache
def _by_name() -> Mapping[str, str]:
    return {called.lower(): name for called, name in parts().items()}


@cache
def wider(part: str) -> tuple[str, ...]:
    """``part`` and all that it lies in, from the narrowest.

    >>> wider("lingula")
    ('lingula', 'upper lobe', 'lung', 'chest')
    """
    out = [part]
    while within := _rows()[out[-1]][0]:
        out.append(within)
    return tuple(out)


@cache
def site_of(text: str) -> str | None:
    """The site that ``text`` names as a whole, None where it names none.

    >>> site_of("Left  lower extremity"), site_of("RUL"), site_of("severe left"), site_of("on the moon")
    ('left leg', 'right upper lobe', 'severe left', None)
    """
    grade, words = graded(" ".join(text.lower().split()))
    there = _place_of(words) if words else ""
    return None if there is None else joined(grade, there) or None


def _place_of(words: str) -> str | None:
    if words.upper() in SHORT:
        return SHORT[words.upper()]
    side, part = split(words)
    if words in _by_name():
        side, part = "", words
    if not part:
        return side if side in SIDES else None
    known = next((_by_name()[p] for p in (part, part.removesuffix("s")) if p in _by_name()), None)
    return joined(side, known) if known else None


@cache
def covering(sites: tuple[str, ...]) -> frozenset[str]:
    """The sites at which something is that is at ``sites``: also whatever they lie in; on both sides what is on each;
    what is severe there is there, and is severe. The empty one stands for no place that is told.

    >>> sorted(covering(("left lower lobe",)))
    ['chest', 'left', 'left chest', 'left lower lobe', 'left lung', 'lower lobe', 'lung']
    >>> sorted(covering(("severe knee",))), sorted(covering(("mild",)))
    (['knee', 'leg', 'severe', 'severe knee', 'severe leg'], ['', 'mild'])
    """
    by_grade: dict[str, list[str]] = {}
    for grade, there in map(graded, sites):
        by_grade.setdefault(grade, []).append(there)
    everywhere = _lying_in(tuple(there for _, there in map(graded, sites)))
    told = {joined(grade, one) for grade, each in by_grade.items() if grade for one in ("", *_lying_in(tuple(each)))}
    return everywhere | told if everywhere else frozenset(told | {""})


@cache
def _lying_in(sites: tuple[str, ...]) -> frozenset[str]:
    out: set[str] = set()
    sides: dict[str, set[str]] = {}
    for side, part in map(split, filter(None, sites)):
        for told in (*(wider(part) if part else ()), ""):
            out.add(told)
            sides.setdefault(told, set()).update(PAIR if side == "bilateral" else {side} - {""})
    for told, on in sides.items():
        out |= {joined(side, told) for side in (*on, *(("bilateral",) if on >= PAIR else ()))}
    return frozenset(out - {""})


@cache
def denying(site: str) -> frozenset[str]:
    """The sites at which a denial denies it for ``site`` too; the empty one stands for one that tells none: "no
    effusion" is none on the left.

    >>> sorted(denying("left knee"))
    ['', 'bilateral', 'bilateral knee', 'bilateral leg', 'knee', 'left', 'left knee', 'left leg', 'leg']
    """
    grade, there = graded(site)
    side, part = split(there)
    sides = {side, "", "bilateral"} if there else {""}
    places = [joined(one, told) for one in sides for told in (*(wider(part) if part else ()), "")]
    return frozenset(joined(one, place) for one in {grade, ""} for place in places)


def is_at(sites: tuple[str, ...], site: str, denied: bool) -> bool:
    """Whether a mention at ``sites`` tells of ``site``: that it is there or, where it is ``denied``, that it is not."""
    return not denying(site).isdisjoint(sites or ("",)) if denied else site in covering(sites)
