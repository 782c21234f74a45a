"""The notice on every page tells truly what is synthetic."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.ledger import Ledger
from ingest.ledger.database import open_database
from search_stack.core.schema import Note
from search_stack.core.settings import Settings
from ui.app import create_app


@pytest.mark.parametrize(
    ("collections", "notice"),
    [
        ((), None),
        (("reports",), None),
        (("demo",), "no real patients"),
        (("demo", "reports"), "are among these"),
        (("archive", "demo"), "are among these"),
    ],
)
def test_it_says_no_real_patients_only_where_that_is_so(
    settings: Settings, tmp_path: Path, collections: tuple[str, ...], notice: str | None
) -> None:
    ledger = Ledger(open_database(f"sqlite:///{tmp_path / 'ledger.sqlite3'}"))
    notes = [Note(f"n-{c}", "Clear.", "p", collection=c) for c in collections]
    ledger.put(notes, ledger.start_run("test", "test"))
    page = create_app(settings, ledger=ledger).test_client().get("/").get_data(as_text=True)
    assert ("Synthetic demonstration notes" in page) == (notice is not None)
    if notice:
        assert notice in page
