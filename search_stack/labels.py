"""Which of the concepts that are asked for are newer than the labels of some passages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from search_stack.criteria import ConceptTerm
from search_stack.lexicon.concepts import Lexicon


class LedgerFacts(Protocol):
    """What a searcher asks of the ledger."""

    @property
    def identity(self) -> str:
        """What an index built from it carries."""

    def labelled_with(self, version: str) -> Mapping[str, str] | None:
        """Fingerprints of the concepts that labels of ``version`` know, by id; None where that is not known."""


@dataclass(frozen=True, slots=True)
class OlderLabels:
    """Passages labelled before the lexicon held ``names`` as it does now: what they say of these is not known."""

    names: tuple[str, ...] = ()
    passages: int = 0


def older_labels(
    asked: Iterable[ConceptTerm], lexicon: Lexicon, labels: Mapping[str, int], ledger: LedgerFacts
) -> OlderLabels:
    """Over ``labels``, numbers of passages by version; a concept counts with all its descendants."""
    wanted = {t.name: frozenset({t.concept, *lexicon.descendants(t.concept)}) for t in asked}
    names: dict[str, None] = {}
    passages = 0
    for version, count in labels.items():
        known = ledger.labelled_with(version) or {}
        newer = [name for name, ids in wanted.items() if any(known.get(i) != lexicon.fingerprints.get(i) for i in ids)]
        names |= dict.fromkeys(newer)
        passages += count if newer else 0
    return OlderLabels(tuple(names), passages)
