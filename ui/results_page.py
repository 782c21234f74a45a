"""The page of an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from search_stack.core.schema import Hit
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.query.items import Notice
from search_stack.query.nodes import Finding
from search_stack.query.tree import criteria, leaves
from search_stack.query.understand import Understood
from search_stack.retrieval.answer import ORDERS, Answer, Group, Order
from ui import wording
from ui.criteria import Chip, chips
from ui.frame import DEMO, Frame
from ui.hit_view import NO_NUMBERS, HitView, hit_view, record
from ui.hues import Lights, places
from ui.legend import LEGEND
from ui.note_name import name_of, type_beside
from ui.paging import Paging, paging
from ui.place import Place
from ui.refine import Facet, FacetRow, FindingRow, facets, findings, with_note, with_patient, years

PAGE_SIZE = 10


NO_PEOPLE: Mapping[str, str] = {}
NO_LIGHTS = Lights()


@dataclass(frozen=True, slots=True)
class GroupView:
    """Hits of one note or patient. ``line`` asks for the rest of them, passage by passage."""

    number: int
    name: str
    type: str
    note: Hit | None
    patient_id: str
    who: str
    """Sex and year of birth of a patient, as far as they are known; empty of a note."""
    synthetic: bool
    hits: tuple[HitView, ...]
    more: int
    counted: bool
    line: str | None
    record: str
    """Address of the patient's page."""


@dataclass(frozen=True, slots=True)
class Sort:
    """An order in which all may be listed."""

    name: str
    url: str
    current: bool


@dataclass(frozen=True, slots=True)
class ResultsPage:
    frame: Frame
    headline: str
    ranking: str
    close: str
    """What stands before those that are not counted."""
    counted: str
    undated: str
    warnings: tuple[tuple[str, str], ...]
    """What is wrong with the answer, and the command that mends it."""
    timing: str
    stages: tuple[tuple[str, str], ...]
    found: int
    patients: int
    """Who can be kept as a cohort; some also where no passage or note that is listed shows everything."""
    aside: tuple[str, ...]
    """What was typed and left out of the query."""
    time_aside: str
    """How to ask for time, where that is among it."""
    notices: tuple[Notice, ...]
    emptied: tuple[tuple[str, str], ...]
    """Where nothing was found: what has none by itself, and the line without it."""
    dated: bool
    """Whether any hit has a date; where none has, it is said once."""
    synthetic: bool
    """Every hit is, which is said once; where the notice on top says it of all notes, not here."""
    legend: tuple[tuple[str, str, str], ...]
    chips: tuple[Chip, ...]
    facets: tuple[Facet, ...]
    years: tuple[FacetRow, ...]
    findings: tuple[FindingRow, ...]
    """What else the notes say."""
    groups: tuple[GroupView, ...]
    paging: Paging
    unit: str
    """What is counted: passage, note or patient."""
    facet_unit: str
    """What the facets count: passage where these are very many."""
    token: str
    """Of the search, by which its cohort is kept."""
    undo: str
    """Address of the search before the last step; empty where there is none."""
    final: str
    """Address of the final order, where this is the first one; empty where it is final."""
    reordered: str
    """Address that gives it to the script, where the reader is at the begin of the first one."""
    sort: Order
    sorts: tuple[Sort, ...]
    words: bool
    """Whether anything was ranked by words; filters alone bring the newest notes first."""

    @property
    def title(self) -> str:
        return wording.counted(self.found, wording.UNITS[self.frame.scope])


def _acts(answer: Answer, lexicon: Lexicon | None) -> frozenset[str]:
    """Which of the findings asked for are procedures."""
    names = {leaf.name for leaf in leaves(answer.query) if isinstance(leaf, Finding)}
    known = {name: lexicon.find(name) for name in names} if lexicon else {}
    return frozenset(name for name, concept in known.items() if concept and concept.kind == "procedure")


