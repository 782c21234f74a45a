"""`vocab add`, `remove` and `list`, over small files in a folder of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from aspectra.cli import main
from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.current import Current
from search_stack.language.lexicon.files import read_lexicon, read_remarks
from search_stack.language.lexicon.load import load_lexicon

Run = Callable[..., Result]
DOID = """format-version: 1.2
data-version: releases/2031-02-03

[Term]
id: DOID:1
name: pneumonia
synonym: "quozzle lung" EXACT []
xref: ICD10CM:J18
xref: EFO:7

[Term]
id: DOID:2
name: wobbly pneumonia
is_a: DOID:1 ! pneumonia
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "lexicons"


@pytest.fixture
def added(folder: Path) -> Path:
    return folder / "vocabularies" / "doid.csv"


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("ASPECTRA_DATA_DIR", str(folder.parent))
    monkeypatch.delenv("ASPECTRA_LEXICON_DIR", raising=False)
    return lambda *arguments: CliRunner().invoke(main, ["vocab", *map(str, arguments)])


@pytest.fixture
def doid(tmp_path: Path) -> Path:
    file = tmp_path / "doid.obo"
    file.write_text(DOID)
    return file


def test_what_is_added_is_under_the_lexicon(run: Run, doid: Path, folder: Path, added: Path) -> None:
    before = load_lexicon(folder)
    done = run("add", "doid", "--file", doid)
    assert done.exit_code == 0, done.output
    after = load_lexicon(folder)
    assert len(after) == len(before) + 1
    assert after.concepts["pneumonia"].phrases == ("quozzle lung",)
    assert after.concepts["pneumonia"].codes == ("DOID:1", "ICD10CM:J18")
    assert "DOID:2" in after.descendants("pneumonia")
    assert after.find("doid:1") is after.concepts["pneumonia"]
    assert Labeller(after, None).version != Labeller(before, None).version
    said = " ".join(done.output.split())
    assert "doid: 2 concepts with 3 names" in said
    assert "1 concepts were there already and gained names and codes." in said
    assert "1 concepts are new." in said
    assert "Version: 2031-02-03." in said
    assert "Licence: CC0" in said
    assert "Attribution: Human Disease Ontology" in said
    assert "aspectra reindex --labels-only" in said


def test_its_terms_go_where_it_goes(run: Run, doid: Path, added: Path) -> None:
    run("add", "doid", "--file", doid)
    assert read_remarks(added)[:2] == ["vocabulary: Disease Ontology", "version: 2031-02-03"]
    assert any(line.startswith("licence: CC0") for line in read_remarks(added))
    assert [c.id for c in read_lexicon(added)] == ["DOID:1", "DOID:2"]
    listed = " ".join(run("list").output.split())
    assert "doid: 2 concepts with 3 names. vocabulary: Disease Ontology. version: 2031-02-03. licence: CC0" in listed


def test_a_dry_run_changes_nothing(run: Run, doid: Path, folder: Path) -> None:
    done = run("add", "doid", "--file", doid, "--dry-run")
    assert done.exit_code == 0
    assert "1 concepts are new." in done.output
    assert "reindex" not in done.output
    assert not folder.exists()


def test_removing_it_brings_back_what_was(run: Run, doid: Path, folder: Path, added: Path) -> None:
    before = load_lexicon(folder).digest
    run("add", "doid", "--file", doid)
    assert load_lexicon(folder).digest != before
    done = run("remove", "doid")
    assert done.exit_code == 0
    assert not added.exists()
    assert load_lexicon(folder).digest == before
    assert run("remove", "doid").exit_code == 1


def test_a_broken_one_can_be_removed_and_added_again(run: Run, doid: Path, folder: Path, added: Path) -> None:
    run("add", "doid", "--file", doid)
    for mend in (("remove", "doid"), ("add", "doid", "--file", doid)):
        added.write_text("id,name\n")
        assert run("list").exit_code == 1
        assert run(*mend).exit_code == 0
        assert load_lexicon(folder)


def test_what_a_file_of_ones_own_needs_is_not_removed(run: Run, doid: Path, folder: Path, added: Path) -> None:
    run("add", "doid", "--file", doid)
    rows = ("id,name,kind,parents", "mine,our pneumonia,disorder,DOID:2", "b,its sister,disorder,DOID:1")
    (folder / "mine.csv").write_text("\n".join(rows))
    assert load_lexicon(folder).ancestors("mine") >= {"DOID:2", "pneumonia"}
    assert "pneumonia" in load_lexicon(folder).ancestors("b")
    done = run("remove", "doid")
    assert done.exit_code == 1
    assert 'there is no concept "DOID:2"' in done.output
    assert added.exists()


def test_a_process_that_runs_sees_it_come_and_go(run: Run, doid: Path, folder: Path) -> None:
    current = Current(folder, len)
    before = current()
    run("add", "doid", "--file", doid)
    assert current() == before + 1
    run("remove", "doid")
    assert current() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("add", "doid"), "--file doid.obo"),
        (("add", "nothing"), "is not one of"),
        (("add", "doid", "hpo", "--file", "x.obo"), "one by one"),
        (("add", "hpo", "--file", "missing.obo"), "missing.obo"),
        (("remove", "hpo"), "was not added"),
    ],
)
def test_errors_say_what_to_do(run: Run, folder: Path, arguments: tuple[str, ...], said: str) -> None:
    done = run(*arguments)
    assert done.exit_code
    assert said in " ".join(done.output.split())
    assert not folder.exists()


def test_a_file_without_a_concept_changes_nothing(run: Run, tmp_path: Path, folder: Path) -> None:
    empty = tmp_path / "empty.obo"
    empty.write_text("format-version: 1.2\n\n[Term]\nid: DOID:9\nname: disease\n")
    done = run("add", "doid", "--file", empty)
    assert done.exit_code == 1
    assert "no concept that could be used" in done.output
    assert not folder.exists()
