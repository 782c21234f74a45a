"""Which of the concepts that are asked for are newer than the labels of some passages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from search_stack.cohorts.standing import Known
from search_stack.index.engine import Identified
from search_stack.language.lexicon.concepts import Lexicon


class LedgerFacts(Identified, Protocol):
    """What a searcher asks of the ledger."""

    @property
    def people(self) -> Known:
        """What it knows of patients."""

    def labelled_with(self, version: str) -> Mapping[str, str] | None:
        """Fingerprints of the concepts that labels of ``version`` know, by id; None where that is not known."""


@dataclass(frozen=True, slots=True)
class OlderLabels:
    """Passages labelled before the lexicon held ``names`` as it does now: what they say of these is not known."""

    names: tuple[str, ...] = ()
    passages: int = 0


def older_labels(
    asked: Iterable[tuple[str, str]], lexicon: Lexicon, labels: Mapping[str, int], ledger: LedgerFacts
) -> OlderLabels:
    """Over ``labels``, numbers of passages by version; a concept counts with all its descendants. ``asked``: names and
    ids of concepts."""
    wanted = {name: frozenset({id, *lexicon.descendants(id)}) for name, id in asked}
    names: dict[str, None] = {}
    passages = 0
    for version, count in labels.items():
        known = ledger.labelled_with(version) or {}
        newer = [name for name, ids in wanted.items() if any(known.get(i) != lexicon.fingerprints.get(i) for i in ids)]
        names |= dict.fromkeys(newer)
        passages += count if newer else 0
    return OlderLabels(tuple(names), passages)
