"""Sentences with a marked concept and what people say of it (the format of the NegEx test kit)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.records import first, rows
from search_stack.language.labeller import find_mention

COLUMNS = ("concept", "sentence", "assertion", "temporality", "experiencer")
NEGATED = {"Affirmed": False, "Negated": True}
TEMPORALITIES = {"Recent": "recent", "Historical": "historical", "Not particular": "hypothetical"}
EXPERIENCERS = ("Patient", "Family member", "Other")


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A sentence, the concept in it, and what people say of it. The span is empty where it is not there."""

    sentence: str
    begin: int
    end: int
    negated: bool
    temporality: str
    patient: bool


def load(file: Path, limit: int | None = None) -> list[MarkedSentence]:
    """The sentences of a tab-separated file with the columns `COLUMNS`.

    Raises:
        AspectraError: the file cannot be read, lacks a column, or a value is unknown; the
            message names the line and the field.
    """
    found = (_sentence(row, where) for where, row in rows(file, "sentences", COLUMNS, tabs=True))
    return first(found, limit, f"{file}: holds no sentence.", "sentences")


def _sentence(row: Mapping[str, str], where: str) -> MarkedSentence:
    for name, known in (("assertion", NEGATED), ("temporality", TEMPORALITIES), ("experiencer", EXPERIENCERS)):
        if row[name] not in known:
            raise AspectraError(f"{where}: {name}: unknown value.", f"It is one of: {', '.join(known)}.")
    sentence, concept = row["sentence"], row["concept"]
    span = find_mention(sentence, concept.upper()) or find_mention(sentence, concept) or (0, 0)
    return MarkedSentence(
        sentence,
        *span,
        NEGATED[row["assertion"]],
        TEMPORALITIES[row["temporality"]],
        row["experiencer"] == "Patient",
    )
