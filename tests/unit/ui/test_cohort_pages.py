"""The pages of kept cohorts without an engine: what is listed, changed, combined, scheduled, ordered and deleted."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ingest.cohorts.finding import provenance
from ingest.cohorts.lists import given_list
from ingest.cohorts.store import Store
from ingest.handover.jobs import Job, Jobs
from ingest.ledger import Ledger
from search_stack.cohorts.changes import changes
from search_stack.cohorts.combining import combined
from search_stack.cohorts.contrast import Difference
from search_stack.cohorts.facets import Counted
from search_stack.cohorts.overview import Overview, Said
from search_stack.cohorts.rows import NO_NOTE, Rows
from search_stack.cohorts.version import Asked, Left, NoteStates, Operand, Version
from search_stack.core.schema import Note
from search_stack.core.settings import Settings
from search_stack.query.nodes import Fact
from search_stack.retrieval.evidence import Criterion, ShownFact
from tests.unit.aspectra.test_cohort_commands import found
from ui.app import create_app
from ui.changes_page import because, kinds
from ui.cohort_page import figures, step_bars
from ui.compare_page import of_kind, standardised
from ui.export_page import percent, words
from ui.members_page import FactLine, changed_since, fact_lines, looked_at

SECRET = "canary8317"


@pytest.fixture(scope="module")
def app(settings: Settings, ledger: Ledger) -> Flask:
    """Patients p1 to p30 with a note each, by the numbers and keys 1 to 30."""
    notes = [Note(f"n{p}", "Text.", f"p{p}", date=date(2020, 1, 1)) for p in range(1, 31)]
    ledger.put(notes, ledger.start_run("x", "csv"))
    return create_app(settings, ledger=ledger)


@pytest.fixture
def store(ledger: Ledger, app: Flask) -> Iterator[Store]:
    store = Store(ledger.engine)
    yield store
    for kept in store.cohorts():
        store.delete(kept.id)


def text_of(answer: TestResponse) -> str:
    """What a reader sees, on one line."""
    main = answer.text.split('<main id="main"')[1].split("</main>")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())


def page(client: FlaskClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return text_of(answer)


def post(client: FlaskClient, path: str, **fields: str) -> TestResponse:
    return client.post(path, data=fields, headers={"Sec-Fetch-Site": "same-origin"})


def test_where_nothing_is_kept_the_page_teaches(client: FlaskClient, store: Store) -> None:
    said = page(client, "/cohorts")
    assert "No cohort is kept yet" in said
    assert "Save cohort" in said


def test_nothing_is_to_be_chosen_where_two_are_lacking(client: FlaskClient, store: Store) -> None:
    page = client.get("/cohorts/compare").text
    assert "There is nothing to compare yet" in page
    assert "cohort-choose" not in page


def test_the_list_tells_what_each_asks_and_who_saved_it(client: FlaskClient, store: Store) -> None:
    store.save("copd", found(1, 2), "mo", "For <the> audit")
    saved = store.save("copd", found(2, 3, 4), "jo")
    store.save("registry", found(5), "kim")
    store.schedule("copd", 172_800)
    said = page(client, "/cohorts")
    assert "copd For <the> audit fever 3 2" in said
    assert "by jo" in said
    assert "every 2 days" in said
    assert page(client, f"/cohorts/{saved.cohort_id}") == page(client, f"/cohorts/{saved.cohort_id}/versions/2")


def test_a_version_is_told_without_an_engine_but_for_what_only_the_index_knows(
    client: FlaskClient, store: Store
) -> None:
    first = store.save("copd", found(1, 2, 3), "mo")
    store.save("copd", found(1), "mo")
    answer = client.get(f"/cohorts/{first.cohort_id}/versions/1")
    said = text_of(answer)
    assert "copd version 1 of 2" in said
    assert "There is a newer one" in said
    assert "Patients 3 Notes of evidence 3" in said
    assert "1 note without a date was left out" in said
    assert "cannot be counted now" in said
    assert 'name="line" value="fever"' in answer.text  # it can be asked anew
    assert "since version 1" in said
    for path in ("9/versions/1", f"{first.cohort_id}/versions/3", str(2**70), f"{first.cohort_id}/versions/{2**70}"):
        page(client, f"/cohorts/{path}", 404)


def test_its_patients_come_in_pages_each_with_the_notes_of_the_evidence(
    client: FlaskClient, store: Store, ledger: Ledger
) -> None:
    saved = store.save("many", replace(found(*range(1, 28)), steps=()), "mo")
    path = f"/cohorts/{saved.cohort_id}/versions/1/patients"
    first, second = client.get(path).text, client.get(f"{path}?page=2").text
    assert re.findall(r'href="/patients/(\d+)"', first) == [str(n) for n in range(1, 21)]
    assert re.findall(r'href="/patients/(\d+)"', second) == [str(n) for n in range(21, 28)]
    assert 'href="/notes/20"' in first
    assert 'start="21"' in second
    assert client.get(f"{path}?page=99").text == second
    assert "What the notes say cannot be shown now" in first
    ledger.mark_deleting(["n30"])
    gone = store.save("gone", found(30), "mo")
    assert "1 note of the evidence was deleted since." in page(client, f"/cohorts/{gone.cohort_id}/versions/1/patients")


def test_a_list_has_patients_and_no_evidence(client: FlaskClient, store: Store, ledger: Ledger) -> None:
    saved = store.save("list", given_list(["p3", "p4", "nobody"], "0" * 64, ledger).found, "mo")
    said = page(client, f"/cohorts/{saved.cohort_id}")
    assert "a list of 3 ids, 1 of them unknown" in said
    assert "cannot be run by itself" in said
    assert "Ask it anew" not in said
    assert "A list has no evidence." in page(client, f"/cohorts/{saved.cohort_id}/versions/1/patients")
    assert post(client, f"/cohorts/{saved.cohort_id}/again").status_code == 409
    assert post(client, f"/cohorts/{saved.cohort_id}/schedule", number="1", unit="d").status_code == 409


def test_what_has_changed_is_told_in_words(client: FlaskClient, store: Store) -> None:
    store.save("copd", found(1, 2, 3), "mo")
    saved = store.save("copd", found(2, 3, 4, version=2), "mo")
    path = f"/cohorts/{saved.cohort_id}/changes"
    said = page(client, path)
    assert said == page(client, f"{path}?old=1&new=2")
    assert "From copd@1 to copd@2: 3 patients, then 3 patients." in said
    assert "New 1 1 because of a new note" in said
    assert "Gone 1 1 because of another note of the patient" in said
    assert "In both, by other evidence 2 2 because of a note with another text" in said
    assert "p4 New Came because of a new note: 2020-01-01 note n4" in said
    assert "p2 In both, by other evidence Rewritten because of a note with another text: 2020-01-01 note n2" in said
    assert "is older than" in page(client, f"{path}?old=2&new=1")
    assert "Nothing has changed" in page(client, f"{path}?old=1&new=1")
    for wrong in ("old=1&new=9", "old=9&new=1", "old=9&new=0"):
        assert "has no version 9" in page(client, f"{path}?{wrong}", 404)
    single = store.save("one", found(1), "mo")
    assert "There is one version yet." in page(client, f"/cohorts/{single.cohort_id}/changes")


def test_where_the_query_changed_the_reason_says_so(store: Store) -> None:
    assert because("other", True) == "another query"
    assert because("new note", True) == because("new note", False) == "a new note"
    told = kinds(changes(found(1, 2), found(2, 3)), another_query=True)
    assert [(kind.name, kind.count) for kind in told] == [("New", 1), ("Gone", 1), ("In both, by other evidence", 0)]
    assert told[1].reasons == (("another query", 1),)


def test_two_are_combined_under_a_new_name_or_a_taken_one_after_asking(client: FlaskClient, store: Store) -> None:
    a, b = store.save("a", found(1, 2, 3), "mo"), store.save("b", found(3, 4), "mo")
    both = {"a": f"{a.cohort_id}.1", "b": f"{b.cohort_id}.1"}
    expected = {"intersection": [3], "union": [1, 2, 3, 4], "difference": [1, 2], "turned": [4]}
    for operation, patients in expected.items():
        answer = post(client, "/cohorts/combine", **both, operation=operation, name=f"made-{operation}")
        assert answer.status_code == 303
        made = store.version(f"made-{operation}")
        assert answer.location == f"/cohorts/{made.cohort_id}/versions/1"
        assert made.numbers.tolist() == patients
    said = page(client, answer.location)
    assert "Patients in b@1 and not in a@1" in said
    wish = {**both, "operation": "union", "name": "Made-Turned", "description": "again"}
    asked = post(client, "/cohorts/combine", **wish)
    assert asked.status_code == 200
    assert "made-turned is there already, with 1 version" in text_of(asked)
    assert "Save as version 2 of made-turned" in text_of(asked)
    assert store.version("made-turned").number == 1
    # Another name that is taken too is asked for again.
    assert post(client, "/cohorts/combine", **{**wish, "name": "a"}, known="Made-Turned").status_code == 200
    assert post(client, "/cohorts/combine", **wish, known="Made-Turned").status_code == 303
    made = store.version("made-turned")
    assert (made.number, made.numbers.tolist()) == (2, [1, 2, 3, 4])
    assert store.cohort("made-turned").description == "again"
    for wrong in ({**both, "operation": "xor"}, {"a": "1", "b": "2", "operation": "union"}):
        assert post(client, "/cohorts/combine", **wrong, name="x").status_code == 400
    store.delete("a")
    assert "a@1 (deleted since)" in page(client, f"/cohorts/{made.cohort_id}")
    assert post(client, "/cohorts/combine", **both, operation="union", name="x").status_code == 404


def test_a_wrong_name_is_told_beside_what_was_typed(client: FlaskClient, store: Store) -> None:
    a = store.save("a", found(1), "mo")
    both = {"a": f"{a.cohort_id}.1", "b": f"{a.cohort_id}.1", "operation": "union"}
    answer = post(client, "/cohorts/combine", **both, name=f"{SECRET} x", description="for the audit")
    assert answer.status_code == 400
    assert "This is no name for a cohort." in text_of(answer)
    assert f'value="{SECRET} x"' in answer.text
    assert "for the audit</textarea>" in answer.text
    answer = post(client, "/cohorts/combine", **both, name="x", description="x" * 2_001)
    assert (answer.status_code, "2,000 characters" in text_of(answer)) == (400, True)


def test_a_search_that_is_not_kept_any_more_saves_nothing(client: FlaskClient, store: Store) -> None:
    assert post(client, "/cohorts", token="x" * 22, name="a").status_code == 410
    made = post(client, "/search", line="fever")
    answer = post(client, "/cohorts", token=made.location.rpartition("/")[2], name="a")
    assert answer.status_code == 503  # no engine answers here
    assert store.cohorts() == []


def test_a_schedule_is_set_and_stopped(client: FlaskClient, store: Store) -> None:
    saved = store.save("copd", found(1), "mo")
    path = f"/cohorts/{saved.cohort_id}/schedule"
    assert post(client, path, number="2", unit="w").status_code == 303
    assert store.cohort("copd").every == 1_209_600
    assert "A worker runs it every 2 weeks, next at 20" in page(client, f"/cohorts/{saved.cohort_id}")
    for number, unit in (("0", "d"), ("1", "y"), ("x", "d"), ("-1", "d"), ("9" * 30, "m"), ("99999", "w")):
        assert post(client, path, number=number, unit=unit).status_code == 400
    assert store.cohort("copd").every == 1_209_600
    assert post(client, path, number="2", unit="w", stop="1").status_code == 303
    assert store.cohort("copd").every is None


def test_it_is_deleted_after_telling_what_goes(client: FlaskClient, store: Store) -> None:
    store.save("copd", found(1), "mo")
    saved = store.save("copd", found(1), "mo")
    path = f"/cohorts/{saved.cohort_id}/delete"
    assert "2 versions go, with all that they keep." in page(client, path)
    assert store.cohort("copd")
    assert post(client, path).location == "/cohorts"
    assert store.cohorts() == []
    assert post(client, path).status_code == 404


def test_an_export_is_ordered_followed_and_fetched(client: FlaskClient, store: Store, ledger: Ledger) -> None:
    saved = store.save("copd", found(1, 2), "mo")
    path = f"/cohorts/{saved.cohort_id}/versions/1/export"
    assert "Parquet" in page(client, path)
    for wrong in ({"format": "xls"}, {"format": "omop", "definition": "0"}, {"format": "omop", "definition": "x"}):
        assert post(client, path, **wrong).status_code == 400
    assert Jobs(ledger.engine).all() == []
    answer = post(client, path, format="omop", plain_cells="on", definition="7")
    assert answer.status_code == 303
    made = Jobs(ledger.engine).all()[0]
    assert (made.form, made.options["text"], made.options["guard"], made.options["definition"]) == (
        "omop",
        False,
        False,
        7,
    )
    assert answer.location == f"/exports/{made.id}"
    assert "Waiting for a worker" in page(client, answer.location)
    assert client.get(f"{answer.location}/state").json == {
        "over": False,
        "percent": 0,
        "words": "waiting for a worker",
    }
    claimed = Jobs(ledger.engine).claim()
    assert claimed
    Jobs(ledger.engine).tell(claimed[0], "patients", 1, 2)
    told = client.get(f"{answer.location}/state").json
    assert told == {"over": False, "percent": 50, "words": "1 of 2 patients written"}
    made.output.mkdir()
    (made.output / "COHORT.csv").write_text("rows")
    assert client.get(f"{answer.location}/files/omop/COHORT.csv").status_code == 404  # not before it is done
    Jobs(ledger.engine).finish(claimed[0])
    shown = client.get(answer.location)
    assert f'href="{answer.location}/files/omop/COHORT.csv"' in shown.text
    assert "exports.js" not in shown.text
    assert client.get(f"{answer.location}/files/omop/COHORT.csv").text == "rows"
    for name in ("omop/../../x", "nothing", ".omop.export/x"):
        assert client.get(f"{answer.location}/files/{name}").status_code == 404
    assert f"{made.id} copd@1 OMOP CDM 5.4 done" in page(client, path)
    store.delete("copd")
    another = store.save("copd", found(3), "mo")
    assert "OMOP CDM 5.4 done" not in page(client, f"/cohorts/{another.cohort_id}/versions/1/export")
    made.output.joinpath("COHORT.csv").unlink()
    assert "written elsewhere" in page(client, answer.location)
    page(client, "/exports/999", 404)
    page(client, f"/exports/{2**70}", 404)


def test_steps_tell_how_many_each_lost() -> None:
    told = step_bars((Left("a", 40, 90), Left("b", 10, 20), Left("or c", 30, 60)))
    assert [(step.length, step.lost, step.share) for step in told] == [
        (100, 0, "100 %"),
        (25, 30, "25 %"),
        (75, 0, "75 %"),
    ]
    assert step_bars((Left("a", 0, 0),))[0].length == 0


def test_figures_hold_what_is_counted() -> None:
    ages = (("20-29", (1, 0)), ("30-39", (2, 3)))
    findings = (Said("fever", {"absent": 6, "present": 3}), Said("cough", {"present": 1}))
    told = figures(Overview(("female", "male"), ages, (Counted("2019", 2),), (Counted("letter", 6),), findings), 6)
    assert [(bar.label, bar.count) for bar in told.of_sex] == [("female", 3), ("male", 3)]
    assert told.assertions == ("present", "absent")
    assert [[cell.count for cell in row.cells] for row in told.findings] == [[3, 6], [1, 0]]
    assert told.findings[0].cells[1].length == 100


def test_evidence_of_a_patient_begins_with_the_first_notes() -> None:
    rows = Rows.of([1, 1, 1, 1, 1, 2, 3], [9, 1, 2, 3, 3, 5, 6], [10, 11, 12, 13, 14, NO_NOTE, 30])
    assert looked_at(rows, np.array([1, 2, 4])) == {1: [11, 12, 13], 2: [], 4: []}
    states = NoteStates(*(np.array(column) for column in ([10, 11], [1, 2], [0, 0], [0, 0])))
    assert changed_since(states, {10: 1, 11: 3, 12: 5}) == {11}


def test_facts_are_shown_on_the_days_that_are_evidence() -> None:
    rows = Rows.of([1, 1, 2], [18_262, 18_300, 18_262], [NO_NOTE, 7, NO_NOTE])
    criteria = [Criterion(Fact("icd10", "I48"), "atrial fibrillation", {})]
    shown = [ShownFact(1, 18_300, 5, (0,)), ShownFact(2, 18_262, 6, (0,)), ShownFact(1, 18_262, 4, (0,))]
    one = (FactLine("2020-01-01", "atrial fibrillation"),)
    assert fact_lines(shown, criteria, rows) == {1: one, 2: one}


def test_differences_and_progress_in_words() -> None:
    assert [standardised(v, "none") for v in (0.0, -0.456, None)] == ["+0.00", "−0.46", "none"]
    at = datetime(2027, 3, 1, 12, 0, tzinfo=UTC)
    job = Job(1, Operand("a", 1, 1), "csv", Path("x"), {}, at, "mo", "running", 1, "rows", 30, 40, None, "", 0)
    assert (words(job), percent(job)) == ("30 of 40 rows written", 75)
    assert (words(replace(job, total=0)), percent(replace(job, total=0))) == ("begun", 0)
    done = replace(job, state="done", finished=at + timedelta(minutes=1))
    assert (words(done), percent(done)) == ("done 2027-03-01 12:01 UTC", 100)


def test_no_name_stands_in_an_address(client: FlaskClient, store: Store, ledger: Ledger) -> None:
    a = store.save(SECRET, found(1, 2), "mo")
    b: Version = store.save(f"{SECRET}-b", combined("union", a, a, provenance(ledger)), "mo")
    assert isinstance(a.origin, Asked)
    for path in ("/cohorts", f"/cohorts/{b.cohort_id}", f"/cohorts/{a.cohort_id}/changes"):
        text = client.get(path).text
        assert SECRET in text
        assert not re.search(rf'(?:href|action)="[^"]*{SECRET}', text)


def test_ages_are_compared_in_their_order_and_all_else_by_how_much_it_differs() -> None:
    told = [
        Difference("age band", "90 and older", 4, 0, 0.4, 0.0, 0.9),
        Difference("age band", "20-29", 2, 1, 0.2, 0.1, 0.3),
        Difference("sex", "male", 4, 1, 0.4, 0.1, 0.7),
        Difference("sex", "female", 6, 9, 0.6, 0.9, -0.7),
    ]
    assert [row.value for row in of_kind("age band", told).rows] == ["20-29", "90 and older"]
    assert [row.value for row in of_kind("sex", told).rows] == ["male", "female"]


def test_a_search_from_a_page_of_no_search_lists_patients(client: FlaskClient, store: Store) -> None:
    chosen = re.compile(r'name="scope" value="(\w+)" aria-pressed="true"|value="(\w+)" checked')

    def scope(path: str) -> list[str]:
        return [one or other for one, other in chosen.findall(client.get(path).get_data(as_text=True))]

    assert (scope("/cohorts"), scope("/"), scope("/?scope=note")) == (["patient"], ["patient"], ["note"])
