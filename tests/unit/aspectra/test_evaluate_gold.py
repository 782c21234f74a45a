"""`aspectra evaluate gold` on the judged mentions, with the real notes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from aspectra.cli import main
from aspectra.commands.evaluate import gold
from aspectra.note_texts import MTSAMPLES, OPENI, SECTIONS, VISITS
from search_stack.evaluation.datasets import whole_notes
from search_stack.evaluation.datasets.gold import COLUMNS


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


def test_the_fresh_part_has_files_of_its_own_and_sections_for_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a text that was written here: the real ones are to be opened once."""
    mentions, whole, data, told = (tmp_path / name for name in ("m.tsv", "n.tsv", "data", "gold.json"))
    row = ("mts-train-7", "7", "12", "fever", "yes", "absent", "", "random", "1", "")
    mentions.write_text("\t".join(COLUMNS) + "\n" + "\t".join(row) + "\n")
    marked = ("mts-train-7", "mention", "7", "12", "symptom", "absent", "")
    whole.write_text("\t".join(whole_notes.COLUMNS) + "\n" + "\t".join(marked) + "\n")
    for name in (MTSAMPLES, *VISITS, OPENI):
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_text("")
    for name in SECTIONS.values():
        (data / name).write_text("ID,section_header,section_text\n7,ROS,Denies fever.\n")
    monkeypatch.setattr(gold, "FRESH_FILE", mentions)
    monkeypatch.setattr(whole_notes, "FRESH_FILE", whole)
    arguments = ["evaluate", "gold", "--data", str(data), "--part", "fresh", "--json", str(told)]
    result = CliRunner().invoke(main, arguments, env={"ASPECTRA_DATA_DIR": str(tmp_path)})
    assert result.exit_code == 0, result.output
    figures = json.loads(told.read_text())
    assert (figures["part"], figures["mentions"], figures["accuracy"]) == ("fresh", 1, 1.0)
    assert figures["whole_notes"]["kinds"]["symptom"]["mentions"] == 1


def test_a_site_s_mentions_have_no_fresh_part(tmp_path: Path) -> None:
    mentions = tmp_path / "m.tsv"
    mentions.write_text("\t".join(COLUMNS) + "\nn\t0\t5\tfever\tyes\tabsent\t\trandom\t1\t\n")
    arguments = ["evaluate", "gold", "--data", str(tmp_path), "--mentions", str(mentions), "--part", "fresh"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    assert "no mention is of the part fresh" in result.stderr


def test_a_folder_without_the_notes_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["evaluate", "gold", "--data", str(tmp_path / "nowhere")])
    assert result.exit_code == 1
    assert "the shared notes cannot be read" in result.stderr
