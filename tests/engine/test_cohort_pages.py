"""The pages of kept cohorts over a real engine: saved from a search, told as API and search tell it, handed over."""

from __future__ import annotations

import csv
import html
import io
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ingest.cohorts.profiles import compared
from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from search_stack.cohorts.cohort import Members
from search_stack.core.settings import Settings
from search_stack.retrieval.searcher import Searcher
from ui.app import create_app

pytestmark = pytest.mark.engine
LINE = "heart failure or pneumonia, no pneumothorax"


@pytest.fixture(scope="module")
def ledger(stack: Settings) -> Ledger:
    return Ledger.from_settings(stack)


@pytest.fixture(scope="module")
def searcher(stack: Settings, ledger: Ledger) -> Searcher:
    return Searcher.from_settings(stack, ledger)


@pytest.fixture(scope="module")
def client(stack: Settings, ledger: Ledger, searcher: Searcher) -> FlaskClient:
    settings = stack.model_copy(update={"web_requests_per_minute": 0})
    return create_app(settings, searcher=searcher, ledger=ledger).test_client()


@pytest.fixture
def store(ledger: Ledger) -> Iterator[Store]:
    store = Store(ledger.engine)
    yield store
    for kept in store.cohorts():
        store.delete(kept.id)


def post(client: FlaskClient, path: str, **fields: str) -> TestResponse:
    return client.post(path, data=fields, headers={"Sec-Fetch-Site": "same-origin"})


def saved(client: FlaskClient, line: str, name: str, **fields: str) -> TestResponse:
    token = post(client, "/search", line=line).location.partition("/results/")[2]
    return post(client, "/cohorts", token=token, name=name, **fields)


def shown(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.text


def text_of(page: str) -> str:
    main = page.split('<main id="main"')[1].split("</main>")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())


def cohort(searcher: Searcher, line: str, unit: Any = "patient") -> Members:
    return searcher.cohort(searcher.understand(line).query, unit)[0]


@pytest.mark.parametrize("unit", ["patient", "note"])
def test_what_is_saved_is_what_the_search_counts(
    client: FlaskClient, store: Store, searcher: Searcher, unit: str
) -> None:
    answer = saved(client, LINE, "both", unit=unit, description="Audit")
    assert answer.status_code == 303, answer.text
    kept, expected = store.version("both"), cohort(searcher, LINE, unit)
    assert answer.location == f"/cohorts/{kept.cohort_id}/versions/1"
    assert (kept.unit, kept.numbers.tolist()) == (unit, expected.patients.tolist())
    assert "Save cohort" in shown(client, post(client, "/search", line=LINE).location)
    said = text_of(shown(client, answer.location))
    assert f"Typed: {LINE}" in said
    assert f"Patients {len(expected.patients)} Notes of evidence {len(expected.notes)}" in said
    for step in kept.steps:
        assert f"{step.step} {step.patients} patients" in said
    again = saved(client, "pneumonia", "BOTH")
    assert "both is there already, with 1 version" in text_of(again.text)
    assert store.version("both").number == 1
    assert saved(client, "pneumonia", "BOTH", known="both").status_code == 303
    assert (store.version("both").number, store.cohort("both").description) == (2, "Audit")


@pytest.mark.parametrize(
    ("then", "leads"), [("compare", "/cohorts/compare?a={id}.1"), ("export", "/cohorts/{id}/versions/1/export")]
)
def test_from_the_results_one_goes_on_to_compare_or_export_by_a_name(
    client: FlaskClient, store: Store, then: str, leads: str
) -> None:
    token = post(client, "/search", line=LINE).location.partition("/results/")[2]
    assert f'name="then" value="{then}"' in shown(client, f"/results/{token}")
    asks = post(client, "/cohorts", token=token, then=then)
    assert asks.status_code == 200
    assert f"Save and {then}" in text_of(asks.text)
    assert "door-problem" not in asks.text
    assert f'name="then" value="{then}"' in asks.text
    assert store.cohorts() == []
    answer = post(client, "/cohorts", token=token, then=then, name="on")
    assert answer.location == leads.format(id=store.version("on").cohort_id)
    assert shown(client, answer.location)
    # Where the name is taken it is asked for once more, and leads there all the same.
    assert f'name="then" value="{then}"' in post(client, "/cohorts", token=token, then=then, name="on").text


def test_the_figures_are_those_of_the_search(client: FlaskClient, store: Store, searcher: Searcher) -> None:
    line = "pneumonia"
    saved(client, line, "one")
    version = store.version("one")
    told = searcher.overview(version)
    _, _, facets = searcher.described(searcher.understand(line).query, "patient")
    assert told.years == facets["year"]
    assert told.types == facets["type"]
    assert sum(sum(counts) for _, counts in told.ages) == len(version.patients)
    sexes = {sex: sum(counts[n] for _, counts in told.ages) for n, sex in enumerate(told.sexes)}
    assert {sex: n for sex, n in sexes.items() if sex != "not known"} == {s.value: s.patients for s in facets["sex"]}
    # A finding alone has no more patients than with all below it, and pneumonia has them all.
    counted = {value.value: value.patients for value in facets["finding"]}
    own = {one.name: one.patients for one in told.findings}
    assert all(n.get("absent", 0) <= counted.get(f"{name} ruled out", 0) for name, n in own.items())
    assert 0 < own["pneumonia"]["present"] <= counted["pneumonia"] == len(version.patients)
    page = text_of(shown(client, f"/cohorts/{version.cohort_id}"))
    for kind in told.types:
        assert f"{kind.value} {kind.patients}" in page


