"""The API over a real engine: docs/api.md word for word, and every answer as it is described."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from pydantic import BaseModel

from search_stack.core.client import connect
from search_stack.core.settings import Settings
from search_stack.index.mapping import Indexes
from search_stack.retrieval.searcher import Searcher
from ui.api import answers
from ui.api.problems import PREFIX

pytestmark = pytest.mark.engine
DOCS = Path(__file__).parents[2] / "docs" / "api.md"
WRITTEN = "http://127.0.0.1:8600"


def blocks(language: str, page_url: str) -> list[str]:
    found = re.findall(rf"^```{language}\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert all(WRITTEN in block for block in found)
    return [block.replace(WRITTEN, page_url) for block in found]


def test_the_tours_run_as_they_are_written(page_url: str) -> None:
    (curl,) = blocks("sh", page_url)
    done = subprocess.run(["bash", "-euc", curl.replace("curl -s ", "curl -sf ")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert '"attrition"' in done.stdout
    assert '"items"' in done.stdout
    said = []
    for python in blocks("python", page_url):
        done = subprocess.run([sys.executable, "-c", python], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    records, kept = said
    assert re.search(r"^\d+ patients$", records, re.MULTILINE)
    assert re.fullmatch(r"[1-9]\d* patients, 0 new since\n", kept)


@pytest.mark.parametrize("scope", ["passage", "note", "patient"])
def test_a_search_answers_as_the_searcher_does_in_the_shape_that_is_described(
    page_url: str, stack: Settings, scope: Any
) -> None:
    line = "pneumothorax"
    # What other tests deleted counts in BM25 until the engine merges it away, which it does when it likes.
    client = connect(stack)
    indexes = Indexes(client, stack)
    client.indices.forcemerge(index=indexes.alias, params={"max_num_segments": 1})
    indexes.refresh()
    found = post(page_url, "search", {"line": line, "scope": scope, "size": 3, "page": 2}, answers.SearchAnswer)
    searcher = Searcher.from_settings(stack, None)
    same = searcher.ask(line, scope, 2, 3).json()
    assert found["counts"] == same["counts"]
    assert [g["key"] for g in found["groups"]] == [g["key"] for g in same["groups"]]
    again = post(
        page_url, "search", {"query": found["query"], "scope": scope, "size": 3, "page": 2}, answers.SearchAnswer
    )
    assert again["groups"] == found["groups"]
    oldest = {"line": line, "scope": scope, "size": 100, "order": "oldest"}
    days = [group["hits"][0]["date"] for group in post(page_url, "search", oldest, answers.SearchAnswer)["groups"]]
    assert days == sorted(days) != [group["hits"][0]["date"] for group in same["groups"]]


def test_other_answers_have_the_shape_that_is_described(page_url: str) -> None:
    run = post(page_url, "cohorts/run", {"line": "no pneumothorax, cough"}, answers.CohortCount)
    assert run["attrition"][-1]["patients"] == run["patients"] > 0
    assert post(page_url, "suggest", {"start": "pneumoth"}, answers.Suggestions)["items"]
    get(page_url, "patients?limit=2", answers.PatientPage)
    first = get(page_url, "notes?limit=2", answers.NotePage)["items"][0]
    note = get(page_url, f"notes/{first['key']}", answers.WholeNote)
    assert note["findings"]
    assert all(note["text"][f["begin"] : f["end"]] for f in note["findings"])


def test_cohorts_are_kept_as_they_are_counted(page_url: str) -> None:
    asks = {"line": "pleural effusion, no pneumothorax"}
    counted = asked(page_url, "cohorts/run", {**asks, "unit": "note"})
    first = post(page_url, "cohorts", {"name": "first", **asks, "unit": "note"}, answers.SavedVersion)
    try:
        assert first["unit"] == "note"
        for name in ("patients", "notes", "attrition", "undated"):
            assert first[name] == counted[name]
        rows = get(page_url, f"cohorts/{first['cohort']}/versions/1/evidence?limit=1000", answers.EvidencePage)["items"]
        assert len({row["note_key"] for row in rows}) == first["notes"]
        members = get(page_url, f"cohorts/{first['cohort']}/versions/1/patients", answers.MemberPage)["items"]
        assert sum(m["notes"] for m in members) == first["notes"]
        again = post(page_url, "cohorts", {"name": "FIRST", "again": True}, answers.SavedVersion)
        assert (again["name"], again["version"], again["unit"]) == ("first", 2, "note")
        body = {"from": {"cohort": first["cohort"], "version": 1}, "to": {"cohort": first["cohort"]}}
        told = asked(page_url, "cohorts/changes", body)
        answers.Changes.model_validate(told)
        assert told["counts"] == {"new": 0, "gone": 0, "changed": 0}
        both = {"first": {"cohort": first["cohort"], "version": 1}, "second": {"cohort": first["cohort"], "version": 2}}
        told = post(page_url, "cohorts/compare", both, answers.Comparison)
        assert told["patients"] == {"only_first": 0, "both": first["patients"], "only_second": 0}
        assert {d["standardised"] for d in told["differences"]} == {0.0}
    finally:
        with urlopen(Request(f"{page_url}{PREFIX}/cohorts/{first['cohort']}", method="DELETE")) as gone:
            assert gone.status == 204


def test_a_kept_cohort_is_exported_by_the_worker_and_fetched(page_url: str) -> None:
    saved = post(page_url, "cohorts", {"name": "handed", "line": "pleural effusion"}, answers.SavedVersion)
    try:
        export = post(page_url, "exports", {"cohort": saved["cohort"], "format": "csv"}, answers.Export)
        while export["state"] in ("waiting", "running"):
            time.sleep(0.2)
            export = get(page_url, f"exports/{export['export']}", answers.Export)
        assert (export["state"], export["problem"]) == ("done", "")
        assert "cohort.csv" in export["files"]
        with urlopen(f"{page_url}{PREFIX}/exports/{export['export']}/files/cohort.csv") as response:
            rows = list(csv.DictReader(io.TextIOWrapper(response, "utf-8", newline="")))
        assert len({row["patient_id"] for row in rows}) == saved["patients"]
        assert len({row["note_id"] for row in rows}) == saved["notes"]
    finally:
        with urlopen(Request(f"{page_url}{PREFIX}/cohorts/{saved['cohort']}", method="DELETE")):
            pass


def test_a_concept_that_no_lexicon_holds_is_a_problem(page_url: str) -> None:
    with pytest.raises(HTTPError) as refused:
        asked(page_url, "search", {"query": {"finding": "no such thing"}})
    assert refused.value.code == 400
    assert "no such thing" in json.load(refused.value)["title"]


def post(page_url: str, path: str, body: dict[str, Any], shape: type[BaseModel]) -> dict[str, Any]:
    return checked(asked(page_url, path, body), shape)


def get(page_url: str, path: str, shape: type[BaseModel]) -> dict[str, Any]:
    return checked(asked(page_url, path), shape)


def asked(page_url: str, path: str, body: object = None) -> dict[str, Any]:
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{page_url}{PREFIX}/{path}", data, {"Content-Type": "application/json"})) as response:
        return dict(json.load(response))


def checked(body: dict[str, Any], shape: type[BaseModel]) -> dict[str, Any]:
    """The answer, no key of which is without a description."""
    assert set(body) <= set(shape.model_fields)
    shape.model_validate(body)
    return body
