"""Charts and questions that somebody else wrote: who is counted is who is meant, as often as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import SecretStr

from aspectra.stack import up
from ingest.readers import open_source
from ingest.run import run_ingest
from search_stack.evaluation.datasets.cohort_questions import load
from search_stack.evaluation.tasks.cohorts import OURS, WORDS, evaluate, of_index
from search_stack.retrieval.searcher import Searcher
from tests.engine.conftest import SERVICES, Place

pytestmark = pytest.mark.engine
CHARTS = Path(__file__).parents[1] / "charts"
LEAST = 0.86
"""Share of the questions that count exactly: a little below what was reached, 0.881."""


def test_questions_count_the_patients_that_their_writer_meant(place_of: Callable[..., Place], tmp_path: Path) -> None:
    place = place_of(ledger_url=SecretStr(f"sqlite:///{tmp_path / 'ledger.sqlite3'}"), index_prefix="charts")
    up(place.settings, SERVICES)
    source = open_source(CHARTS / "first.notes.jsonl", "jsonl")
    assert run_ingest(source, place.ledger, place.settings).failed == 0
    searcher = Searcher.from_settings(place.settings, place.ledger)
    report = evaluate(load(CHARTS / "first.questions.jsonl"), of_index(searcher, place.ledger.people.ids))
    assert report.exact(OURS).value >= LEAST
    assert report.patients(OURS).precision > report.patients(WORDS).precision
    assert report.refused(OURS) == 0
