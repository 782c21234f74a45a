"""Patients of a cohort by value: years and ages come from its rows, all else from pages of pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from search_stack.cohorts import buckets, facets
from search_stack.cohorts.cohort import Members, NobodyKnown
from search_stack.cohorts.facets import Counted, facets_of, of_people, years
from search_stack.cohorts.plan import Plan
from search_stack.cohorts.rows import NO_NOTE, NONE, UNDATED, Ints, Rows
from search_stack.core.schema import ASSERTIONS
from search_stack.language.lexicon.concepts import Concept, Lexicon
from search_stack.query.nodes import Finding

DAY_OF_2020 = 18_262
LEXICON = Lexicon([Concept("F:1", "fever", "symptom")])
ROWS = Rows.of([1, 1, 1, 2, 3], [-1, 0, DAY_OF_2020, DAY_OF_2020 + 9, UNDATED], [11, 12, 13, 21, NO_NOTE])


def test_a_patient_counts_once_in_each_year_and_without_a_date_in_none() -> None:
    assert years(ROWS) == (Counted("1969", 1), Counted("1970", 1), Counted("2020", 2))
    assert years(NONE) == ()


class Told(NobodyKnown):
    def by_sex(self) -> dict[str, list[int]]:
        return {"male": [3], "female": [1, 2], "other": [7]}

    def ages(self, rows: Rows) -> Ints:
        return np.array([17, 18, 39, 80, -1])


def test_each_counts_once_in_each_band_and_where_nothing_is_known_in_none() -> None:
    bands = {"0-17": 1, "18-39": 1, ">=80": 1}
    assert of_people(ROWS, "patient", Told()) == {"sex": {"female": 2, "male": 1}, "age": bands}
    assert of_people(ROWS, "note", Told()) == {"sex": {"female": 4}, "age": {**bands, "18-39": 2}}
    assert of_people(ROWS, "note", NobodyKnown()) == {"sex": {}, "age": {}}


class Pages:
    """Pairs of a patient and a value by field, a page at a time."""

    def __init__(self, pairs: Mapping[str, Sequence[tuple[int, str]]]) -> None:
        self._pairs = pairs
        self.rounds: list[list[str]] = []

    def __call__(self, bodies: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        asked = [body["aggs"]["rows"]["composite"] for body in bodies]
        self.rounds.append([c["sources"][1]["value"]["terms"]["field"] for c in asked])
        return [self._page(field, c) for field, c in zip(self.rounds[-1], asked, strict=True)]

    def _page(self, field: str, composite: Mapping[str, Any]) -> dict[str, Any]:
        after = tuple(composite.get("after", {"patient": 0}).values())
        left = [p for p in sorted(self._pairs.get(field, ())) if p > after][: composite["size"]]
        keys = [dict(zip(("patient", "value"), pair, strict=True)) for pair in left]
        return {"aggregations": {"rows": {"buckets": [{"key": k} for k in keys], "after_key": (keys or [{}])[-1]}}}


def test_pairs_are_read_to_the_end_and_counted_with_what_the_ledger_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    class Known(NobodyKnown):
        def by_sex(self) -> Mapping[str, Sequence[int]]:
            return {"female": [1, 2, 9], "male": [8], "intersex": [3]}

    for module in (facets, buckets):
        monkeypatch.setattr(module, "PAGE", 2)
    pages = Pages(
        {
            "note_type": [(1, "letter"), (1, "report"), (2, "letter"), (3, "letter"), (3, "")],
            "present": [(1, "F:1")],
            "absent": [(1, "F:1"), (2, "F:1"), (2, "gone")],
        }
    )
    members = Members(Plan(Finding("fever"), {"fever": "F:1"}), ROWS.patients(), ROWS, 0, "")
    told = facets_of(members, pages, Known(), LEXICON)
    assert told == {
        "type": (Counted("letter", 3), Counted("report", 1)),
        "section": (),
        "year": years(ROWS),
        "sex": (Counted("female", 2), Counted("intersex", 1)),
        "age": (),
        "finding": (Counted("fever ruled out", 2), Counted("fever", 1), Counted("gone ruled out", 1)),
    }
    assert pages.rounds == [["note_type", "aspect", *ASSERTIONS], ["note_type", "absent"], ["note_type"]]
