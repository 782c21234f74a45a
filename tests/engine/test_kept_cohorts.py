"""Cohorts that are kept: saved, asked again after notes changed, combined, compared, run by a real worker."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from ingest.cohorts.finding import Finder
from ingest.cohorts.store import Store
from ingest.ledger.database import writing
from ingest.ledger.ledger import now
from ingest.ledger.tables import cohorts
from search_stack.cohorts.version import Version
from search_stack.core.errors import NotPossible
from search_stack.language.lexicon.current import Current
from search_stack.query.understand import Understanding
from search_stack.retrieval.searcher import Searcher

pytestmark = pytest.mark.engine
EFFUSION, CLEAR = "FINDINGS:\nModerate right pleural effusion.", "FINDINGS:\nThe lungs are clear. No pleural effusion."
NOTES = {
    "A-1": ("A", "F", "1950-01-01", "2020-01-01", EFFUSION),
    "B-1": ("B", "M", "1960-01-01", "2020-02-01", EFFUSION),
    "C-1": ("C", "F", "1970-01-01", "2020-03-01", EFFUSION),
    "D-1": ("D", "M", "1980-01-01", "2020-04-01", CLEAR),
    "E-1": ("E", "F", "1990-01-01", "2020-05-01", "FINDINGS:\nWet pleura on the right."),
    "F-1": ("F", "M", "1955-01-01", "2020-06-01", EFFUSION),
    "G-1": ("G", "M", "1956-01-01", "2020-07-01", EFFUSION),
}
WET = "id,name,kind,parents,synonyms,abbreviations,exclusions,denials\nwet,wet pleura,disorder,pleural-effusion,,,,\n"


@pytest.fixture
def bring(empty_stack: Any, make_csv: Callable[..., Path]) -> Callable[..., None]:
    """Ingest notes; what is given by id replaces the text."""

    def make(*names: str, **texts: str) -> None:
        rows = [
            {
                "note_id": name,
                "patient_id": NOTES[name][0],
                "sex": NOTES[name][1],
                "birth_date": NOTES[name][2],
                "date": NOTES[name][3],
                "text": texts.get(name.replace("-", "_"), NOTES[name][4]),
            }
            for name in names
        ]
        status, _, errors = empty_stack.run("ingest", make_csv(rows))
        assert status == 0, errors

    return make


@pytest.fixture
def said(empty_stack: Any) -> Callable[..., Any]:
    """What `aspectra cohort …` prints, as JSON where it is asked for."""

    def run(*arguments: object) -> Any:
        given = ["cohort", *map(str, arguments)]
        status, out, errors = empty_stack.run(*given)
        assert status == 0, errors
        return json.loads(out) if "--json" in given else out

    return run


def who(rows: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """By patient, why each piece of evidence moved."""
    return {r["patient"]: {e["moved"]: e["why"] for e in r["evidence"]} for r in rows}


def test_the_same_question_on_another_day(
    empty_stack: Any, bring: Callable[..., None], said: Callable[..., Any], tmp_path: Path
) -> None:
    place = empty_stack
    bring("A-1", "B-1", "C-1", "D-1", "E-1", "F-1")
    first = said("save", "wet", "pleural effusion", "--description", "Who has fluid.", "--json")
    assert (first["version"], first["patients"], first["notes"], first["undated"]) == (1, 4, 4, 0)
    assert first["attrition"] == [{"step": "pleural effusion", "patients": 4, "notes": 4}]
    assert first["origin"]["line"] == "pleural effusion"
    assert len(first["provenance"]["labels"]) == 1

    # A note is deleted, one changed, one brought in, and one labelled anew by a lexicon that knows more.
    assert place.run("delete", "B-1", "--yes")[0] == 0
    bring("C-1", "F-1", "G-1", C_1=CLEAR, F_1=EFFUSION + " Unchanged since.")
    place.settings.lexicon_folder.mkdir(exist_ok=True)
    (place.settings.lexicon_folder / "wet.csv").write_text(WET)
    try:
        status, _, errors = place.run("reindex", "--labels-only")
        assert status == 0, errors
        now_found = said("diff", "wet", "--json")
        assert now_found["to"] is None
        second = said("save", "wet", "--again", "--json")
        assert (second["version"], second["patients"]) == (2, 4)
    finally:
        (place.settings.lexicon_folder / "wet.csv").unlink()
    kept = said("diff", "wet@1", "wet@2", "--json")
    assert {**kept, "to": None, "generation": ""} == {**now_found, "generation": ""}
    assert kept["counts"] == {"new": 2, "gone": 2, "changed": 1}
    assert who(kept["new"]) == {"G": {"came": "new note"}, "E": {"came": "relabelled note"}}
    assert who(kept["gone"]) == {"B": {"went": "deleted note"}, "C": {"went": "changed note"}}
    assert who(kept["changed"]) == {"F": {"rewritten": "changed note"}}
    assert kept["reasons"]["gone"] == {"deleted note": 1, "changed note": 1}
    assert {"the lexicon", "the labels of the index"} <= set(kept["other_than_before"])
    assert kept["gone"][0]["evidence"][0]["day"] == "2020-02-01"
    shown = said("diff", "wet", "1", "2")
    assert "deleted note" in shown
    assert "2 gone" in shown

    # Made of others, and of a list.
    ids = tmp_path / "ids.txt"
    ids.write_text("A\nnobody\nD\nA\n")
    listed = said("import", "list", ids, "--json")
    assert (listed["patients"], listed["origin"]["import"]["unknown"]) == (2, 1)
    assert [(r["line"], r["reason"]) for r in listed["left_out"]] == [
        (2, "no patient has this id"),
        (4, "line 1 has this id already"),
    ]
    both = said("combine", "both", "intersection", "wet", "list", "--json")
    assert (both["patients"], both["notes"]) == (1, 1)
    assert [o["cohort"] for o in both["origin"]["of"]] == ["wet", "list"]
    # A kept cohort as a part of a question, by its newest version.
    inside = said("run", "pleural effusion -cohort:wet@1 cohort:wet", "--json")
    assert (inside["patients"], inside["cohorts"]) == (2, ["wet@2", "wet@1"])
    compared = said("compare", "wet", "list", "--json")
    assert compared["patients"] == {"only_first": 3, "both": 1, "only_second": 1}
    found = {(d["kind"], d["value"]): (d["first"], d["second"]) for d in compared["differences"]}
    assert found["finding", "pleural effusion, absent"] == (0, 1)
    assert found["finding", "pleural effusion, present"] == (3, 1)
    assert found["sex", "female"] == (2, 1)
    assert compared["age"]["first"]["known"] == 4

    assert said("delete", "wet", "--yes", "--json") == {"name": "wet", "versions": 2}
    assert said("show", "both", "--json")["patients"] == 1
    assert [c["name"] for c in said("list", "--json")] == ["both", "list"]
    assert "intersection of wet@2 and list@1" in said("show", "both")
    for name in ("both", "list"):
        said("delete", name, "--yes")


def test_a_line_that_counts_back_counts_from_the_day_on_which_it_is_run(
    empty_stack: Any, bring: Callable[..., None], said: Callable[..., Any]
) -> None:
    place, store = empty_stack, Store(empty_stack.ledger.engine)
    bring("A-1", "B-1", "F-1")  # of January, February and June 2020
    understanding = Current(place.settings.lexicon_folder, Understanding.of)
    searcher = Searcher(
        place.client, place.settings, place.encoder, None, understanding=understanding, ledger=place.ledger
    )
    finder = Finder(searcher, place.ledger, place.settings)
    then = datetime(2021, 5, 20, 12, tzinfo=UTC)

    def saved(line: str, read: str = "") -> Version:
        """As on that day; ``read`` is what the line was read as, where not as now."""
        found = finder.find(searcher.understand(read or line, then.date()).query, "patient", line)
        return store.save("back", replace(found, provenance=replace(found.provenance, seen=then)), "mo")

    kept = saved("pleural effusion in the last year")
    assert len(kept.patients) == 1
    assert len(finder.again(kept).patients) == 0
    assert "since 2020-05-20" in said("show", "back")
    since = (now() - timedelta(days=364)).date().isoformat()  # a day of leap years more or less
    assert said("save", "back", "--again", "--json")["origin"]["query"]["all"][1]["value"] < since
    # What names its days, or has no line, stays as it was.
    for line in ("pleural effusion since 2020-05-20", ""):
        assert finder.again(saved(line, "pleural effusion since 2020-05-20")).patients == kept.patients
    changed = saved("pleural effusion in the last year", "pleural effusion in the last two years")
    with pytest.raises(NotPossible, match="its line is read otherwise than then"):
        finder.again(changed)
    said("delete", "back", "--yes")


def test_the_worker_runs_what_is_due_and_keeps_what_has_changed(
    empty_stack: Any, bring: Callable[..., None], said: Callable[..., Any]
) -> None:
    place, store = empty_stack, Store(empty_stack.ledger.engine)
    nightly = cohorts.c.name == "nightly"  # other tests may have left theirs
    bring("A-1", "B-1")
    said("save", "nightly", "pleural effusion")
    assert said("schedule", "nightly", "--every", "1d", "--json")["schedule"]["every"] == 86_400

    def run_now() -> None:
        """Have it due, and wait until it was run."""
        before = now()
        with writing(place.ledger.engine) as c:
            c.execute(update(cohorts).where(nightly).values(due=before - timedelta(hours=1)))
        place.wait(lambda: (store.cohort("nightly").looked or before) > before)

    run_now()
    assert [e.number for e in store.editions("nightly")] == [1]
    bring("B-1", "C-1", B_1=CLEAR)
    run_now()
    kept = store.cohort("nightly")
    assert (kept.newest.number, kept.newest.scheduled, kept.problem) == (2, True, "")
    assert kept.due is not None
    assert timedelta(hours=22) < kept.due - now() < timedelta(hours=24)
    found = said("diff", "nightly", "1", "2", "--json")
    assert (who(found["new"]), who(found["gone"])) == ({"C": {"came": "new note"}}, {"B": {"went": "changed note"}})
    said("schedule", "nightly", "--off")
    with place.ledger.engine.connect() as c:
        left = c.execute(select(cohorts.c.every, cohorts.c.due, cohorts.c.claim).where(nightly)).all()
    assert left == [(None, None, None)]
    said("delete", "nightly", "--yes")
