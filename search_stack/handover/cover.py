"""What an export says of itself: of what, by whom, from what, and what each of its files holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from search_stack.cohorts.version import Asked, Found, Version
from search_stack.query.nodes import Node, Not
from search_stack.query.tree import criteria
from search_stack.query.write import readable

VERSION_OF_FORMAT = 3
"""Counts up with every change of columns or files."""


@dataclass(frozen=True, slots=True)
class Cover:
    """Of one export. The same cover and rows give the same bytes."""

    form: str
    found: Found
    description: str
    by: str
    began: datetime
    """Stays as it is where an interrupted export goes on."""
    program: str
    generation: str
    """Of the index that the words were read from; empty where none were."""
    lexicon: str
    text: bool
    """Whether words of notes are written."""
    definition: int
    """OMOP's cohort_definition_id."""

    @property
    def name(self) -> str:
        return self.found.name if isinstance(self.found, Version) else "query"

    @property
    def node(self) -> Node | None:
        """The tree, where one query made the cohort."""
        return self.found.origin.node if isinstance(self.found.origin, Asked) else None

    def asked(self) -> list[tuple[str, bool]]:
        """Each criterion in words, and whether it is excluded."""
        if self.node is None:
            return []
        return [(readable(c.child if isinstance(c, Not) else c), isinstance(c, Not)) for c in criteria(self.node)]

    def json(self) -> dict[str, Any]:
        found = self.found
        of_version = {}
        if isinstance(found, Version):
            of_version = {
                "name": found.cohort,
                "version": found.number,
                "digest": found.digest,
                "made": found.made.isoformat(),
                "by": found.by,
                "description": self.description,
            }
        return {
            "export": {
                "format": self.form,
                "layout": VERSION_OF_FORMAT,
                "by": self.by,
                "at": self.began.isoformat(),
                "program": f"Aspectra {self.program}",
                "words_of_notes": self.text,
                "index_generation": self.generation,
                "lexicon": self.lexicon,
            },
            "cohort": {
                **of_version,
                **found.origin.json(),
                "unit": found.unit,
                "patients": len(found.patients),
                "notes": found.note_count,
                "undated": found.undated,
                "attrition": [{"step": s.step, "patients": s.patients, "notes": s.notes} for s in found.steps],
                "found_in": found.provenance.json(),
            },
        }


@dataclass(slots=True)
class Told:
    """What a format says of what it wrote."""

    rows: dict[str, int] = field(default_factory=dict)
    """By file, without headers."""
    columns: dict[str, Mapping[str, str]] = field(default_factory=dict)
    """By file, what each column means."""
    remarks: list[str] = field(default_factory=list)
    """For a person."""


def whole(cover: Cover, counts: Counter[str], told: Told, files: Mapping[str, tuple[int, str]]) -> dict[str, Any]:
    """The provenance of an export.

    Args:
        counts: of the evidence: rows, by kind and by state.
        files: by name, bytes and SHA-256.
    """
    written = {
        name: {"bytes": size, "sha256": digest, **({"rows": told.rows[name]} if name in told.rows else {})}
        for name, (size, digest) in files.items()
    }
    columns = {name: dict(meanings) for name, meanings in told.columns.items()}
    return {
        **cover.json(),
        "evidence": dict(sorted(counts.items())),
        "remarks": told.remarks,
        "files": written,
        "columns": columns,
    }
