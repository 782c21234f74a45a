"""Which of the concepts that are asked for are read otherwise now than as some passages were labelled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from search_stack.cohorts.standing import Known
from search_stack.index.engine import Identified
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.version import fingerprint


class LedgerFacts(Identified, Protocol):
    """What a searcher asks of the ledger."""

    @property
    def people(self) -> Known:
        """What it knows of patients."""

    def labelled_with(self, version: str) -> Mapping[str, str] | None:
        """Fingerprints of the labels of ``version``, by concept; None where that is not known."""


@dataclass(frozen=True, slots=True)
class OlderLabels:
    """Passages labelled before ``names`` were read as they are now: what they say of these may be missing or wrong."""

    names: tuple[str, ...] = ()
    passages: int = 0


def older_labels(
    asked: Iterable[tuple[str, str]], lexicon: Lexicon, reader: str, labels: Mapping[str, int], ledger: LedgerFacts
) -> OlderLabels:
    """Over ``labels``, numbers of passages by version; a concept counts with all its descendants.

    Args:
        asked: names and ids of concepts.
        reader: what finds and judges mentions now, as `search_stack.language.version.read_by` names it.
    """
    now = lexicon.fingerprints
    wanted = {
        name: {i: fingerprint(now[i], reader) if i in now else None for i in (id, *lexicon.descendants(id))}
        for name, id in asked
    }
    names: dict[str, None] = {}
    passages = 0
    for version, count in labels.items():
        known = ledger.labelled_with(version) or {}
        newer = [name for name, own in wanted.items() if any(known.get(i) != its for i, its in own.items())]
        names |= dict.fromkeys(newer)
        passages += count if newer else 0
    return OlderLabels(tuple(names), passages)
