"""How far a review is, and what it measures, on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from aspectra import console
from aspectra.cli import main
from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from ingest.ledger.database import open_database
from ingest.review.store import Reviews
from search_stack.evaluation.trec import read_qrels
from search_stack.review.decisions import Given, Verdict
from search_stack.review.marks import Item
from search_stack.review.precision import wilson
from search_stack.review.queue import evidence_digest
from tests.unit.aspectra.test_cohort_commands import found

FEVER = [Item("fever", "c1", "fever", "present", note, 1, 0, 5) for note in range(1, 6)]
COUGH = Item("cough ruled out", "c2", "cough", "absent", 1, 1, 9, 14)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(console.out, "width", 200)
    ledger = Ledger(open_database(f"sqlite:///{tmp_path / 'ledger.sqlite3'}"))
    Store(ledger.engine).save("fever", found(1, 2, 3, 4, 5), "mo")
    return tmp_path


@pytest.fixture
def reviews(place: Path) -> Reviews:
    return Reviews(Ledger(open_database(f"sqlite:///{place / 'ledger.sqlite3'}")).engine, 1)


def run(place: Path, *arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), env={"ASPECTRA_DATA_DIR": str(place)})


def decide(reviews: Reviews, who: str, verdicts: dict[int, Verdict], final: bool = False) -> None:
    version = found(1, 2, 3, 4, 5)
    for patient, verdict in verdicts.items():
        reviews.decide(who, Given(patient, 1, evidence_digest(version, patient), verdict), final)


def test_nothing_judged_is_said(place: Path) -> None:
    result = run(place, "evaluate", "judgments", "fever")
    assert result.exit_code == 1
    assert "Nothing is judged of fever@1 yet." in result.stderr
    assert "/cohorts/1/review" in result.stderr
    assert "There is no cohort other" in run(place, "evaluate", "judgments", "other").stderr
    assert "Nobody has decided yet." in run(place, "cohort", "review", "fever").stdout


def test_figures_by_hand(place: Path, reviews: Reviews) -> None:
    decide(reviews, "dr.lee", {1: "include", 2: "include", 3: "include", 4: "doubt", 5: "exclude"})
    decide(reviews, "dr.kim", {1: "include", 2: "include", 3: "exclude", 5: "include"})
    decide(reviews, "mo", {3: "exclude"}, final=True)
    for patient, item in enumerate(FEVER, 1):
        reviews.mark("dr.lee", patient, item, "wrong" if patient == 2 else "right")
    reviews.mark("dr.kim", 1, COUGH, "wrong")
    # 1 and 2 are in, 3 is settled as out, 4 is in doubt, 5 is disputed.
    told = place / "figures.json"
    judged = place / "qrels.txt"
    result = run(place, "evaluate", "judgments", "fever", "--json", told, "--qrels", judged)
    assert result.exit_code == 0, result.output
    figures: dict[str, Any] = json.loads(told.read_text())
    assert (figures["cohort"], figures["patients"]) == ("fever@1", 5)
    query = figures["query"]
    assert (query["right"], query["judged"], query["precision"]) == (2, 3, pytest.approx(2 / 3))
    assert (query["low"], query["high"]) == pytest.approx(wilson(2 / 3, 3))
    fever = figures["criteria"]["fever"]
    assert (fever["right"], fever["judged"], fever["precision"], fever["qrels"]) == (4, 5, 0.8, 2)
    assert figures["criteria"]["cough ruled out"]["precision"] == 0
    assert {name: one["precision"] for name, one in figures["assertions"].items()} == {"absent": 0, "present": 0.8}
    assert figures["left_out"] == {"doubtful": 1, "disputed": 1, "elsewhere": 0, "disputed_items": 0}
    assert read_qrels(judged) == {
        "fever": {"1": 1, "2": 1, "3": 0},
        "fever/2": {"1:0-5": 1, "2:0-5": 0, "3:0-5": 1, "4:0-5": 1, "5:0-5": 1},
    }  # nothing is right of the other criterion, and such a query is left out when qrels are read
    assert "fever/1 0 1:9-14 0" in judged.read_text()
    assert "0.667" in result.stdout
    assert "Patients left out: 1 in doubt, 1 with two verdicts that nobody has settled." in result.stdout


def test_how_far_it_is(place: Path, reviews: Reviews) -> None:
    decide(reviews, "dr.lee", {1: "include", 2: "include", 3: "exclude"})
    decide(reviews, "dr.kim", {1: "include", 2: "exclude", 3: "exclude"})
    decide(reviews, "mo", {2: "exclude"}, final=True)
    told = json.loads(run(place, "cohort", "review", "fever", "--json").stdout)
    assert (told["patients"], told["disputed"], told["unsettled"]) == (5, 1, 0)
    assert [(one["reviewer"], one["decided"], one["include"]) for one in told["reviewers"]] == [
        ("dr.kim", 3, 1),
        ("dr.lee", 3, 2),
    ]
    (pair,) = told["agreement"]
    assert (pair["patients"], pair["agreed"]) == (3, 2)
    # By hand: 2/3 alike, 4/9 by chance.
    assert pair["kappa"]["value"] == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))
    shown = run(place, "cohort", "review", "fever").stdout
    assert "dr.kim and dr.lee: 2 of 3 alike, kappa 0.40" in shown
    assert "Patients with two verdicts: 1, not settled: 0." in shown
