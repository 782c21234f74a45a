"""The page of passages that are like one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from search_stack.cohorts.named import Counted
from search_stack.core.schema import Hit
from search_stack.language.copies import Told, copies
from search_stack.retrieval.similar import Near, Similar, otherwise
from ui.frame import DEMO, Frame
from ui.highlight import close_up, marked
from ui.hit_view import SIMILAR, HitView, Matched, Stage, record, said_of
from ui.hues import Lights
from ui.legend import LEGEND
from ui.near_copies import Like, copies_said
from ui.note_name import name_of, type_beside
from ui.place import Place

SHOWN, LOOKED_AT = 20, 60
"""Passages of the patient, and of others, that are shown; and that are asked for, since near-copies are folded."""
ITSELF = Matched("this passage", "whole", "The others are compared with it.")


@dataclass(frozen=True, slots=True)
class Folded:
    """The same, or nearly, in another note."""

    hit: Hit
    name: str
    url: str


@dataclass(frozen=True, slots=True)
class NearView:
    view: HitView
    copies: tuple[Folded, ...]
    said: str
    """How many these are; empty where there are none."""


@dataclass(frozen=True, slots=True)
class SimilarPage:
    frame: Frame
    back: str
    passage: HitView
    of_patient: tuple[NearView, ...]
    of_others: tuple[NearView, ...]
    again: tuple[Folded, ...]
    """The first notes that say the same word for word."""
    times: int
    """How many notes these are the first of."""
    legend: tuple[tuple[str, str, str], ...] = LEGEND

    @property
    def hits(self) -> Iterator[Hit]:
        """All that it shows or names."""
        yield self.passage.hit
        for near in (*self.of_patient, *self.of_others):
            yield from (near.view.hit, *(copy.hit for copy in near.copies))
        yield from (one.hit for one in self.again)

    @property
    def parts(self) -> tuple[tuple[str, str, tuple[NearView, ...]], ...]:
        """Name, what is said where there is none, and the passages."""
        return (
            ("Of other patients", "No other patient has a passage with a vector.", self.of_others),
            ("In other notes of this patient", "This patient has no other note with a passage.", self.of_patient),
        )


def kept(found: Sequence[Near]) -> list[tuple[Near, list[tuple[Near, Like]]]]:
    """The first `SHOWN` of ``found`` that are no near-copies of a nearer one of the same patient, each with those that
    are."""
    out: dict[int, tuple[Near, list[tuple[Near, Like]]]] = {}
    for of_one in _by_patient(found):
        told = copies([Told(found[n].hit.text, found[n].hit.findings) for n in of_one])
        for n, copy in zip(of_one, told, strict=True):
            if copy is None:
                out[n] = (found[n], [])
            else:
                out[of_one[copy.of]][1].append((found[n], Like("", "", copy.own, copy.numbers)))
    return [out[n] for n in sorted(out)][:SHOWN]


def _by_patient(found: Sequence[Near]) -> Iterator[list[int]]:
    patients: dict[str, list[int]] = {}
    for n, near in enumerate(found):
        patients.setdefault(near.hit.patient_id, []).append(n)
    return iter(patients.values())


def similar_page(frame: Frame, found: Similar, place: Place, numbers: Mapping[str, int]) -> SimilarPage:
    """``numbers`` are those of patients, by id."""
    lights = Lights(Counted(frozenset(f.concept for f in found.passage.findings)))

    def shown(near: Sequence[Near]) -> tuple[NearView, ...]:
        views = (_near_view(found.passage, one, copied, lights, place, numbers) for one, copied in kept(near))
        return tuple(replace(one, view=tagged(one.view)) for one in views)

    def tagged(view: HitView) -> HitView:
        """The notice on top says it of all notes, where all are synthetic."""
        return replace(view, synthetic=view.synthetic and frame.others)

    itself = replace(tagged(_view(found.passage, ITSELF, (), lights, place, numbers)), similar="")
    again = tuple(Folded(hit, name_of(hit), place.passage(hit)) for hit in found.again)
    return SimilarPage(
        frame, place.results(), itself, shown(found.of_patient), shown(found.of_others), again, found.times
    )


def _near_view(
    passage: Hit,
    near: Near,
    copied: Sequence[tuple[Near, Like]],
    lights: Lights,
    place: Place,
    numbers: Mapping[str, int],
) -> NearView:
    stages = (Stage(SIMILAR, f"{near.cosine:.3f}", "–"),)
    return NearView(
        _view(near.hit, matched(passage, near.hit), stages, lights, place, numbers),
        tuple(Folded(one.hit, name_of(one.hit), place.passage(one.hit)) for one, _ in copied),
        copies_said([like for _, like in copied]) if copied else "",
    )


def matched(passage: Hit, other: Hit) -> Matched:
    """Close in meaning; what it says otherwise of what both name comes first."""
    if differing := otherwise(passage, other):
        said = "; ".join(f"{name}: {' and '.join(assertions)}" for name, assertions in differing)
        return Matched("says otherwise", "part", f"Close in meaning, but not the same: {said}.")
    return Matched("close", "near", "Close in meaning to the passage.")


def _view(
    hit: Hit,
    how: Matched,
    stages: tuple[Stage, ...],
    lights: Lights,
    place: Place,
    numbers: Mapping[str, int],
) -> HitView:
    name = name_of(hit)
    return HitView(
        hit=hit,
        name=name,
        type=type_beside(name, hit.note_type),
        text=close_up(marked(hit.text, (), hit.begin, hit.findings, asked=lights.named)),
        url=place.passage(hit),
        matched=how,
        stages=stages,
        standings=(),
        patient_line=None,
        record=record(hit, place, numbers),
        synthetic=hit.collection == DEMO,
        said=said_of(hit, lights),
        similar=place.similar(hit),
    )
