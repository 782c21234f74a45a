"""How often a model finds the sentence that says the same more alike than the one that does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from search_stack.evaluation.compare import Interval, Share, paired_shares, share
from search_stack.evaluation.datasets.sentence_pairs import SentencePair
from search_stack.evaluation.minimal_pairs import KINDS, Triple
from search_stack.evaluation.tasks.sts import BASELINE, Floats

ALL, APART = "all", "apart"
"""Every triple; those in which wordings stand that nothing is trained with."""
GROUPS = (*KINDS, ALL, APART)


@dataclass(frozen=True, slots=True)
class MinimalPairsReport:
    triples: Mapping[str, int]
    """By group of `GROUPS`, how many there are."""
    notes: int
    systems: Mapping[str, Mapping[str, Share | None]]
    """By system and group the share in the right order; None where there is no triple."""
    intervals: Mapping[str, Mapping[str, Interval | None]]
    """By system other than the baseline, its shares minus the baseline's."""

    def json(self) -> dict[str, Any]:
        return {**asdict(self), "baseline": BASELINE}


def pairs_of(triples: Sequence[Triple]) -> list[SentencePair]:
    """(2 N,): each anchor with what says the same, then each with what does not; the scores mean nothing."""
    near = [SentencePair(t.anchor, t.near, 0) for t in triples]
    return near + [SentencePair(t.anchor, t.far, 0) for t in triples]


def report(triples: Sequence[Triple], scores: Mapping[str, Floats]) -> MinimalPairsReport:
    """Shares with 95 % intervals over notes, of which whole ones are drawn.

    Args:
        scores: by system, (2 N,) of `pairs_of`; a tie is no right order.
    """
    notes = {name: n for n, name in enumerate(dict.fromkeys(t.note for t in triples))}
    members = {group: [n for n, t in enumerate(triples) if _belongs(t, group)] for group in GROUPS}
    of = {group: _summed(triples, notes, dict.fromkeys(numbers, 1.0)) for group, numbers in members.items()}
    hits: dict[str, dict[str, list[float]]] = {}
    for name, own in scores.items():
        right = own[: len(triples)] > own[len(triples) :]
        hits[name] = {g: _summed(triples, notes, {n: float(right[n]) for n in members[g]}) for g in GROUPS}
    others = [name for name in scores if name != BASELINE]
    return MinimalPairsReport(
        {group: len(numbers) for group, numbers in members.items()},
        len(notes),
        {name: {g: share(hits[name][g], of[g]) for g in GROUPS} for name in scores},
        {
            name: {g: paired_shares((hits[name][g], of[g]), (hits[BASELINE][g], of[g])) for g in GROUPS}
            for name in others
        },
    )


def _belongs(triple: Triple, group: str) -> bool:
    return group == ALL or group == triple.kind or (group == APART and triple.apart)


def _summed(triples: Sequence[Triple], notes: Mapping[str, int], values: Mapping[int, float]) -> list[float]:
    """By note, the sum of ``values`` of its triples."""
    out = [0.0] * len(notes)
    for n, value in values.items():
        out[notes[triples[n].note]] += value
    return out
