"""Nothing that a note holds is obeyed by the terminal."""

from __future__ import annotations

import json
import unicodedata
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from sqlalchemy import update

from aspectra import console
from aspectra.commands import ingest, search
from aspectra.terminal import json_line, line, plain
from ingest.ledger import Ledger
from ingest.ledger.database import open_database, writing
from ingest.ledger.tables import FAILED, notes
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Hit, Note, Scores

OSC = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\u202eabc\x08\x00\r"
OBEYED = "\x1b\x07\x08\x9b\x7f\u202e\x00\r"


def obeyed(text: str) -> list[str]:
    return [c for c in text if (unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") and c not in "\n\t") or c in OBEYED]


@given(st.text())
def test_every_character_stays_one_and_none_is_obeyed(text: str) -> None:
    assert len(plain(text)) == len(text)
    assert not obeyed(plain(text))
    assert "\n" not in line(text)


@given(st.dictionaries(st.text(), st.text()))
def test_json_says_the_same_and_holds_no_control_character(value: dict[str, str]) -> None:
    written = json_line(value)
    assert json.loads(written) == value
    assert not obeyed(written)
    written.encode()  # a lone surrogate could not be printed


def test_text_of_other_scripts_stays_as_it_is() -> None:
    assert plain("Herzgröße: 12 µm\n\tفحص") == "Herzgröße: 12 µm\n\tفحص"


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> StringIO:
    """What the commands print, as a terminal with colours would get it."""
    shown = StringIO()
    for module, name in ((console, "out"), (console, "err"), (ingest, "out"), (search, "out")):
        screen = Console(file=shown, highlight=False, width=200, force_terminal=True, color_system=None)
        monkeypatch.setattr(module, name, screen)
    return shown


def test_a_passage_is_shown_with_its_highlights_in_place() -> None:
    text = f"{OSC}no effusion"
    begin = text.index("effusion")
    hit = Hit(
        "1.0", OSC, 1, f"p{OSC}", OSC, None, OSC, "c", OSC, "", 0, len(text), text, ((begin, len(text)),), Scores(), OSC
    )
    shown = search._text(hit)
    assert not obeyed(shown.plain)
    marked = [shown.plain[s.start : s.end] for s in shown.spans if "underline" in str(s.style)]
    assert marked == ["effusion"]


def test_an_error_shows_what_it_quotes(screen: StringIO) -> None:
    @console.command
    def fail() -> None:
        raise AspectraError(f"Not there: {OSC}[/bold]x.", "Mend [it].")

    with pytest.raises(SystemExit):
        fail()
    assert "[/bold]x. \nMend [it]." in screen.getvalue().replace("x.\n", "x. \n")
    assert not obeyed(screen.getvalue())


def test_failed_notes_are_listed_whatever_their_ids(screen: StringIO, tmp_path: Path) -> None:
    ledger = Ledger(open_database(f"sqlite:///{tmp_path / 'ledger.sqlite3'}"))
    ids = ["[/bold]x", f"a{OSC}".replace("\0", ""), "[link=http://x]y[/link]"]
    ledger.put(
        [Note(note_id, "Clear lungs.", "p", collection="[red]") for note_id in ids], ledger.start_run("a", "csv")
    )
    with writing(ledger.engine) as c:
        c.execute(update(notes).values(state=FAILED, attempts=5, last_error="RefusedDocument 400"))
    ingest._list_failed(ledger)
    ledger.engine.dispose()
    shown = screen.getvalue()
    assert all(line(note_id) in shown for note_id in ids)
    assert "[red]" in shown
    assert not obeyed(shown)
