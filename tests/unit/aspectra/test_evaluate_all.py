"""`aspectra evaluate all`: what there is data for is measured once."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from aspectra.cli import main
from aspectra.commands.evaluate import all as everything
from aspectra.commands.evaluate.standard import runs
from search_stack.core.errors import AspectraError
from search_stack.evaluation.kept import Kept

NOTE = '{"text": "PLAN: Rest. He takes his tablets.", "headings": ["PLAN:"]}'
HEADED = "ID,section_header,section_text\n1,PLAN,She will follow up.\n2,GENHX,A man of fifty.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    for name, content in (
        ("notes/mts_dialog_validationset.csv", HEADED),
        ("qa/RQE_Test_some.xml", "<RQE/>"),
        ("sts/b_dev.csv", "b"),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def called(root: Path, *more: str) -> Result:
    report = str(root.parent / "out.html")
    return CliRunner().invoke(main, ["evaluate", "all", "--data-root", str(root), "--report", report, *more])


class Calls:
    """Instead of a process: notes what was called; what is in ``failing`` fails."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.failing: set[str] = set()

    def __call__(self, arguments: Sequence[str]) -> Kept:
        self.made.append(arguments[1])
        if arguments[1] in self.failing:
            raise AspectraError("It broke.", "Mend it.")
        found = {"systems": {"ours": {"value": 0.5, "low": 0.25, "high": 0.75}}, "accuracy": 0.625}
        return Kept(command=["aspectra", *arguments], seconds=1.0, ended="now", figures=found)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    made = Calls()
    monkeypatch.setattr(everything, "call", made)
    return made


def test_what_there_are_files_for_is_found(root: Path, data_dir: Path) -> None:
    assert [(r.task, r.files) for r in runs(root)] == [
        ("aspects", ("notes/mts_dialog_validationset.csv",)),
        ("rqe", ("qa/RQE_Test_some.xml",)),
        ("sts", ("sts/b_dev.csv",)),
    ]
    tasks = {"aspects", "assertion", "findings", "gold", "qa", "retrieval", "rqe", "sections", "sts"}
    assert {r.task for r in runs(data_dir)} >= tasks
    assert all((data_dir / name).is_file() for r in runs(data_dir) for name in r.files)


def test_what_was_measured_is_not_measured_again_until_it_changes(root: Path, calls: Calls) -> None:
    calls.failing = {"rqe"}
    told = called(root)
    assert told.exit_code == 1
    assert "1 of them failed: rqe." in told.output
    assert calls.made == ["aspects", "rqe", "sts"]
    page = (root.parent / "out.html").read_text(encoding="utf-8")
    assert "0.625" in page
    assert "It broke. Mend it." in page
    assert "rqe" in page
    calls.made, calls.failing = [], set()
    assert called(root).exit_code == 0
    assert calls.made == ["rqe"]
    assert "0.250 to 0.750" in (root.parent / "out.html").read_text(encoding="utf-8")
    calls.made = []
    (root / "sts" / "b_dev.csv").write_text("c", encoding="utf-8")
    assert called(root, "--only", "sts", "--only", "rqe").exit_code == 0
    assert calls.made == ["sts"]
    calls.made = []
    assert called(root, "--keep", str(root.parent / "elsewhere")).exit_code == 0
    assert len(calls.made) == 3


def test_another_model_or_setting_is_measured_anew(root: Path, calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    assert called(root, "--only", "sts").exit_code == 0
    monkeypatch.setenv("ASPECTRA_RERANKER_BUNDLE", "")
    assert called(root, "--only", "sts").exit_code == 0
    monkeypatch.setenv("ASPECTRA_RERANK_DEPTH", "10")
    assert called(root, "--only", "sts").exit_code == 0
    assert calls.made == ["sts"] * 3


def test_where_there_is_nothing_no_report_is_written(root: Path, tmp_path: Path, calls: Calls) -> None:
    told = called(root, "--only", "gold")
    assert told.exit_code == 1
    assert "nothing is there to measure gold on." in told.output
    (tmp_path / "empty").mkdir()
    assert called(tmp_path / "empty").exit_code == 1
    assert not (tmp_path / "out.html").exists()


def test_a_command_is_run_in_a_process_of_its_own(root: Path) -> None:
    data = root / "notes" / "mtsamples.jsonl"
    data.write_text(NOTE, encoding="utf-8")
    assert called(root, "--only", "sections").exit_code == 0
    page = (root.parent / "out.html").read_text(encoding="utf-8")
    assert f"aspectra evaluate sections --data {data}" in page
    assert "heading f1" in page
    assert len(list((root.parent / "out.figures").iterdir())) == 1


def test_what_a_command_says_last_is_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for said, told in (
        ("a bar\nError: b.xml:3: broken.\nMend it.\n", "Error: b.xml:3: broken. Mend it."),
        ("Traceback\nKeyError: 'x'\n", "KeyError: 'x'"),
        ("", "It said nothing."),
    ):
        done = subprocess.CompletedProcess(["aspectra"], 1, "", said)
        monkeypatch.setattr(everything.subprocess, "run", lambda *_, _done=done, **__: _done)
        with pytest.raises(AspectraError) as caught:
            everything.call(["evaluate", "qa"])
        assert caught.value.message == told
