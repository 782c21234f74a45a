"""`understand`: lines on standard input, what each means on standard output."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from aspectra.cli import main
from search_stack.language.lexicon.load import load_lexicon
from search_stack.query.tree_json import from_json
from search_stack.query.understand import Understanding

Run = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """For lexicons of the user's own."""
    (tmp_path / "lexicons").mkdir()
    return tmp_path / "lexicons"


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("ASPECTRA_DATA_DIR", str(folder.parent))
    monkeypatch.delenv("ASPECTRA_LEXICON_DIR", raising=False)
    return lambda typed, *options: CliRunner().invoke(main, ["understand", *options], input=typed)


def _answers(done: Result) -> list[dict[str, Any]]:
    assert done.exit_code == 0
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_each_line_is_answered_by_what_it_means(run: Run) -> None:
    first, second = _answers(run("could you find pleural effusion without cough\r\ntuburculosis in 2020\n"))
    assert first == {
        "line": "could you find pleural effusion without cough",
        "query": {
            "all": [
                {"finding": "pleural effusion", "assertion": "present"},
                {"not": {"finding": "cough", "assertion": "present"}},
            ]
        },
        "aside": ["could you find"],
        "notices": [],
    }
    (notice,) = second["notices"]
    assert (notice["kind"], notice["typed"], notice["line"]) == ("spelling", "tuburculosis", '"tuburculosis" in 2020')
    assert second["query"]["all"][0] == {"finding": "tuberculosis", "assertion": "present"}
    for answer in (first, second):
        from_json(answer["query"])


@pytest.mark.parametrize(
    ("line", "message", "remedy"),
    [
        ("", "The query is empty.", "Type a finding"),
        ("the", "The query names nothing to look for.", "Type a finding"),
        ('"chest pain', 'A quote (") is not closed.', "Close it"),
        ("fever OR", "The operator OR lacks a word after it.", "Write it as"),
        ("after:soon", "after:soon is not a date.", "Write it as after:"),
        ("finding:quizzle", 'There is no finding called "quizzle" in the lexicon.', ""),
        ("a" * 2001, "The query has 2,001 characters; at most 2,000 are read.", "Shorten it."),
    ],
)
def test_a_line_that_cannot_be_read_is_answered_too_and_stops_no_other(
    run: Run, line: str, message: str, remedy: str
) -> None:
    before, wrong, after = _answers(run(f"fever\n{line}\nno fever\n"))
    assert before["query"] == {"finding": "fever", "assertion": "present"}
    assert after["query"] == {"finding": "fever", "assertion": "absent"}
    assert "error" not in before | after
    error = wrong.pop("error")
    assert wrong == {"line": line, "query": None, "aside": [], "notices": []}
    assert error["message"] == message
    assert error["remedy"].startswith(remedy)


def test_nothing_typed_is_nothing_answered(run: Run) -> None:
    assert _answers(run("")) == []


def test_it_is_the_user_s_own_lexicon_too(run: Run, folder: Path) -> None:
    (folder / "own.csv").write_text("id,name,kind,parents\nx-1,quizzle fever,finding,fever\n")
    (answer,) = _answers(run("no quizzle fever"))
    assert answer["query"] == {"finding": "quizzle fever", "assertion": "absent"}


def test_answers_are_those_of_the_search(run: Run, folder: Path) -> None:
    understanding = Understanding(load_lexicon(folder))
    lines = ["(fever or chills) -cough section:impression", "how is asthma treated", 'words:"left side"']
    assert _answers(run("\n".join(lines))) == [understanding.understand(line).json() for line in lines]


def test_control_characters_reach_no_terminal(run: Run) -> None:
    typed = "fever \x1b[31m\x9bcough"
    done = run(typed)
    (answer,) = _answers(done)
    assert answer["line"] == typed
    for shown in (done.stdout, run(typed, "--explain").stdout):
        assert "\x1b" not in shown
        assert "\x9b" not in shown


def test_for_a_person_each_line_is_a_tree(run: Run) -> None:
    done = run("could you find (fever or chills) without cough\nfever OR\nno fever\n", "--explain")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "could you find (fever or chills) without cough",
        "└── all of",
        "    ├── any of",
        "    │   ├── fever",
        "    │   └── chills",
        "    └── without cough",
        "  left aside: could you find",
        "fever OR",
        "  The operator OR lacks a word after it. Write it as: effusion OR pneumothorax; effusion NOT pneumothorax.",
        "no fever",
        "└── fever ruled out",
    ]
