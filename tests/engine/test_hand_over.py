"""Cohorts handed over by the command, over a real index: the rows are what the ledger's labels say."""

from __future__ import annotations

import csv
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from fhir.resources.R4B.group import Group

from ingest.ledger.tables import INDEXED

pytestmark = pytest.mark.engine
PACEMAKER = "HISTORY:\nDizzy since Monday.\n\nPROCEDURE:\nA dual chamber pacemaker was implanted."
THORAX = "FINDINGS:\nSmall left apical pneumothorax. No pleural effusion. No pneumothorax on the right."
NOTES = (
    ("A-1", "A", "2020-03-01", PACEMAKER),
    ("A-2", "A", "2020-03-10", THORAX),
    ("B-1", "B", "2020-03-01", PACEMAKER),
    ("B-2", "B", "2020-06-10", THORAX),
    ("C-1", "C", "", THORAX),
    ("D-1", "D", "2021-01-01", "FINDINGS:\nThe lungs are clear.\n\nFAMILY HISTORY:\nMother had a pneumothorax."),
)
NEAR = "pneumothorax within 30 days after pacemaker"


@pytest.fixture
def place(empty_stack: Any, make_csv: Callable[..., Path]) -> Any:
    rows = [
        {"note_id": note, "patient_id": who, "date": day, "text": text, "type": "report"}
        for note, who, day, text in NOTES
    ]
    status, _, errors = empty_stack.run("ingest", make_csv(rows))
    assert status == 0, errors
    return empty_stack


@pytest.fixture
def said(place: Any) -> Callable[..., str]:
    def run(*arguments: object, fails: bool = False) -> str:
        given = ["cohort", *map(str, arguments)]
        status, out, errors = place.run(*given)
        assert (status != 0) is fails, errors
        return out + errors if fails else out

    return run


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_what_is_handed_over_is_what_the_notes_say(
    place: Any, said: Callable[..., str], make_csv: Callable[..., Path], tmp_path: Path
) -> None:
    texts = {note: text for note, _, _, text in NOTES}
    said("save", "thorax", "pneumothorax")
    done = json.loads(said("export", "thorax", "--format", "csv", "--output", tmp_path / "a.csv", "--json"))
    rows = table(tmp_path / "a.csv")
    assert done["evidence"] == {"rows": 3, "rows of finding": 3}
    # The one that is denied in the same passage was not asked for.
    assert [(r["note_id"], r["concept"], r["assertion"], r["date"]) for r in rows] == [
        ("A-2", "pneumothorax", "present", "2020-03-10"),
        ("B-2", "pneumothorax", "present", "2020-06-10"),
        ("C-1", "pneumothorax", "present", ""),
    ]
    for row in rows:
        begin, end = int(row["begin"]), int(row["end"])
        assert texts[row["note_id"]][begin:end] == row["words"] == "pneumothorax"
        assert texts[row["note_id"]][int(row["passage_begin"]) : int(row["passage_end"])] == row["passage"]
    stated = json.loads((tmp_path / "a.csv.provenance.json").read_bytes())
    assert (stated["cohort"]["name"], stated["cohort"]["version"]) == ("thorax", 1)
    assert stated["export"]["index_generation"] == stated["cohort"]["found_in"]["generation"]

    # In time, by words, denied, and by another's: a query that is run now.
    near = json.loads(said("export", NEAR, "--format", "json", "--output", tmp_path / "n.jsonl", "--json"))
    assert (near["patients"], near["evidence"]["rows"]) == (1, 1)
    line = json.loads((tmp_path / "n.jsonl").read_text())
    assert (line["patient_id"], line["note_id"], line["criterion"]) == ("A", "A-2", "pneumothorax")
    said("export", 'words:dizzy "since Monday"', "--format", "parquet", "--output", tmp_path / "w.parquet")
    found = pq.read_table(tmp_path / "w.parquet").to_pylist()
    assert {r["note_id"] for r in found} == {"A-1", "B-1"}
    assert {(r["kind"], r["words"]) for r in found} == {("passage", "Dizzy"), ("passage", "since Monday")}
    query = json.dumps({"any": [{"finding": "pneumothorax", "assertion": a} for a in ("absent", "family")]})
    said("export", query, "--format", "omop", "--output", tmp_path / "omop")
    nlp = table(tmp_path / "omop" / "NOTE_NLP.csv")
    assert {(r["term_exists"], r["lexical_variant"]) for r in nlp} == {("N", "pneumothorax")}
    assert any("trigger=No" in r["term_modifiers"] for r in nlp)
    assert {r["patient_id"] for r in table(tmp_path / "omop" / "undated.csv")} == {"C"}
    assert len(table(tmp_path / "omop" / "COHORT.csv")) == 3

    # A note is changed and one deleted: the version's words are not read from another text.
    changed = (
        {"note_id": "A-2", "patient_id": "A", "date": "2020-03-10", "text": THORAX + " Mild.", "type": "report"},
    )
    status, _, errors = place.run("ingest", make_csv(changed))
    assert status == 0, errors
    assert place.run("delete", "B-2", "--yes")[0] == 0
    place.wait(lambda: place.ledger.counts()[INDEXED] == len(NOTES) - 1)
    said("export", "thorax@1", "--format", "csv", "--output", tmp_path / "b.csv")
    assert [(r["patient_id"], r["note_id"], r["kind"], r["state"]) for r in table(tmp_path / "b.csv")] == [
        ("A", "A-2", "note", "changed"),
        ("B", "", "note", "deleted"),
        ("C", "C-1", "finding", "as found"),
    ]

    # Another state of the index does not go on where this one was cut off.
    out = tmp_path / "c.json"
    command = place.start("cohort", "export", "thorax", "--format", "fhir", "--output", out)
    place.wait(lambda: (tmp_path / ".c.json.export" / "progress.json").exists() or out.exists(), command)
    os.killpg(command.pid, signal.SIGKILL)
    place.end(command)
    if not out.exists():
        said("export", "thorax", "--format", "fhir", "--output", out, "--resume")
    assert [m.entity.identifier.value for m in Group.model_validate_json(out.read_bytes()).member] == ["A", "B", "C"]
    assert "is there already" in said("export", "thorax", "--format", "fhir", "--output", out, fails=True)

    # By the worker, which was given one thing that it cannot do.
    said("export", "thorax", "--format", "csv", "--output", tmp_path / "w.csv", "--background")
    said(
        "export", "pacemaker", "--format", "json", "--output", tmp_path / "gone" / "w.jsonl", "--background", fails=True
    )
    (tmp_path / "gone").mkdir()
    said("export", "pacemaker", "--format", "json", "--output", tmp_path / "gone" / "w.jsonl", "--background")
    (tmp_path / "gone").rmdir()

    def listed() -> dict[str, dict[str, Any]]:
        return {Path(job["output"]).name: job for job in json.loads(said("exports", "--json"))}

    place.wait(lambda: {job["state"] for job in listed().values()} <= {"done", "failed"}, pause=1)
    jobs = listed()
    assert (jobs["w.csv"]["state"], jobs["w.csv"]["of"]) == ("done", "thorax@1")
    assert (jobs["w.jsonl"]["state"], jobs["w.jsonl"]["of"]["line"]) == ("failed", "pacemaker")
    assert "no such folder" in jobs["w.jsonl"]["problem"]
    assert table(tmp_path / "w.csv") == table(tmp_path / "b.csv")
    said("delete", "thorax", "--yes")
