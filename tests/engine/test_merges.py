"""Ids that turn out to be one patient: what is kept of cohorts and reviews, before and after, by real commands."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from ingest.cohorts.store import Store
from ingest.review.evidence import evidence_of
from ingest.review.store import Reviews
from search_stack.core.account import present_user
from search_stack.retrieval.searcher import Searcher
from ui.app import create_app

pytestmark = pytest.mark.engine
FACTS = "patient_id,day,system,code,name,value,unit\nA,2020-03-09,icd10,R50,Fever,,\n"


class Reviewed:
    """Four patients with fever in a kept cohort, on three of whom was decided, and one of these was settled."""

    def __init__(self, place: Any, make_csv: Callable[..., Path], folder: Path) -> None:
        self.place, self.folder = place, folder
        rows = [
            {"note_id": f"{p}-1", "patient_id": p, "date": "2020-03-04", "text": f"Day {n}: there is fever."}
            for n, p in enumerate("ABCD")
        ]
        self.bring(make_csv(rows))
        self.table("facts", FACTS)
        self.said("save", "febrile", "fever OR fact:icd10:R50")
        self.searcher = Searcher.from_settings(place.settings, place.ledger)
        self.client: FlaskClient = create_app(place.settings, self.searcher, place.ledger).test_client()
        self.version = Store.of(place.ledger).version("febrile")
        self.path = f"/cohorts/{self.version.cohort_id}"
        self.reviews = Reviews(place.ledger.engine, self.version.cohort_id)
        self.no = place.ledger.people.numbers("ABCD")
        for patient, verdict in (("A", "include"), ("B", "include"), ("C", "exclude")):
            self.send(f"review/{self.no[patient]}", verdict=verdict, comment=f"of {patient}")
        self.send(f"adjudicate/{self.no['A']}", verdict="include")
        seen = evidence_of(self.version, self.no["A"], Store.of(place.ledger), self.searcher, place.ledger)
        self.items = list(seen.items())
        for item in self.items:
            self.send(f"review/{self.no['A']}/mark", mark=f"{item.id} right")

    def bring(self, path: Path, format: str = "auto") -> None:
        status, out, errors = self.place.run("ingest", path, "--format", format)
        assert status == 0, (out, errors)

    def table(self, format: str, content: str) -> None:
        path = self.folder / f"{format}.csv"
        path.write_text(content)
        self.bring(path, format)

    def merge(self, *rows: str) -> None:
        self.table("merges", "patient_id,replaced_by\n" + "".join(f"{row}\n" for row in rows))

    def send(self, path: str, **fields: str) -> None:
        answer = self.client.post(f"{self.path}/{path}", data={"version": "1", **fields})
        assert answer.status_code == 303, answer.text

    def said(self, *arguments: object) -> Any:
        status, out, errors = self.place.run("cohort", *arguments)
        assert status == 0, errors
        return json.loads(out) if "--json" in arguments else out

    def counts(self) -> tuple[int, int, int, int]:
        """Patients, how many were decided, whose evidence has changed, and how many are to be settled."""
        told = self.said("review", "febrile", "--json")
        (mine,) = told["reviewers"]
        assert mine["total"] == told["patients"]
        return told["patients"], mine["decided"], mine["changed"], told["unsettled"]

    def verdicts(self) -> dict[int, str]:
        return {no: one.verdict for no, one in self.reviews.standing().of(present_user()).items()}

    def exported(self) -> list[dict[str, str]]:
        path = self.folder / "out.csv"
        self.said("export", "febrile@1", "--format", "csv", "--output", path, "--force")
        with path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def marked(self) -> float:
        """The share of marked evidence that is right."""
        path = self.folder / "figures.json"
        assert self.place.run("evaluate", "judgments", "febrile", "--json", path)[0] == 0
        criteria = json.loads(path.read_text())["criteria"]
        return float(sum(one["judged"] for one in criteria.values()))


@pytest.fixture
def reviewed(empty_stack: Any, make_csv: Callable[..., Path], tmp_path: Path) -> Reviewed:
    return Reviewed(empty_stack, make_csv, tmp_path)


def test_a_review_is_of_the_patient_who_stays_and_of_each_again(reviewed: Reviewed) -> None:
    a, b, c = (reviewed.no[id] for id in "ABC")
    before = reviewed.counts(), reviewed.verdicts(), reviewed.exported(), reviewed.marked()
    assert before[0] == (4, 3, 0, 0)
    assert [(row["patient_id"], row["kind"], row["words"] != "" or row["code"] != "") for row in before[2]] == [
        ("A", "finding", True),
        ("A", "fact", True),
        ("B", "finding", True),
        ("C", "finding", True),
        ("D", "finding", True),
    ]
    reviewed.merge("A,B")
    # They agree: one decision, by more evidence than each was made by.
    assert (reviewed.counts(), reviewed.verdicts()) == ((3, 2, 1, 0), {b: "include", c: "exclude"})
    page = reviewed.client.get(f"{reviewed.path}/review/{b}").text
    assert "of A\nof B</textarea>" in page
    assert ("Day 0" in page, "Day 1" in page, "another text" in page) == (True, True, False)
    pressed = re.findall(r'value="(\w+ \w+)" aria-pressed="true"', page)
    assert sorted(pressed) == sorted(f"{item.id} right" for item in reviewed.items)
    assert reviewed.client.get(f"{reviewed.path}/review/{a}").headers["Location"].endswith(f"/review/{b}")
    rows = [{k: v for k, v in row.items() if k != "verdict"} for row in reviewed.exported()]
    assert rows == [{k: v for k, v in row.items() if k != "verdict"} for row in before[2]]
    assert {row["patient_id"]: row["verdict"] for row in reviewed.exported()} == {
        **{"A": "include", "B": "include", "C": "", "D": ""}
    }
    assert reviewed.marked() == before[3]
    reviewed.merge("C,B")
    # They differ: to be settled, also where one was settled.
    assert (reviewed.counts(), reviewed.verdicts()) == ((2, 0, 0, 1), {})
    assert {row["verdict"] for row in reviewed.exported()} == {""}
    page = reviewed.client.get(f"{reviewed.path}/review/{b}").text
    assert "what you said of them differs" in page
    dispute = reviewed.client.get(f"{reviewed.path}/adjudicate")
    assert dispute.headers["Location"].endswith(f"/adjudicate/{b}")
    reviewed.send(f"adjudicate/{b}", verdict="exclude")
    assert reviewed.counts()[3] == 0
    reviewed.send(f"review/{b}", verdict="exclude")
    assert (reviewed.counts(), reviewed.verdicts()) == ((2, 1, 0, 0), {b: "exclude"})
    assert {row["patient_id"]: row["verdict"] for row in reviewed.exported()} == {
        **dict.fromkeys("ABC", "exclude"),
        "D": "",
    }
    reviewed.merge("A,", "C,")
    assert (reviewed.counts(), reviewed.verdicts(), reviewed.exported(), reviewed.marked()) == before


def test_who_was_merged_is_no_lost_patient(reviewed: Reviewed) -> None:
    reviewed.merge("A,B")
    told = reviewed.said("diff", "febrile", "--json")
    assert told["reasons"] == {"new": {}, "gone": {"merged patient": 1}, "changed": {"merged patient": 1}}
    evidence = [
        (row["moved"], row["why"]) for kind in ("gone", "changed") for one in told[kind] for row in one["evidence"]
    ]
    assert evidence == [("went", "merged patient")] * 2 + [("came", "merged patient")] * 2
    assert "merged patient 1" in reviewed.said("diff", "febrile")
    # In lists and sets they are one, by whichever id they came in.
    (reviewed.folder / "ids.txt").write_text("B\n")
    reviewed.said("import", "listed", reviewed.folder / "ids.txt")
    compared = reviewed.said("compare", "febrile@1", "listed", "--json")
    assert compared["patients"] == {"only_first": 2, "both": 1, "only_second": 0}
    union = reviewed.said("combine", "all", "union", "febrile@1", "listed", "--json")
    assert (union["patients"], union["notes"]) == (3, 4)
    saved = reviewed.said("save", "febrile", "--again", "--json")
    assert (saved["patients"], saved["notes"]) == (3, 4)
    # The next version has the same texts: what was decided by them holds.
    assert reviewed.counts() == (3, 2, 1, 0)
    assert reviewed.said("diff", "febrile", 1, 2, "--json")["reasons"] == told["reasons"]
    assert reviewed.said("diff", "febrile", 2, "--json")["counts"] == {"new": 0, "gone": 0, "changed": 0}
    reviewed.merge("A,")
    back = reviewed.said("diff", "febrile", 2, "--json")
    assert back["reasons"] == {"new": {"merged patient": 1}, "gone": {}, "changed": {"merged patient": 1}}
