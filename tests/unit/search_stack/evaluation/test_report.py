"""The report on four visible systems: figures, marks and the dictionary."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from rich.console import Console

from search_stack.core.errors import AspectraError
from search_stack.evaluation.measures import STANDARD, parse
from search_stack.evaluation.rankings import Qrels, Rankings
from search_stack.evaluation.report import RetrievalReport, retrieval_report

MEASURES = [parse("R@1"), parse("MRR")]
RIGHT, WRONG = [("yes", 2.0), ("no", 1.0)], [("yes", 1.0), ("no", 2.0)]


def qrels(queries: int) -> Qrels:
    return {f"q{n}": {"yes": 1} for n in range(queries)}


def run(queries: int, right: int) -> Rankings:
    """The relevant passage is first in the first ``right`` queries and second in the rest."""
    return {f"q{n}": RIGHT if n < right else WRONG for n in range(queries)}


def four_systems() -> RetrievalReport:
    systems = {"bm25": run(20, 10), "rerank": run(20, 19), "broken": {"q0": RIGHT}, "same": run(20, 10)}
    return retrieval_report(systems, qrels(20), MEASURES)


def printed(report: RetrievalReport) -> str:
    console = Console(width=120, record=True, file=StringIO())
    console.print(report.table())
    return console.export_text()


def row(text: str, system: str) -> list[str]:
    return next(line for line in text.splitlines() if line.strip().startswith(system)).split()


def test_means_are_by_system_and_measure() -> None:
    assert four_systems().systems == {
        "bm25": {"R@1": 0.5, "MRR": 0.75},
        "rerank": {"R@1": pytest.approx(0.95), "MRR": pytest.approx(0.975)},
        "broken": {"R@1": 0.05, "MRR": 0.05},
        "same": {"R@1": 0.5, "MRR": 0.75},
    }


def test_json_holds_plain_values_that_survive_a_file() -> None:
    kept = four_systems().json()
    assert json.loads(json.dumps(kept)) == kept
    assert list(kept) == ["systems", "queries", "intervals", "baseline", "costs"]
    assert (kept["queries"], kept["baseline"]) == (20, "bm25")
    assert list(kept["intervals"]) == ["rerank", "broken", "same"]
    gain = kept["intervals"]["rerank"]["R@1"]
    assert gain["difference"] == pytest.approx(0.45)
    assert 0 < gain["low"] < 0.45 < gain["high"]
    assert gain["significant"] is True
    assert kept["intervals"]["same"]["MRR"] == {"difference": 0, "low": 0, "high": 0, "significant": False}


def test_the_table_marks_what_differs_from_the_baseline() -> None:
    text = printed(four_systems())
    assert row(text, "bm25") == ["bm25", "0.500", "0.750"]
    assert row(text, "rerank") == ["rerank", "0.950▲", "0.975▲"]
    assert row(text, "broken") == ["broken", "0.050▼", "0.050▼"]
    assert row(text, "same") == ["same", "0.500", "0.750"]


def test_the_standard_measures_fit_into_eighty_columns() -> None:
    systems = {"bm25": run(20, 10), "rerank": run(20, 19)}
    console = Console(width=80, record=True, file=StringIO())
    console.print(retrieval_report(systems, qrels(20), STANDARD).table())
    text = console.export_text()
    assert all(m.name in text for m in STANDARD)
    assert len(row(text, "rerank")) == 1 + len(STANDARD)


def test_the_caption_explains_the_marks() -> None:
    caption = str(four_systems().table().caption)
    assert "20 queries" in caption
    assert "▲ above, ▼ below bm25" in caption
    assert "95% interval" in caption
    assert "paired bootstrap" in caption


def test_a_baseline_alone_has_no_marks_to_explain() -> None:
    report = retrieval_report({"bm25": run(20, 10)}, qrels(20), MEASURES)
    assert report.intervals == {}
    assert "▲" not in str(report.table().caption)


def test_too_few_queries_are_said_to_be_too_few() -> None:
    report = retrieval_report({"bm25": run(5, 0), "rerank": run(5, 5)}, qrels(5), MEASURES)
    assert row(printed(report), "rerank") == ["rerank", "1.000", "1.000"]
    assert "too few to compare" in str(report.table().caption)


def test_a_system_name_in_brackets_is_shown_as_it_is() -> None:
    report = retrieval_report({"[red]": run(20, 10)}, qrels(20), MEASURES, baseline="[red]")
    assert row(printed(report), "[red]")[0] == "[red]"


def test_the_order_of_the_queries_changes_no_interval() -> None:
    systems = {"bm25": run(20, 10), "rerank": run(20, 14)}
    turned = dict(reversed(list(qrels(20).items())))
    assert retrieval_report(systems, turned, MEASURES) == retrieval_report(systems, qrels(20), MEASURES)


def test_errors_name_the_baseline_the_system_and_the_query() -> None:
    with pytest.raises(AspectraError, match="baseline dense is not among the systems: bm25"):
        retrieval_report({"bm25": run(3, 3)}, qrels(3), MEASURES, baseline="dense")
    with pytest.raises(AspectraError, match="System bm25: Query q0: Passage yes is in the ranking twice"):
        retrieval_report({"bm25": {"q0": [("yes", 1.0), ("yes", 2.0)]}}, qrels(1), MEASURES)