def results_page(
    frame: Frame,
    asked: Understood,
    answer: Answer,
    place: Place,
    lights: Lights = NO_LIGHTS,
    lexicon: Lexicon | None = None,
    numbers: Mapping[str, int] = NO_NUMBERS,
    people: Mapping[str, str] = NO_PEOPLE,
    lefts: Sequence[int] = (),
    patients: int = 0,
    undo: str = "",
) -> ResultsPage:
    """``numbers`` are those of patients, by id,
    ``people`` who they are, ``lefts`` how many each criterion leaves, one after the other, ``patients`` how many can
    be kept, and ``undo`` where the reader was before the last step."""
    hues = places(answer.query, lights.criteria)
    shown = chips(asked, answer.criteria, answer.facets.get("assertion", ()), lexicon, lefts, hues)
    first = (answer.page - 1) * PAGE_SIZE + 1
    words = not wording.is_newest_first(asked.query)
    hits = [h for g in answer.groups for h in g.hits]
    synthetic = bool(hits) and all(h.collection == DEMO for h in hits)
    groups = tuple(_group(g, first + n, asked, place, lights, numbers, people) for n, g in enumerate(answer.groups))
    provisional = place.first and bool(answer.groups)
    return ResultsPage(
        frame=frame,
        headline=wording.headline(answer.query, answer.counts, answer.scope, _acts(answer, lexicon)),
        ranking=wording.by_date(answer.scope, place.sort) or wording.ranking(answer),
        close=wording.close(answer.scope),
        counted=wording.what_counts(answer.query, place.sort),
        undated=wording.undated(answer.counts.undated_notes),
        warnings=_warnings(answer),
        timing=wording.timing(answer),
        stages=tuple((name, f"{ms:,.0f} ms") for name, ms in answer.milliseconds.items()),
        found=answer.counts.of(answer.scope),
        patients=patients,
        aside=tuple(dict.fromkeys(asked.aside)),
        time_aside=wording.time_aside(asked.aside),
        notices=(*asked.notices, *answer.notices),
        emptied=_emptied(answer, shown),
        dated=any(h.date for h in hits),
        synthetic=synthetic and frame.others,
        legend=LEGEND,
        chips=shown,
        facets=facets(asked, answer.facets),
        years=years(asked, answer.facets.get("year", ())),
        findings=findings(asked, answer.findings),
        groups=tuple(map(_untagged, groups)) if synthetic else groups,
        paging=paging(answer.page, answer.pages, place.results),
        unit=wording.UNITS[answer.scope],
        facet_unit=wording.UNITS[answer.facets_in],
        token=place.token,
        undo=undo,
        final=place.final.results() if provisional else "",
        reordered=place.reordered() if provisional and place.page == 1 else "",
        sort=place.sort,
        sorts=_sorts(place, words),
        words=words,
    )


def _untagged(group: GroupView) -> GroupView:
    """Where all are synthetic."""
    return replace(group, synthetic=False, hits=tuple(replace(hit, synthetic=False) for hit in group.hits))


def _sorts(place: Place, words: bool) -> tuple[Sort, ...]:
    """Without words there is no best, but what is usual: the newest notes first, each wording once."""
    names = {"best": "Best" if words else "Usual", "newest": "Newest", "oldest": "Oldest"}
    return tuple(Sort(names[order], place.by(order), order == place.sort) for order in ORDERS)


def _warnings(answer: Answer) -> tuple[tuple[str, str], ...]:
    found = (
        (wording.without_vectors(answer), "aspectra reindex"),
        (wording.older_labels(answer), "aspectra reindex --labels-only"),
    )
    return tuple(one for one in found if one[0])


def _emptied(answer: Answer, shown: Sequence[Chip]) -> tuple[tuple[str, str], ...]:
    if answer.counts.of(answer.scope) or len(criteria(answer.query)) < 2:
        return ()
    return tuple((said, shown[n].line) for said, n in wording.emptied(answer.query, answer.criteria, answer.scope))


def _group(
    group: Group,
    number: int,
    asked: Understood,
    place: Place,
    lights: Lights,
    numbers: Mapping[str, int],
    people: Mapping[str, str],
) -> GroupView:
    best = group.hits[0]
    in_note = place.scope == "note"
    again = wording.again("passage", group.more) if place.scope == "passage" else ""
    narrower = with_note(asked, best.note_id) if in_note else with_patient(asked, best.patient_id)
    return GroupView(
        number=number,
        name=name_of(best) if in_note else best.patient_id,
        type=type_beside(name_of(best), best.note_type),
        note=best if in_note else None,
        patient_id=best.patient_id,
        who=people.get(best.patient_id, ""),
        synthetic=best.collection == DEMO,
        hits=tuple(replace(hit_view(h, asked, place, lights, numbers), again=again) for h in group.hits),
        more=group.more,
        counted=group.counted,
        line=narrower,
        record=record(best, place, numbers),
    )
