"""`aspectra evaluate gold` on the judged mentions, with the real notes."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from aspectra.cli import main


def test_the_dev_part_is_measured_beside_the_baseline(data_dir: Path, tmp_path: Path) -> None:
    told = tmp_path / "gold.json"
    arguments = ["evaluate", "gold", "--data", str(data_dir), "--json", str(told)]
    result = CliRunner().invoke(main, arguments, env={"ASPECTRA_DATA_DIR": str(tmp_path)})
    assert result.exit_code == 0, result.output
    figures = json.loads(told.read_text())
    assert figures["part"] == "dev"
    assert figures["mentions"] == sum(figures["numbers"].values()) > 250
    assert figures["accuracy"] > figures["window"]
    assert figures["interval"]["low"] > 0
    assert figures["agreement"]["value"] > 0.8
    assert 0 < figures["macro_f1"] < 1
    whole = figures["whole_notes"]
    assert whole["notes"] == 20
    assert whole["kinds"]["all"]["mentions"] == sum(k["mentions"] for n, k in whole["kinds"].items() if n != "all")
    assert whole["kinds"]["all"]["over_plain"]["low"] > 0
    assert whole["heading"]["f1"] > whole["capitals"]["f1"]
    assert "20 notes annotated in full, dev" in result.output


def test_a_folder_without_the_notes_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["evaluate", "gold", "--data", str(tmp_path / "nowhere")])
    assert result.exit_code == 1
    assert "the shared notes cannot be read" in result.stderr
