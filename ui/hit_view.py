"""A hit as the page shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from search_stack.core.schema import Finding, Hit, Scores
from search_stack.language.status import USUAL
from search_stack.query.understand import Understood
from ui.frame import DEMO
from ui.highlight import because, close_up, marked
from ui.hues import Lights
from ui.note_name import name_of, type_beside
from ui.place import Place
from ui.refine import with_patient
from ui.wording import is_newest_first


@dataclass(frozen=True, slots=True)
class Matched:
    """How a hit came about: a word, an icon, and a sentence."""

    label: str
    icon: str
    meaning: str


MATCHED = {
    "every word": Matched("counted", "whole", "The passage says all that was asked, and it is counted."),
    "some words": Matched("some words", "part", "Some words of the query are there, not all."),
    "meaning": Matched("meaning", "near", "None of the words, but the encoder finds it close in meaning."),
}
TIERS = {
    1: Matched("in the past", "part", "The passage tells of the finding in the past; it is not counted."),
    2: Matched("possible only", "part", "The passage calls the finding possible; it is not counted."),
    3: Matched(
        "comes close", "near", "The passage does not mention the finding, but is close in meaning; it is not counted."
    ),
    4: Matched("narrower", "part", "The passage denies only a narrower finding; it is not counted."),
}
"""By `Hit.tier`, of passages that do not say all that was asked."""
NO_NUMBERS: Mapping[str, int] = {}
SIMILAR = "Similar in meaning (k-NN, cosine)"
FILTERED = Matched("fits the filters", "filter", "The query holds no words: the newest notes come first.")


@dataclass(frozen=True, slots=True)
class Stage:
    """What one stage of the search gave; a dash where it did not see the passage."""

    name: str
    score: str
    rank: str


@dataclass(frozen=True, slots=True)
class Said:
    """What the passage says of a concept that was asked for."""

    name: str
    assertion: str
    status: str
    """Where it tells more than that the concept is there: "stopped", "started"."""
    sentence: str
    hue: int | None = None
    """Of the criterion that it shows, as in the text."""


@dataclass(frozen=True, slots=True)
class HitView:
    hit: Hit
    name: str
    type: str
    text: Markup
    url: str
    matched: Matched
    stages: tuple[Stage, ...]
    standings: tuple[tuple[str, str], ...]
    patient_line: str | None
    record: str
    """Address of the patient's page; empty where the ledger does not know the patient."""
    synthetic: bool
    said: tuple[Said, ...]
    similar: str
    """Address of the passages that are like it; empty where they are on this page."""
    beside: str = ""
    """Address of its note, to be shown beside it; empty where there is no room for one."""
    again: str = ""
    """In how many other notes the same words are counted; empty where in none."""

    @property
    def several(self) -> bool:
        """Whether it says something of more than one concept."""
        return len({one.name for one in self.said}) > 1


def hit_view(
    hit: Hit, asked: Understood, place: Place, lights: Lights, numbers: Mapping[str, int] = NO_NUMBERS
) -> HitView:
    """``numbers`` are those of patients, by id."""
    words = not is_newest_first(asked.query)
    return HitView(
        hit=hit,
        name=name_of(hit),
        type=type_beside(name_of(hit), hit.note_type),
        text=close_up(
            marked(
                hit.text,
                [(b + hit.begin, e + hit.begin) for b, e in hit.highlights],
                hit.begin,
                hit.findings,
                asked=lights.named,
                hues=lights.on(hit),
            )
        ),
        url=place.passage(hit),
        matched=_matched(hit) if words else FILTERED,
        stages=stages(hit.scores) if words and hit.scores.hybrid_rank else (),
        standings=standings(hit.scores) if words and hit.scores.hybrid_rank else (),
        patient_line=with_patient(asked, hit.patient_id),
        record=record(hit, place, numbers),
        synthetic=hit.collection == DEMO,
        said=said_of(hit, lights),
        similar=place.similar(hit),
        beside=place.beside(hit),
    )


def record(hit: Hit, place: Place, numbers: Mapping[str, int]) -> str:
    number = numbers.get(hit.patient_id)
    return place.record(number) if number else ""


def _matched(hit: Hit) -> Matched:
    return TIERS.get(hit.tier) or MATCHED.get(hit.matched, MATCHED["meaning"])


def said_of(hit: Hit, lights: Lights) -> tuple[Said, ...]:
    found = (f for f in hit.findings if f in lights.named)
    told = (Said(f.name, f.says, _telling(f), because(f, hit.text, hit.begin), lights.of(f)) for f in found)
    return tuple(dict.fromkeys(told))


def _telling(finding: Finding) -> str:
    if finding.says != "present":
        return ""
    return finding.result or ("" if finding.status in USUAL.values() else finding.status)


def stages(scores: Scores) -> tuple[Stage, ...]:
    return (
        _stage("Words found (BM25)", scores.bm25, scores.bm25_rank, 2),
        _stage(SIMILAR, scores.knn, scores.knn_rank, 3),
        _stage("Both (fused)", scores.hybrid, scores.hybrid_rank or None, 4),
        _stage("Read closely (cross-encoder)", scores.cross, None, 3),
        _stage("All together (reranked)", scores.rerank, scores.rerank_rank, 3),
    )


def standings(scores: Scores) -> tuple[tuple[str, str], ...]:
    """How near the top the hit stood by each way to look for it, in words; the figures are `stages`."""
    told = (
        ("Words found", place_of(scores.bm25_rank)),
        ("Similar in meaning", place_of(scores.knn_rank)),
        ("By both", place_of(scores.hybrid_rank)),
    )
    return (*told, ("After a closer reading", place_of(scores.rerank_rank))) if scores.rerank_rank else told


def place_of(rank: int | None) -> str:
    """
    >>> [place_of(rank) for rank in (1, 2, 3, 4, 11, 13, 21, 112)]
    ['1st place', '2nd place', '3rd place', '4th place', '11th place', '13th place', '21st place', '112th place']
    >>> place_of(None)
    'not among the first'
    """
    if rank is None:
        return "not among the first"
    ending = "th" if rank // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending} place"


def _stage(name: str, score: float | None, rank: int | None, digits: int) -> Stage:
    return Stage(name, "–" if score is None else f"{score:.{digits}f}", "–" if rank is None else str(rank))
