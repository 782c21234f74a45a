"""Rows read page by page: all of them, once, however patients lie and however small a page is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any, cast

import numpy as np
import pytest

from search_stack.cohorts import reading
from search_stack.cohorts.evaluate import Ask
from search_stack.cohorts.reading import GENERATION, Evidence, Kept
from search_stack.cohorts.rows import NO_NOTE, Rows
from search_stack.core.errors import AspectraError
from search_stack.core.reach import EVERYTHING
from search_stack.index.engine import Engine

Row = tuple[int, ...]


class Index:
    """Answers as the engine would: rows in order behind a key, of a range of patients; a clause names its rows."""

    def __init__(self, rows: Mapping[str, Sequence[Row]]) -> None:
        self._rows = {name: sorted(set(some)) for name, some in rows.items()}
        self._lock = Lock()
        self.reach = EVERYTHING
        self.searches = 0
        self.most = 0

    def __call__(
        self, bodies: Sequence[Mapping[str, Any]], told: str = "", read: Callable[[str], Any] = json.loads
    ) -> list[dict[str, Any]]:
        with self._lock:
            self.searches += len(bodies)
            self.most = max(self.most, len(bodies))
        if bodies == [GENERATION]:
            return [{"hits": {"total": {"value": sum(map(len, self._rows.values()))}}}]
        assert "buckets.key" in told
        return list(read(json.dumps([self._answer(body) for body in bodies], separators=(",", ":"))))

    def _answer(self, body: Mapping[str, Any]) -> dict[str, Any]:
        query, low, high = body["query"], -1, 10**9
        if "bool" in query:
            patients, query = query["bool"]["filter"]
            low, high = (patients["range"]["patient_no"][name] for name in ("gte", "lte"))
        found = [r for r in self._rows[query["rows"]] if low <= r[0] <= high]
        composite = body["aggs"]["rows"]["composite"]
        names = [name for source in composite["sources"] for name in source]
        behind = tuple(composite["after"].values()) if "after" in composite else (-1,)
        page = [dict(zip(names, r, strict=True)) for r in found if r > behind][: composite["size"]]
        # Where only some of an answer travels, what is empty is left out.
        told: dict[str, Any] = {}
        if page:
            told["rows"] = {"buckets": [{"key": k} for k in page], "after_key": page[-1]}
        if "last" in body["aggs"]:
            told["last"] = {"value": float(found[-1][0]) if found else None}
        return {"aggregations": told} if told else {}


def evidence(index: Index, facts: Index | None = None) -> Evidence:
    return Evidence(cast(Engine, index), cast(Engine | None, facts), Kept(10**6))


def rows_of(found: Rows) -> list[Row]:
    return list(zip(found.patient.tolist(), found.day.tolist(), found.note.tolist(), strict=True))


@pytest.mark.parametrize("page", [1, 3, 10, 1000])
@pytest.mark.parametrize("crowd", [0, 90])
def test_every_row_of_every_clause_comes_once(page: int, crowd: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PAGE", page)
    monkeypatch.setattr(reading, "EXPECTED", max(1, page * 4 // 5))
    rng = np.random.default_rng(page)
    rows = {
        name: [(int(p), int(rng.integers(-5, 5)), note) for note, p in enumerate(rng.integers(1, 60, size=size))]
        for name, size in (("many", 200), ("few", 7), ("none", 0), ("others", 100))
    }
    # One patient with more rows than a page holds.
    rows["many"] += [(30, 3, 1000 + n) for n in range(crowd)]
    index = Index(rows)
    found = evidence(index).read([Ask({"rows": name}) for name in rows], "now")
    assert [rows_of(f) for f in found] == [sorted(some) for some in rows.values()]
    assert index.most <= reading.TOGETHER


def test_what_fits_a_page_takes_one_search_and_is_not_asked_again() -> None:
    index = Index({"few": [(1, 2, 3)]})
    source = evidence(index)
    for _ in range(2):
        assert rows_of(source.read([Ask({"rows": "few"})], "now")[0]) == [(1, 2, 3)]
    assert index.searches == 1
    source.read([Ask({"rows": "few"})], "later")
    assert index.searches == 2


def test_facts_have_no_note_and_where_there_are_none_it_is_said() -> None:
    nobody, facts = Index({}), Index({"code": [(1, 2), (4, -1)]})
    asked = [Ask({"rows": "code"}, facts=True)]
    assert rows_of(evidence(nobody, facts).read(asked, "now")[0]) == [(1, 2, NO_NOTE), (4, -1, NO_NOTE)]
    with pytest.raises(AspectraError, match="no structured facts"):
        evidence(nobody).read(asked, "now")


def test_what_is_kept_stays_below_its_bytes_and_says_how_many_they_are() -> None:
    one = Rows.of([1], [2], [3])
    kept = Kept(2 * one.nbytes)
    for key in "abc":
        kept.put(key, one)
    assert (kept.get("a"), kept.get("c"), kept.nbytes) == (None, one, 2 * one.nbytes)
