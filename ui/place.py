"""Where the reader is: an address without any text of a query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import url_for

from search_stack.core.schema import Hit
from search_stack.retrieval.answer import Scope
from ui.forms import whole_number
from ui.frame import read_scope

LAST_PAGE = 10_000


@dataclass(frozen=True, slots=True)
class Place:
    """A page of the results under ``token``; an empty token stands for no results."""

    token: str
    scope: Scope = "passage"
    page: int = 1

    @classmethod
    def read(cls, token: str, scope: str | None, page: str | None) -> Place:
        """From an address; what it does not say, or says wrongly, is the first page of passages."""
        number = whole_number(page or "", 99_999)
        return cls(token, read_scope(scope), min(number or 1, LAST_PAGE))

    def results(self, page: int | None = None) -> str:
        """Address of the results, at ``page`` or where the reader is; empty where there are none."""
        return url_for("search.results", token=self.token, **self._rest(page or self.page)) if self.token else ""

    def passage(self, hit: Hit) -> str:
        """Address of the hit's note, at the hit."""
        return self.at(hit.note_key, hit.passage_id)

    def at(self, key: int, passage_id: str) -> str:
        """Address of a note, at one of its passages."""
        return url_for("notes.note", key=key, passage=passage_id, **self._origin(), _anchor="passage")

    def similar(self, hit: Hit) -> str:
        """Address of the passages that are like the hit."""
        ordinal = hit.passage_id.rpartition(".")[2]
        return url_for("similar.similar", key=hit.note_key, ordinal=ordinal, **self._origin())

    def note(self, key: int) -> str:
        """Address of a note, with the search that lights its matches."""
        return url_for("notes.note", key=key, **self._origin())

    def record(self, patient_no: int, note: int | None = None) -> str:
        """Address of a patient's page, likewise; at one of the notes, by its key, where one is given."""
        return url_for("patients.patient", no=patient_no, **self._origin(), _anchor=f"note-{note}" if note else None)

    def record_part(self, patient_no: int, part: int) -> str:
        """Address of more of a patient's passages."""
        return url_for("patients.passages", no=patient_no, part=part, **self._origin())

    def _origin(self) -> dict[str, Any]:
        return self._rest(self.page) | ({"from": self.token} if self.token else {})

    def _rest(self, page: int) -> dict[str, Any]:
        scope = {} if self.scope == "passage" else {"scope": self.scope}
        return scope | ({} if page == 1 else {"page": page})
