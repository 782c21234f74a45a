"""The overview of a kept cohort is counted once for a state of the index, and never told to whom it is not for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ingest.cohorts.finding import Finder
from search_stack.cohorts.overview import Overview, told_of
from search_stack.core.reach import Reach
from search_stack.retrieval import searcher as searching
from search_stack.retrieval.searcher import Searcher
from tests.engine.conftest import Place

pytestmark = pytest.mark.engine


def types(told: Overview) -> dict[str, int]:
    return {one.value: one.patients for one in told.types}


def test_an_overview_is_counted_anew_whenever_something_has_changed(
    empty_stack: Place, make_csv: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, counted = empty_stack, []

    def ingest(*given: object) -> None:
        status, _, errors = place.run("ingest", *given)
        assert status == 0, errors

    def note(n: int, kind: str, text: str = "Fever. No cough.") -> dict[str, str]:
        return {"note_id": f"{kind}-{n}", "patient_id": f"P-{n}", "text": text, "type": kind}

    ingest(make_csv([note(n, "letter") for n in (1, 2, 3)], "north.csv"))
    ingest(make_csv([note(n, "report") for n in (3, 4, 5)], "south.csv"))
    searcher = Searcher.from_settings(place.settings, place.ledger)
    finder = Finder(searcher, place.ledger, place.settings)
    found = finder.find(searcher.understand("fever").query, "patient", "fever")

    def counting(*given: Any) -> Any:
        counted.append(given)
        return told_of(*given)

    monkeypatch.setattr(searching, "told_of", counting)
    first = searcher.overview(found)
    assert types(first) == {"letter": 3, "report": 3}
    assert searcher.overview(found) == first
    assert len(counted) == 1

    # Whoever reads for another purpose is told of its collections alone, whoever asked before.
    for covered, expected in (("north", {"letter": 3}), ("south", {"report": 3})):
        reach = Reach(frozenset({covered}))
        theirs = searcher.within(reach, place.ledger.within(reach))
        assert types(theirs.overview(found)) == types(theirs.overview(found)) == expected
    assert len(counted) == 3
    assert searcher.overview(found) == first

    # What is known of patients counts at once, though no note has changed.
    people = tmp_path / "patients.csv"
    people.write_text("patient_id,sex\nP-1,female\nP-2,female\n")
    ingest(people, "--format", "patients")
    told = searcher.overview(found)
    assert {sex: sum(n[place] for _, n in told.ages) for place, sex in enumerate(told.sexes)} == {
        "female": 2,
        "not known": 3,
    }
    assert len(counted) == 3

    # A note that says something else, or is gone.
    ingest(make_csv([note(1, "letter", "Cough. No fever.")], "north.csv"))
    searcher.refresh()
    said = {one.name: dict(one.patients) for one in searcher.overview(found).findings}
    assert said == {"fever": {"present": 4, "absent": 1}, "cough": {"present": 1, "absent": 4}}
    assert place.run("delete", "report-5", "--yes")[0] == 0
    place.wait(lambda: "report-5" not in {s.note.note_id for s in place.notes()})
    searcher.refresh()
    assert types(searcher.overview(found)) == {"letter": 3, "report": 2}
    assert searcher.overview(found) == Searcher.from_settings(place.settings, place.ledger).overview(found)