def test_of_a_list_all_notes_are_told(client: FlaskClient, store: Store, searcher: Searcher, ledger: Ledger) -> None:
    people = ledger.listing.patients(0, 3)
    body = {"name": "list", "patient_ids": [one.patient_id for one in people]}
    assert client.post("/api/v1/cohorts", json=body).status_code == 201
    told = searcher.overview(store.version("list"))
    notes = [note for one in people for note in ledger.listing.notes(0, 1000, patient_no=one.no)]
    expected = {kind: len({n.patient_no for n in notes if n.type == kind}) for kind in {n.type for n in notes}}
    assert {kind.value: kind.patients for kind in told.types} == expected


def test_each_patient_has_the_passages_that_show_it(client: FlaskClient, store: Store, ledger: Ledger) -> None:
    saved(client, "pneumothorax", "ptx")
    version = store.version("ptx")
    path = f"/cohorts/{version.cohort_id}/versions/1/patients"
    page = shown(client, path)
    parts = page.split('<li class="member">')[1:]
    assert len(parts) == len(version.patients) > 3
    names = ledger.people.ids(version.numbers)
    for part, number in zip(parts, version.numbers.tolist(), strict=True):
        assert f'<a href="/patients/{number}">{names[number]}</a>' in part
        notes = {int(key) for key in re.findall(r'id="note-(\d+)"', part)}
        of_patient = version.rows.note[version.rows.patient == number].tolist()
        assert 1 <= len(notes) <= 3
        assert notes <= set(of_patient)
        for key in notes:
            lit = part.split(f'id="note-{key}"')[1].split("</li>")[0]
            assert re.search(r'<mark class="hue-0">[^<]*pneumothora', lit, re.IGNORECASE), lit
    assert "changed since" not in page


def test_patients_by_structured_facts_show_these(client: FlaskClient, store: Store) -> None:
    saved(client, "fact:icd10:I48", "af")
    version = store.version("af")
    said = text_of(shown(client, f"/cohorts/{version.cohort_id}/versions/1/patients"))
    assert said.count("structured fact: the code icd10:I48") == len(version.rows)
    assert "There is no note: structured facts show it." in text_of(shown(client, f"/cohorts/{version.cohort_id}"))


def test_run_anew_it_is_the_next_version_and_tells_what_changed(client: FlaskClient, store: Store) -> None:
    saved(client, "pneumonia", "one")
    number = store.version("one").cohort_id
    answer = post(client, f"/cohorts/{number}/again")
    assert answer.location == f"/cohorts/{number}/changes?old=1&new=2"
    assert "Nothing has changed" in text_of(shown(client, answer.location))
    saved(client, LINE, "one", known="one")
    told = client.post("/api/v1/cohorts/changes", json={"from": {"cohort": number, "version": 1}}).json
    assert told
    assert told["counts"] == {"new": 0, "gone": 0, "changed": 0}
    assert "From one@1 to now" in text_of(shown(client, f"/cohorts/{number}/changes?old=1&new=0"))
    body = {"from": {"cohort": number, "version": 1}, "to": {"cohort": number, "version": 3}}
    told = client.post("/api/v1/cohorts/changes", json=body).json
    assert told
    said = text_of(shown(client, f"/cohorts/{number}/changes"))  # the newest two
    for kind, name in (("new", "New"), ("gone", "Gone"), ("changed", "In both, by other evidence")):
        assert told["counts"][kind] > 0
        assert f"{name} {told['counts'][kind]} {told['counts'][kind]} because of another query" in said
        for one in told[kind]:
            assert f"{one['patient']} {name}" in said


def test_two_are_compared_as_the_command_does(
    client: FlaskClient, store: Store, searcher: Searcher, ledger: Ledger
) -> None:
    saved(client, "pneumonia", "one")
    saved(client, LINE, "two")
    one, two = store.version("one"), store.version("two")
    found = compared(one, two, searcher, ledger)
    page = shown(client, f"/cohorts/compare?a={one.cohort_id}.1&b={two.cohort_id}.1")
    said = text_of(page)
    assert f"Only in one@1 {found.only_first}" in said
    assert f"In both {found.both}" in said
    assert f"Only in two@1 {found.only_second}" in said
    for d in found.differences:
        assert f"{d.value} {d.first:,} {d.first_share:.1%} {d.second:,} {d.second_share:.1%}" in said
    assert 'class="venn"' in page
    assert "choose" in text_of(shown(client, "/cohorts/compare"))
    # None is compared with itself: it is not offered, and an address that asks for it says so.
    value = f'value="{one.cohort_id}.1"'
    assert shown(client, f"/cohorts/compare?a={one.cohort_id}.1").count(value) == 1
    same = client.get(f"/cohorts/compare?a={one.cohort_id}.1&b={one.cohort_id}.1")
    assert same.status_code == 400
    assert "one@1 would be compared with itself. Choose another one, or another version." in text_of(same.text)
    assert "venn" not in same.text
    assert client.get(f"/cohorts/compare?a={one.cohort_id}.1&b=999.1").status_code == 404


def test_an_export_is_written_by_the_worker(client: FlaskClient, store: Store) -> None:
    saved(client, "pleural effusion", "handed")
    version = store.version("handed")
    path = f"/cohorts/{version.cohort_id}/versions/1/export"
    export = post(client, path, format="csv", text="on").location
    while True:
        told = client.get(f"{export}/state").json
        assert told
        if told["over"]:
            break
        time.sleep(0.2)
    assert told["percent"] == 100
    assert f'href="{export}/files/cohort.csv.provenance.json"' in shown(client, export)
    rows = list(csv.DictReader(io.StringIO(client.get(f"{export}/files/cohort.csv").text)))
    assert len({row["patient_id"] for row in rows}) == len(version.patients)
    assert len({row["note_id"] for row in rows}) == version.note_count
    assert all(row["words"] for row in rows if row["kind"] == "finding")
