"""Where the reader is: an address without any text of a query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from flask import url_for

from search_stack.core.schema import Hit
from search_stack.retrieval.answer import ORDERS, Order, Scope
from ui.forms import whole_number
from ui.frame import read_scope

LAST_PAGE = 10_000
FIRST = "first"
"""The order in which passages stand before the cross-encoder has read them, as forms and addresses call it."""


def read_sort(value: str | None) -> Order:
    """The order called ``value``; the best first for anything else."""
    return next((order for order in ORDERS if order == value), "best")


@dataclass(frozen=True, slots=True)
class Place:
    """A page of the results under ``token``; an empty token stands for no results. ``first`` is for the first order."""

    token: str
    scope: Scope = "passage"
    page: int = 1
    first: bool = False
    sort: Order = "best"

    @classmethod
    def read(cls, token: str, said: Mapping[str, str]) -> Place:
        """From what stands behind the question mark; what it does not say, or says wrongly, is the first page of
        passages in their final order."""
        number = whole_number(said.get("page", ""), 99_999)
        first, sort = said.get("order") == FIRST, read_sort(said.get("sort"))
        return cls(token, read_scope(said.get("scope")), min(number or 1, LAST_PAGE), first and sort == "best", sort)

    @property
    def final(self) -> Place:
        """The first page in the final order."""
        return replace(self, page=1, first=False)

    def by(self, sort: Order) -> str:
        """Address of the first page in another order."""
        return replace(self, page=1, first=False, sort=sort).results()

    def results(self, page: int | None = None) -> str:
        """Address of the results, at ``page`` or where the reader is; empty where there are none."""
        return url_for("search.results", token=self.token, **self._rest(page or self.page)) if self.token else ""

    def reordered(self) -> str:
        """Address that gives `final` to the script which shows it in place of the first order."""
        return url_for("search.reordered", token=self.token, **self.final._rest(1))

    def passage(self, hit: Hit) -> str:
        """Address of the hit's note, at the hit."""
        return self.at(hit.note_key, hit.passage_id)

    def at(self, key: int, passage_id: str) -> str:
        """Address of a note, at one of its passages."""
        return url_for("notes.note", key=key, passage=passage_id, **self._origin(), _anchor="passage")

    def beside(self, hit: Hit) -> str:
        """Address of the hit's note, to be shown beside the results."""
        return url_for("notes.beside", key=hit.note_key, passage=hit.passage_id, **self._origin())

    def similar(self, hit: Hit) -> str:
        """Address of the passages that are like the hit."""
        ordinal = hit.passage_id.rpartition(".")[2]
        return url_for("similar.similar", key=hit.note_key, ordinal=ordinal, **self._origin())

    def note(self, key: int, anchor: str | None = None) -> str:
        """Address of a note, with the search that lights its matches; at a place of the page where one is given."""
        return url_for("notes.note", key=key, **self._origin(), _anchor=anchor)

    def record(self, patient_no: int, note: int | None = None) -> str:
        """Address of a patient's page, likewise; at one of the notes, by its key, where one is given."""
        return url_for("patients.patient", no=patient_no, **self._origin(), _anchor=f"note-{note}" if note else None)

    def findings(self, patient_no: int, which: str) -> str:
        """Address of a patient's page, at the table of findings, with those that ``which`` says."""
        return url_for("patients.patient", no=patient_no, findings=which, **self._origin(), _anchor="findings-title")

    def record_part(self, patient_no: int, part: int) -> str:
        """Address of more of a patient's passages."""
        return url_for("patients.passages", no=patient_no, part=part, **self._origin())

    def _origin(self) -> dict[str, Any]:
        return self._rest(self.page) | ({"from": self.token} if self.token else {})

    def _rest(self, page: int) -> dict[str, Any]:
        scope = {} if self.scope == "passage" else {"scope": self.scope}
        order = {"order": FIRST} if self.first else {}
        sort = {} if self.sort == "best" else {"sort": self.sort}
        return scope | sort | ({} if page == 1 else {"page": page}) | order
