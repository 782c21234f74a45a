"""The page of an answer."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from search_stack.answer import Answer, Group
from search_stack.criteria import Query
from search_stack.schema import Hit
from ui import wording
from ui.frame import DEMO, Frame
from ui.hit_view import HitView, hit_view, name_of, type_beside
from ui.legend import LEGEND
from ui.paging import Paging, paging
from ui.place import Place
from ui.refine import Chip, Facet, FacetRow, chips, facets, with_note, with_patient, years
from ui.understood import Understood, understood

PAGE_SIZE = 10


@dataclass(frozen=True, slots=True)
class GroupView:
    """Hits of one note or patient. ``line`` asks for the rest of them, passage by passage."""

    number: int
    name: str
    type: str
    note: Hit | None
    patient_id: str
    synthetic: bool
    hits: tuple[HitView, ...]
    more: int
    line: str | None


@dataclass(frozen=True, slots=True)
class ResultsPage:
    frame: Frame
    headline: str
    ranking: str
    counted: str
    undated: str
    warnings: tuple[tuple[str, str], ...]
    """What is wrong with the answer, and the command that mends it."""
    timing: str
    stages: tuple[tuple[str, str], ...]
    passages: int
    understood: tuple[Understood, ...]
    legend: tuple[tuple[str, str, str], ...]
    chips: tuple[Chip, ...]
    facets: tuple[Facet, ...]
    years: tuple[FacetRow, ...]
    groups: tuple[GroupView, ...]
    paging: Paging
    words: bool
    """Whether anything was ranked by words; filters alone bring the newest notes first."""

    @property
    def title(self) -> str:
        return wording.counted(self.passages, "passage")


def results_page(frame: Frame, query: Query, answer: Answer, place: Place, named: Collection[str] = ()) -> ResultsPage:
    """``query`` as it was typed; ``named`` are the concepts that it asks for, and their children."""
    first = (answer.page - 1) * PAGE_SIZE + 1
    return ResultsPage(
        frame=frame,
        headline=wording.headline(answer.query, answer.counts, answer.scope),
        ranking=wording.ranking(query, answer),
        counted=wording.what_counts(answer.query),
        undated=wording.undated(answer.counts.undated_notes),
        warnings=_warnings(answer),
        timing=wording.timing(answer),
        stages=tuple((name, f"{ms:,.0f} ms") for name, ms in answer.milliseconds.items()),
        passages=answer.counts.passages,
        understood=understood(answer.query, answer.facets.get("assertion", ())),
        legend=LEGEND,
        chips=chips(query, answer.query),
        facets=facets(query, answer.facets),
        years=years(query, answer.facets.get("year", ())),
        groups=tuple(_group(g, first + n, query, place, named) for n, g in enumerate(answer.groups)),
        paging=paging(answer.page, answer.pages, place.results),
        words=bool(query.clauses),
    )


def _warnings(answer: Answer) -> tuple[tuple[str, str], ...]:
    found = (
        (wording.without_vectors(answer), "aspectra reindex"),
        (wording.older_labels(answer), "aspectra reindex --labels-only"),
    )
    return tuple(one for one in found if one[0])


def _group(group: Group, number: int, query: Query, place: Place, named: Collection[str]) -> GroupView:
    best = group.hits[0]
    in_note = place.scope == "note"
    narrower = with_note(query, best.note_id) if in_note else with_patient(query, best.patient_id)
    return GroupView(
        number=number,
        name=name_of(best) if in_note else best.patient_id,
        type=type_beside(name_of(best), best.note_type),
        note=best if in_note else None,
        patient_id=best.patient_id,
        synthetic=best.collection == DEMO,
        hits=tuple(hit_view(h, query, place, named) for h in group.hits),
        more=group.more,
        line=narrower,
    )
